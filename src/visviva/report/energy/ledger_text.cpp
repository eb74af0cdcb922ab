#include "visviva/report/energy/ledger_text.h"

#include <fmt/format.h>

#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/energy/reason_text.h"

namespace visviva {
namespace {

std::string power_text(const std::optional<double>& power) {
  return power ? fmt::format("{:.6g} W", *power) : "";
}

}  // namespace

std::string effect_name(EnergyEffect effect) {
  switch (effect) {
    case EnergyEffect::stores:
      return "stores";
    case EnergyEffect::takes_out:
      return "takes out";
    case EnergyEffect::brings_in:
      return "brings in";
    case EnergyEffect::exchanges:
      return "brings in or takes out";
    case EnergyEffect::stores_and_more:
      return "stores, and brings in or takes out";
    case EnergyEffect::stores_and_takes_out:
      return "stores, and takes out";
    case EnergyEffect::stores_and_brings_in:
      return "stores, and brings in";
    case EnergyEffect::counted:
      return "counted with what moves it";
    case EnergyEffect::none:
      break;
  }
  return "nothing";
}

std::string remark_text(const LedgerRemark& remark) {
  switch (remark.kind) {
    case LedgerRemark::not_known:
      return "not known: " + remark.message;
    case LedgerRemark::no_value_at_start:
      return "no powers: " + remark.message;
    case LedgerRemark::values_missing:
      return "no powers: values are missing";
    case LedgerRemark::accelerations_open:
      return "no powers: the accelerations at the start are not determined";
    case LedgerRemark::shares_open:
      return fmt::format(
          "what is prescribed has {:.6g} W together; how much belongs to each is not determined",
          remark.power);
    case LedgerRemark::none:
      break;
  }
  return "";
}

std::string write_ledger_text(const Ledger& ledger) {
  const bool has_powers = ledger.total.has_value();
  WordTable table;
  table.heads = {"source", "kind", "energy", "why"};
  if (has_powers) table.heads.insert(table.heads.begin() + 3, "at the start");
  for (const LedgerEntry& e : ledger.entries) {
    table.rows.push_back({e.source, e.kind, effect_name(e.effect), join_reasons(e.reasons)});
    if (has_powers) table.rows.back().insert(table.rows.back().begin() + 3, power_text(e.power));
  }
  if (has_powers) table.rows.push_back({"sum", "", "dK/dt", power_text(ledger.total), ""});
  std::string text = ledger.entries.empty() ? "" : write_table_text(table);
  const std::string remark = remark_text(ledger.remark);
  if (!remark.empty()) text += wrap_words("  ", remark) + "\n";
  return text;
}

}  // namespace visviva
