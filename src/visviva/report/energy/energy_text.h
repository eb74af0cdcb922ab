// Energies and integrals written out for people, as text for a terminal.
#pragma once

#include <string>

#include "visviva/report/energy/energy_report.h"

namespace visviva {

/// Velocities in their portions, energies and powers, what each load does, which integrals are
/// constant and why, and where energy enters and leaves.
/// `full`: everything, however large the mechanism is.
std::string write_energy_text(const EnergyReport& report, bool full = false);

/// The same as LaTeX: a fragment for a document that uses amsmath.
std::string write_energy_latex(const EnergyReport& report);

}  // namespace visviva
