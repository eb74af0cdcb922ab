#include "visviva/symbolic/form/decimal_text.h"

#include <charconv>

namespace visviva {
namespace {

// digits * 10^exponent with the point set where people want it.
DecimalText place_point(std::string digits, int exponent) {
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  const int count = static_cast<int>(digits.size());
  const int magnitude = count + exponent - 1;  // of the first digit
  if (magnitude < -4 || magnitude > 17 || (magnitude > 8 && exponent > 4)) {
    if (count > 1) digits.insert(1, ".");
    return {digits, magnitude};
  }
  if (exponent >= 0) return {digits + std::string(static_cast<std::size_t>(exponent), '0'), 0};
  if (magnitude >= 0) {
    digits.insert(static_cast<std::size_t>(magnitude + 1), ".");
    return {digits, 0};
  }
  return {"0." + std::string(static_cast<std::size_t>(-magnitude - 1), '0') + digits, 0};
}

// 3/2 and 5/8 stay fractions, 25/2 does not.
bool is_small_fraction(const Rational& r) {
  return r.num < 20 && (r.den == 2 || r.den == 4 || r.den == 8 || r.den == 16);
}

}  // namespace

std::optional<DecimalText> decimal_text(const Rational& value) {
  if (is_small_fraction(value)) return std::nullopt;
  int twos = 0, fives = 0;
  std::int64_t rest = value.den;
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  const int places = twos > fives ? twos : fives;
  if (rest != 1) return std::nullopt;
  Int128 scaled = value.num;
  for (int k = 0; k < places; ++k) {
    scaled *= k < fives ? 1 : 5;
    scaled *= k < twos ? 1 : 2;
    if (scaled > INT64_MAX) return std::nullopt;
  }
  return place_point(std::to_string(static_cast<std::int64_t>(scaled)), -places);
}

DecimalText decimal_text(double value) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const std::string all(text, end);
  const std::size_t e = all.find('e');
  std::string digits = all.substr(0, e);
  int exponent = std::stoi(all.substr(e + 1));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  return place_point(digits, exponent);
}

}  // namespace visviva
