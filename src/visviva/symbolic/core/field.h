// Arithmetic in two prime fields: the points at which every expression carries its exact value.
//
// An expression's value modulo p0 and modulo p1, at one random point each, is its Fingerprint.
// Equal expressions have equal fingerprints; unequal rational expressions of degree d collide with
// probability at most d^2/(p0 p1).
//   p0 = 2302212421818777599,  p0 + 1 = 2^41 3^4 5^2 11 47
//   p1 = 2305795713033830399,  p1 + 1 = 2^34 3^5 5^2 22093
// Both are 3 mod 4, so x^2 + y^2 = 1 is a cyclic group of order p + 1 in F_p(i). An angle is an
// element of Z/(p+1), and (cos, sin) of it a power of the generator: sums of angles and fractions
// of pi are exact (docs/theory/equality.md). Residues are kept in Montgomery form (x 2^64 mod p).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace visviva {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// An exact fraction of machine integers in lowest terms, denominator positive.
struct Rational {
  std::int64_t num = 0;
  std::int64_t den = 1;
  friend bool operator==(const Rational&, const Rational&) = default;
};

/// Exact rational arithmetic; nothing when the result does not fit (or divides by zero).
std::optional<Rational> make_rational(Int128 num, Int128 den);
std::optional<Rational> add(const Rational& a, const Rational& b);
std::optional<Rational> multiply(const Rational& a, const Rational& b);
std::optional<Rational> divide(const Rational& a, const Rational& b);

/// The value of an expression in both fields.
struct Fingerprint {
  std::array<std::uint64_t, 2> lane{};
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
  bool is_zero() const { return lane[0] == 0 && lane[1] == 0; }
  bool has_zero_lane() const { return lane[0] == 0 || lane[1] == 0; }
};

/// An element of Z/(p+1), once for each field.
struct CircleAngle {
  std::array<std::uint64_t, 2> lane{};
};

namespace field {

inline constexpr std::array<std::uint64_t, 2> prime = {2302212421818777599u, 2305795713033830399u};
inline constexpr std::array<std::uint64_t, 2> neg_inverse = {2302212421818777601u,
                                                             2305795713033830401u};

inline std::uint64_t add_lane(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  const std::uint64_t s = a + b;
  return s >= p ? s - p : s;
}
inline std::uint64_t multiply_lane(std::uint64_t a, std::uint64_t b, std::uint64_t p,
                                   std::uint64_t neg_inv) {
  const UInt128 t = static_cast<UInt128>(a) * b;
  const std::uint64_t m = static_cast<std::uint64_t>(t) * neg_inv;
  const std::uint64_t u = static_cast<std::uint64_t>((t + static_cast<UInt128>(m) * p) >> 64);
  return u >= p ? u - p : u;
}

inline Fingerprint add(const Fingerprint& a, const Fingerprint& b) {
  return {{add_lane(a.lane[0], b.lane[0], prime[0]), add_lane(a.lane[1], b.lane[1], prime[1])}};
}
inline Fingerprint negate(const Fingerprint& a) {
  return {{a.lane[0] == 0 ? 0 : prime[0] - a.lane[0], a.lane[1] == 0 ? 0 : prime[1] - a.lane[1]}};
}
inline Fingerprint subtract(const Fingerprint& a, const Fingerprint& b) {
  return add(a, negate(b));
}
inline Fingerprint multiply(const Fingerprint& a, const Fingerprint& b) {
  return {{multiply_lane(a.lane[0], b.lane[0], prime[0], neg_inverse[0]),
           multiply_lane(a.lane[1], b.lane[1], prime[1], neg_inverse[1])}};
}

/// The inverse; a zero lane stays zero (the caller looks before).
Fingerprint inverse(const Fingerprint& a);
Fingerprint from_integer(std::int64_t n);
Fingerprint from_rational(const Rational& r);
/// 10^exponent, exponent of either sign.
Fingerprint power_of_ten(int exponent);
/// The small rational with this value, if there is an obvious one: denominator a divisor of 360360,
/// |num| < 2^40.
std::optional<Rational> recognize_rational(const Fingerprint& a);

/// True for exactly one of a and -a (neither when a is 0): the one that stands for both.
bool is_canonical(const Fingerprint& a);

/// A pseudo-random value that depends on everything given; the same in every run.
Fingerprint scramble(std::uint64_t tag, const Fingerprint& a, const Fingerprint& b = {});

/// The value that stands for pi.
Fingerprint pi();

/// Fractions of an angle atom that stay exact: denominators dividing this.
inline constexpr std::int64_t angle_resolution = 72000;  // 2^6 3^2 5^3

CircleAngle add(const CircleAngle& a, const CircleAngle& b);
/// n / d times the angle that belongs to the monomial with value `monomial`; d divides
/// angle_resolution.
CircleAngle angle_of_monomial(const Fingerprint& monomial, const Rational& coefficient);
/// r times pi, if p + 1 has that fraction in both fields.
std::optional<CircleAngle> angle_of_pi(const Rational& r);

struct CosSin {
  Fingerprint cos;
  Fingerprint sin;
};
CosSin cos_sin(const CircleAngle& angle);

/// The positive square root of n > 0 where both fields have one that respects all relations between
/// roots and cosines: sqrt(2) = 2 cos(pi/4), sqrt(6) = sqrt(2) sqrt(3).
std::optional<Fingerprint> square_root(std::int64_t n);

/// exp of (n/d) * monomial, a homomorphism from sums to products; d divides angle_resolution.
Fingerprint exponential_of_monomial(const Fingerprint& monomial, const Rational& coefficient);

}  // namespace field
}  // namespace visviva
