#include "visviva/codegen/system/named_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "visviva/base/error.h"
#include "visviva/base/suggest.h"
#include "visviva/base/unit.h"
#include "visviva/equations/equations.h"

namespace visviva {

NamedValues::NamedValues(std::shared_ptr<const ValueNames> names, std::vector<double> values)
    : names_(std::move(names)), values_(std::move(values)) {
  if (values_.size() != names_->names.size())
    throw UsageError("NamedValues", std::to_string(names_->names.size()) + " values are needed, " +
                                        std::to_string(values_.size()) + " given");
}

NamedValues NamedValues::with(std::string_view name, double value) const {
  NamedValues changed = *this;
  changed.values_[find(name)] = value;
  return changed;
}

NamedValues NamedValues::with(std::string_view name, const Quantity& value) const {
  const std::optional<Dimension>& dimension = names_->dimensions[find(name)];
  const std::string what = "the " + names_->noun + " '" + std::string(name) + "'";
  if (!value.is_literal())
    throw UsageError("NamedValues::with", what + " needs a number, not an expression");
  if (dimension && !value.is_plain_zero() && value.dimension() != *dimension)
    throw UsageError("NamedValues::with",
                     what + " is " + describe_dimension(*dimension) + ", not " +
                         describe_dimension(value.dimension()),
                     "E-dimension-definition");
  const Literal& number = value.literal();
  return with(name, number.value * std::pow(std::numbers::pi, number.pi_power));
}

bool NamedValues::has(std::string_view name) const {
  return std::find(names().begin(), names().end(), name) != names().end();
}

std::size_t NamedValues::find(std::string_view name) const {
  const auto found = std::find(names().begin(), names().end(), name);
  if (found != names().end()) return static_cast<std::size_t>(found - names().begin());
  const std::string nearest = did_you_mean(name, names());
  throw UsageError("NamedValues", "there is no " + names_->noun + " '" + std::string(name) + "'" +
                                      (nearest.empty() ? "" : "; " + nearest));
}

}  // namespace visviva
