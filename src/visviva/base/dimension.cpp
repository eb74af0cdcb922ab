#include "visviva/base/dimension.h"

#include "visviva/base/error.h"

namespace visviva {
namespace {

std::int16_t checked(std::int64_t twelfths, const char* function) {
  if (twelfths > 10000 || twelfths < -10000)
    throw UsageError(function, "the exponent of a unit is out of range");
  return static_cast<std::int16_t>(twelfths);
}

}  // namespace

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension d;
  for (std::size_t i = 0; i < d.twelfths_.size(); ++i) {
    d.twelfths_[i] = checked(std::int64_t{a.twelfths_[i]} + b.twelfths_[i], "Dimension");
  }
  return d;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * b.power(-1); }

Dimension Dimension::power(std::int64_t num, std::int64_t den) const {
  Dimension d;
  for (std::size_t i = 0; i < d.twelfths_.size(); ++i) {
    if (twelfths_[i] == 0) continue;
    if (num > 10000 || num < -10000 || den == 0)
      throw UsageError("Dimension::power", "the exponent is out of range");
    const std::int64_t scaled = twelfths_[i] * num;
    if (scaled % den != 0)
      throw UsageError("Dimension::power", "'" + str() + "' has no root of this order");
    d.twelfths_[i] = checked(scaled / den, "Dimension::power");
  }
  return d;
}

std::string Dimension::str() const {
  static constexpr std::array<const char*, 7> names = {"m", "kg", "s", "A", "K", "mol", "cd"};
  // As a person writes: kg before m, then what is divided by.
  static constexpr std::array<std::size_t, 7> order = {1, 0, 2, 3, 4, 5, 6};
  std::string above, below;
  for (const std::size_t i : order) {
    int n = twelfths_[i];
    if (n == 0) continue;
    std::string& side = n > 0 ? above : below;
    side += n > 0 ? (side.empty() ? "" : "*") : "/";
    n = n > 0 ? n : -n;
    side += names[i];
    if (n == parts) continue;
    side += n % parts == 0 ? "^" + std::to_string(n / parts) : "^(" + std::to_string(n) + "/12)";
  }
  return (above.empty() ? "1" : above) + below;
}

}  // namespace visviva
