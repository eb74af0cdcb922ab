// The energy ledger in words.
#pragma once

#include <string>

#include "visviva/equations/energy/ledger.h"

namespace visviva {

/// "stores", "brings in or takes out", ...
std::string effect_name(EnergyEffect effect);
/// Empty when there is none.
std::string remark_text(const LedgerRemark& remark);

/// The ledger as a table, each line ended.
std::string write_ledger_text(const Ledger& ledger);

}  // namespace visviva
