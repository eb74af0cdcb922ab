#include "visviva/app/cli/quantity_option.h"

#include <cmath>

#include "visviva/base/unit.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

// "--set value: there is no ..." and "--set value=TEXT cannot be read" without what nobody typed.
std::string describe_problem(const ModelReading& reading, const std::string& text,
                             const std::string& unit) {
  for (const Diagnostic& d : reading.diagnostics) {
    if (d.severity != Severity::error) continue;
    if (d.code == "E-name-unknown")
      return " is no number: expected one such as `1e-3" + (unit == "1" ? "" : " " + unit) + "`";
    for (const std::string& prefix : {std::string("--set value: "), "--set value=" + text})
      if (d.message.rfind(prefix, 0) == 0)
        return prefix.back() == ' ' ? ": " + d.message.substr(prefix.size())
                                    : d.message.substr(prefix.size());
    return ": " + d.message;
  }
  return " is no number";
}

}  // namespace

// A model of one parameter: then the option means what it would mean with --set.
QuantityReading read_quantity_option(const std::string& option, const std::string& text,
                                     const std::string& unit) {
  const std::string head = option + ": '" + text + "'";
  const ModelReading reading =
      read_model({"", "model option\nparameter value\n"}, {.settings = {{"value", text}}});
  if (!reading.model) return {std::nullopt, head + describe_problem(reading, text, unit)};
  const ParameterData& p = reading.model->data().parameters.front();
  const Dimension expected = parse_unit(unit).unit->dimension;
  // The dimension of a bare number is open.
  const bool is_bare = !p.dimension.is_known() || p.dimension.is_dimensionless();
  if (!is_bare && !(p.dimension == expected))
    return {std::nullopt, head + " is " + describe_dimension(p.dimension) + ", expected " +
                              describe_dimension(expected)};
  const double value = evaluate(*p.value, {}, {});
  if (!std::isfinite(value)) return {std::nullopt, head + " is not finite"};
  return {value, ""};
}

}  // namespace visviva
