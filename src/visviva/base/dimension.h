// Physical dimensions: exponents of the seven SI base units. Angles are dimensionless.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace visviva {

/// A product of powers of m, kg, s, A, K, mol, cd. Exponents may be fractions, in twelfths.
class Dimension {
 public:
  enum Base { length, mass, time, current, temperature, amount, luminosity };
  static constexpr int parts = 12;  ///< exponents are kept in units of 1/12

  constexpr Dimension() = default;  ///< dimensionless
  static constexpr Dimension of(Base base, int exponent = 1) {
    Dimension d;
    d.twelfths_[base] = static_cast<std::int16_t>(exponent * parts);
    return d;
  }

  /// The exponent of one base unit, in twelfths.
  constexpr int twelfths(Base base) const { return twelfths_[base]; }
  bool is_dimensionless() const { return *this == Dimension(); }
  friend bool operator==(const Dimension&, const Dimension&) = default;
  friend Dimension operator*(const Dimension& a, const Dimension& b);
  friend Dimension operator/(const Dimension& a, const Dimension& b);
  /// This to the power num/den. UsageError when an exponent is then no multiple of 1/12.
  Dimension power(std::int64_t num, std::int64_t den = 1) const;

  /// In SI units as the model language writes them, such as "kg*m^2/s^2"; "1" when dimensionless.
  std::string str() const;

 private:
  std::array<std::int16_t, 7> twelfths_{};
};

}  // namespace visviva
