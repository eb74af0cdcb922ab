// Options that are quantities: `--until 10`, `--until "2 min"`, `--energy "1e-9 relative"`.
#pragma once

#include <optional>
#include <string>

namespace visviva {

/// A number in SI units, or what is wrong with the text.
struct QuantityReading {
  std::optional<double> value;
  std::string problem;
};

/// Read as the value of a --set is: a bare number is in SI units, a unit must fit `unit` ("s", "J";
/// "1" for a pure number). `option` is named in messages.
QuantityReading read_quantity_option(const std::string& option, const std::string& text,
                                     const std::string& unit);

}  // namespace visviva
