// Exact fractions of any size: the constants that do not fit into a Rational of machine integers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "visviva/symbolic/core/field.h"

namespace visviva {

class BigRational {
 public:
  explicit BigRational(const Rational& r);
  /// digits * 10^exponent; `digits` are decimal digits and nothing else.
  BigRational(std::string_view digits, int exponent);
  BigRational(const BigRational& other);
  BigRational(BigRational&& other) noexcept;
  BigRational& operator=(BigRational other) noexcept;
  ~BigRational();

  BigRational operator-() const;
  friend BigRational operator+(const BigRational& a, const BigRational& b);
  friend BigRational operator*(const BigRational& a, const BigRational& b);
  /// b must not be zero.
  friend BigRational operator/(const BigRational& a, const BigRational& b);
  friend bool operator==(const BigRational& a, const BigRational& b);

  bool is_negative() const;
  /// Bits of numerator and denominator together.
  std::size_t bit_count() const;
  /// The same number with machine integers, if it fits.
  std::optional<Rational> small() const;
  /// The nearest double; infinite or zero when out of range.
  double nearest() const;
  /// The value in both fields; a lane is zero when its prime divides the numerator or the
  /// denominator.
  Fingerprint fingerprint() const;
  /// "num/den" or "num" in decimal digits.
  std::string text() const;

 private:
  struct Value;
  BigRational();
  std::unique_ptr<Value> value_;
};

}  // namespace visviva
