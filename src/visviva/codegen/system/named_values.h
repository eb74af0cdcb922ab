// NamedValues: numbers in SI units that have names, such as the parameters, inputs or states of a
// compiled system.
//
//   const NamedValues p = system.parameters().with("L", 0.6).with("m", 2.0 * units::kg);
//   p["L"]
// An unknown name is a UsageError that tells the nearest known one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/dimension.h"

namespace visviva {

class Quantity;

/// Names and dimensions that lists of values share.
struct ValueNames {
  std::string noun;  ///< what each of them is, for messages: "parameter"
  std::vector<std::string> names;
  std::vector<std::optional<Dimension>> dimensions;  ///< nothing where the model leaves it open
};

class NamedValues {
 public:
  NamedValues() : NamedValues(std::make_shared<const ValueNames>(), {}) {}
  /// A list of values with its names. UsageError when there are not as many values as names.
  NamedValues(std::shared_ptr<const ValueNames> names, std::vector<double> values);

  double operator[](std::string_view name) const { return values_[find(name)]; }
  /// These values but for one, a number in SI units.
  NamedValues with(std::string_view name, double value) const;
  /// These values but for one, a number with its unit; UsageError when its dimension is another.
  NamedValues with(std::string_view name, const Quantity& value) const;
  /// The same names with these values, in their order.
  NamedValues with_values(std::vector<double> values) const { return {names_, std::move(values)}; }

  bool has(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_->names; }
  const std::vector<double>& values() const { return values_; }
  operator const std::vector<double>&() const { return values_; }

  // A range of its values, in the order of names().
  std::size_t size() const { return values_.size(); }
  const double* data() const { return values_.data(); }
  const double* begin() const { return values_.data(); }
  const double* end() const { return values_.data() + values_.size(); }

 private:
  std::size_t find(std::string_view name) const;

  std::shared_ptr<const ValueNames> names_;
  std::vector<double> values_;
};

}  // namespace visviva
