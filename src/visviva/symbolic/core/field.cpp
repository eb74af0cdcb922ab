#include "visviva/symbolic/core/field.h"

#include <numeric>

namespace visviva {
namespace {

using U64 = std::uint64_t;
using U128 = UInt128;

// 2^128 mod p: turns an integer into Montgomery form with one multiplication.
constexpr std::array<U64, 2> montgomery_square = {1294449832214182075u, 872611883331587829u};

U64 multiply(U64 a, U64 b, int k) {
  const auto i = static_cast<std::size_t>(k);
  return field::multiply_lane(a, b, field::prime[i], field::neg_inverse[i]);
}
U64 modulus(int k) { return field::prime[static_cast<std::size_t>(k)]; }
U64 to_montgomery(U64 n, int k) {
  return multiply(n % modulus(k), montgomery_square[static_cast<std::size_t>(k)], k);
}
U64 from_montgomery(U64 n, int k) { return multiply(n, 1, k); }

U64 power_lane(U64 base, U64 exponent, int k) {
  U64 result = to_montgomery(1, k);
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1u) result = multiply(result, base, k);
    base = multiply(base, base, k);
  }
  return result;
}

U64 mix(U64 x) {  // finalizer of splitmix64 (Steele, Lea, Flood 2014)
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// 128 well mixed bits from a tag and four words, reduced to [0, bound).
U64 scramble_lane(U64 tag, const Fingerprint& a, const Fingerprint& b, int k, U64 bound) {
  U64 h = mix(tag * 2 + static_cast<U64>(k) + 0x5bd1e995u);
  U64 g = mix(h ^ 0x2545f4914f6cdd1du);
  for (const U64 word : {a.lane[0], a.lane[1], b.lane[0], b.lane[1]}) {
    h = mix(h ^ word);
    g = mix(g + word * 0xd6e8feb86659fd93u);
  }
  // The fraction (h 2^64 + g)/2^128 of the bound.
  return static_cast<U64>((static_cast<U128>(h) * bound + (static_cast<U128>(g) * bound >> 64)) >>
                          64);
}

// (n mod m) * a mod m for a signed n.
U64 scale_modulo(std::int64_t n, U64 a, U64 m) {
  const Int128 reduced = static_cast<Int128>(n) % static_cast<Int128>(m);
  const U128 factor = static_cast<U128>(reduced < 0 ? reduced + static_cast<Int128>(m) : reduced);
  return static_cast<U64>(factor * a % m);
}

struct Complex {
  U64 re;
  U64 im;
};

Complex multiply(const Complex& x, const Complex& y, int k) {
  const U64 p = modulus(k);
  const U64 rr = multiply(x.re, y.re, k), ii = multiply(x.im, y.im, k);
  const U64 ri = multiply(x.re, y.im, k), ir = multiply(x.im, y.re, k);
  return {field::add_lane(rr, ii == 0 ? 0 : p - ii, p), field::add_lane(ri, ir, p)};
}

// A generator of the circle group whose (p+1)/4-th power is i: the rational point of parameter s.
Complex circle_generator(int k) {
  const std::int64_t s = k == 0 ? -4 : -5;
  const auto lane = static_cast<std::size_t>(k);
  const U64 denominator = field::inverse(field::from_integer(1 + s * s)).lane[lane];
  return {multiply(field::from_integer(1 - s * s).lane[lane], denominator, k),
          multiply(field::from_integer(2 * s).lane[lane], denominator, k)};
}

// Powers g^(j 16^w), so that a power costs sixteen products.
struct CirclePowers {
  Complex entry[2][16][16];
  CirclePowers() {
    for (int k = 0; k < 2; ++k) {
      Complex base = circle_generator(k);
      for (auto& window : entry[k]) {
        window[0] = {to_montgomery(1, k), 0};
        for (int j = 1; j < 16; ++j) window[j] = multiply(window[j - 1], base, k);
        base = multiply(window[15], base, k);
      }
    }
  }
};

}  // namespace

