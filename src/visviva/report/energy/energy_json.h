// Energies and integrals for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/report/energy/energy_report.h"

namespace visviva {

/// The fields of `visviva energy --json`; expressions are strings in the model language.
nlohmann::ordered_json make_energy_json(const EnergyReport& report);

/// [{source, kind, effect, power, reason}]; power is null where it is not known.
nlohmann::ordered_json make_ledger_json(const Ledger& ledger);

}  // namespace visviva
