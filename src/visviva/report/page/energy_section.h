// Energies, powers and integrals on the page: their expressions, which are constant and why, and
// what every load does with energy.
#pragma once

#include <string>

#include "visviva/report/derivation/causes.h"
#include "visviva/report/energy/energy_report.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// HTML with headings of level 3. `command` is how the program is called for this model,
/// "visviva energy FILE", for what has no room here.
Html make_energy_section(const EnergyReport& report, const Causes& causes,
                         const std::string& command);

}  // namespace visviva