std::optional<Rational> make_rational(Int128 num, Int128 den) {
  if (den == 0) return std::nullopt;
  if (den < 0) {
    num = -num;
    den = -den;
  }
  Int128 a = num < 0 ? -num : num, b = den;
  while (b != 0) {
    const Int128 r = a % b;
    a = b;
    b = r;
  }
  num /= a;
  den /= a;
  constexpr Int128 limit = INT64_MAX;
  if (num > limit || num < -limit || den > limit) return std::nullopt;
  return Rational{static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
}

std::optional<Rational> add(const Rational& a, const Rational& b) {
  // The cross products of 63-bit integers need 127 bits with their sum: check before adding.
  const Int128 x = static_cast<Int128>(a.num) * b.den, y = static_cast<Int128>(b.num) * a.den;
  Int128 sum = 0;
  if (__builtin_add_overflow(x, y, &sum)) return std::nullopt;
  return make_rational(sum, static_cast<Int128>(a.den) * b.den);
}

std::optional<Rational> multiply(const Rational& a, const Rational& b) {
  return make_rational(static_cast<Int128>(a.num) * b.num, static_cast<Int128>(a.den) * b.den);
}

std::optional<Rational> divide(const Rational& a, const Rational& b) {
  return make_rational(static_cast<Int128>(a.num) * b.den, static_cast<Int128>(a.den) * b.num);
}

namespace field {

Fingerprint inverse(const Fingerprint& a) {
  return {{power_lane(a.lane[0], prime[0] - 2, 0), power_lane(a.lane[1], prime[1] - 2, 1)}};
}

Fingerprint from_integer(std::int64_t n) {
  const U64 magnitude = n < 0 ? U64{0} - static_cast<U64>(n) : static_cast<U64>(n);
  const Fingerprint f{{to_montgomery(magnitude, 0), to_montgomery(magnitude, 1)}};
  return n < 0 ? negate(f) : f;
}

Fingerprint from_rational(const Rational& r) {
  const Fingerprint num = from_integer(r.num);
  return r.den == 1 ? num : multiply(num, inverse(from_integer(r.den)));
}

Fingerprint power_of_ten(int exponent) {
  const U64 n = static_cast<U64>(exponent < 0 ? -exponent : exponent);
  const Fingerprint power{
      {power_lane(to_montgomery(10, 0), n, 0), power_lane(to_montgomery(10, 1), n, 1)}};
  return exponent < 0 ? inverse(power) : power;
}

std::optional<Rational> recognize_rational(const Fingerprint& a) {
  constexpr std::int64_t den = 360360;  // lcm(1..15)
  constexpr U64 limit = U64{1} << 40;
  static const Fingerprint scale = from_integer(den);
  // One lane decides almost always; the other confirms.
  U64 n = from_montgomery(multiply_lane(a.lane[0], scale.lane[0], prime[0], neg_inverse[0]), 0);
  const bool negative = n > prime[0] / 2;
  if (negative) n = prime[0] - n;
  if (n >= limit) return std::nullopt;
  const auto num = static_cast<std::int64_t>(n);
  const auto found = make_rational(negative ? -num : num, den);
  if (!found || from_rational(*found) != a) return std::nullopt;
  return found;
}

bool is_canonical(const Fingerprint& a) {
  if (a.lane[0] != 0) return a.lane[0] < prime[0] - a.lane[0];
  return a.lane[1] != 0 && a.lane[1] < prime[1] - a.lane[1];
}

Fingerprint scramble(std::uint64_t tag, const Fingerprint& a, const Fingerprint& b) {
  // From 1 to p-1: an opaque value is never zero.
  return {{1 + scramble_lane(tag, a, b, 0, prime[0] - 1),
           1 + scramble_lane(tag, a, b, 1, prime[1] - 1)}};
}

Fingerprint pi() { return scramble(3, {}); }

CircleAngle add(const CircleAngle& a, const CircleAngle& b) {
  CircleAngle sum;
  for (std::size_t k = 0; k < 2; ++k) sum.lane[k] = add_lane(a.lane[k], b.lane[k], prime[k] + 1);
  return sum;
}

CircleAngle angle_of_monomial(const Fingerprint& monomial, const Rational& coefficient) {
  // h(-m) = -h(m): one atom serves a monomial and its negative.
  const bool flip = !is_canonical(monomial);
  const Fingerprint key = flip ? negate(monomial) : monomial;
  const std::int64_t n = flip ? -coefficient.num : coefficient.num;
  CircleAngle angle;
  for (int k = 0; k < 2; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const U64 order = prime[i] + 1;
    const U64 atom = scramble_lane(1, key, {}, k, order);
    const U64 part = scale_modulo(angle_resolution / coefficient.den, atom, order);
    angle.lane[i] = scale_modulo(n, part, order);
  }
  return angle;
}

std::optional<CircleAngle> angle_of_pi(const Rational& r) {
  CircleAngle angle;
  for (std::size_t k = 0; k < 2; ++k) {
    const U64 half_turn = (prime[k] + 1) / 2;
    const auto den = static_cast<U64>(r.den);
    if (half_turn % den != 0) return std::nullopt;
    angle.lane[k] = scale_modulo(r.num, half_turn / den, prime[k] + 1);
  }
  return angle;
}

CosSin cos_sin(const CircleAngle& angle) {
  static const CirclePowers powers;
  CosSin result;
  for (int k = 0; k < 2; ++k) {
    const auto i = static_cast<std::size_t>(k);
    Complex z{to_montgomery(1, k), 0};
    U64 exponent = angle.lane[i];
    for (int w = 0; exponent != 0; ++w, exponent >>= 4)
      z = multiply(z, powers.entry[k][w][exponent & 15u], k);
    result.cos.lane[i] = z.re;
    result.sin.lane[i] = z.im;
  }
  return result;
}

namespace {

Fingerprint scale(std::int64_t n, const Fingerprint& a) { return multiply(from_integer(n), a); }

Fingerprint cosine_of_pi_over(std::int64_t n) { return cos_sin(*angle_of_pi({1, n})).cos; }

// The roots of 2, 3 and 5 are sums of cosines and must be those; the root of any other prime is
// independent of all angles that the circle groups know, so that either sign is right.
std::optional<Fingerprint> root_of_prime(std::int64_t n) {
  if (n == 2) return scale(2, cosine_of_pi_over(4));
  if (n == 3) return scale(2, cosine_of_pi_over(6));
  if (n == 5) return subtract(scale(4, cosine_of_pi_over(5)), from_integer(1));
  const Fingerprint value = from_integer(n);
  // Both primes are 3 mod 4: a square's root is its (p+1)/4-th power.
  const Fingerprint root{{power_lane(value.lane[0], (prime[0] + 1) / 4, 0),
                          power_lane(value.lane[1], (prime[1] + 1) / 4, 1)}};
  if (multiply(root, root) != value) return std::nullopt;
  return root;
}

}  // namespace

std::optional<Fingerprint> square_root(std::int64_t n) {
  constexpr std::int64_t limit = 1'000'000'000;  // a few ten thousand divisions at most
  if (n <= 0 || n > limit) return std::nullopt;
  Fingerprint root = from_integer(1);
  for (std::int64_t d = 2; n > 1; ++d) {
    if (d * d > n) d = n;
    for (; n % (d * d) == 0; n /= d * d) root = scale(d, root);
    if (n % d != 0) continue;
    const auto prime_root = root_of_prime(d);
    if (!prime_root) return std::nullopt;
    root = multiply(root, *prime_root);
    n /= d;
  }
  return root;
}

Fingerprint exponential_of_monomial(const Fingerprint& monomial, const Rational& coefficient) {
  const bool flip = !is_canonical(monomial);
  const Fingerprint key = flip ? negate(monomial) : monomial;
  const std::int64_t n = flip ? -coefficient.num : coefficient.num;
  Fingerprint result;
  for (int k = 0; k < 2; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const U64 order = prime[i] - 1;
    const U64 atom = scramble_lane(2, key, {}, k, order);
    const U64 part = scale_modulo(angle_resolution / coefficient.den, atom, order);
    const U64 generator = to_montgomery(k == 0 ? 17 : 7, k);  // primitive roots of p0 and p1
    result.lane[i] = power_lane(generator, scale_modulo(n, part, order), k);
  }
  return result;
}

}  // namespace field
}  // namespace visviva
