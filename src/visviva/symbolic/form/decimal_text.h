// How numbers are written: small fractions as fractions, what came from decimals as decimals.
#pragma once

#include <optional>
#include <string>

#include "visviva/symbolic/core/field.h"

namespace visviva {

/// A decimal number, digits * 10^exponent; `digits` may hold a point. Exponent 0 for numbers of
/// usual size.
struct DecimalText {
  std::string digits;
  int exponent = 0;
};

/// The decimal form of a positive fraction, when it ends and people would write it so: 9.81 and
/// 0.1, but not 1/2.
std::optional<DecimalText> decimal_text(const Rational& value);
/// The shortest decimal that reads back as this positive double.
DecimalText decimal_text(double value);

}  // namespace visviva
