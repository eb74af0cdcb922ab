#include "visviva/symbolic/core/field.h"

#include <gtest/gtest.h>

#include <random>

namespace visviva {
namespace {

using U64 = std::uint64_t;

constexpr U64 seed = 20240101;

U64 modular_product(U64 a, U64 b, U64 m) {
  return static_cast<U64>(static_cast<UInt128>(a) * b % m);
}

U64 modular_power(U64 base, U64 exponent, U64 m) {
  U64 result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1u) != 0) result = modular_product(result, base, m);
    base = modular_product(base, base, m);
  }
  return result;
}

// The integer behind a lane in Montgomery form, by plain arithmetic: lane * 2^-64.
U64 plain(const Fingerprint& f, std::size_t k) {
  const U64 p = field::prime[k];
  const U64 radix = static_cast<U64>((static_cast<UInt128>(1) << 64) % p);
  return modular_product(f.lane[k], modular_power(radix, p - 2, p), p);
}

// Miller-Rabin with the first twelve primes is a proof below 3.3e24 (Sorenson, Webster 2015).
bool is_prime(U64 n) {
  U64 d = n - 1;
  int twos = 0;
  for (; d % 2 == 0; d /= 2) ++twos;
  for (const U64 base : {2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u, 37u}) {
    if (n == base) return true;
    U64 x = modular_power(base, d, n);
    bool passes = x == 1 || x == n - 1;
    for (int i = 1; i < twos && !passes; ++i) {
      x = modular_product(x, x, n);
      passes = x == n - 1;
    }
    if (!passes) return false;
  }
  return true;
}

U64 product(const std::vector<U64>& factors) {
  U64 result = 1;
  for (const U64 f : factors) result *= f;
  return result;
}

TEST(Field, the_moduli_are_primes_that_leave_three_modulo_four) {
  for (const U64 p : field::prime) {
    EXPECT_TRUE(is_prime(p));
    EXPECT_EQ(p % 4, 3u);
  }
}

TEST(Field, the_stated_factors_of_the_circle_orders_are_right) {
  EXPECT_EQ(field::prime[0] + 1, (U64{1} << 41) * 81 * 25 * 11 * 47);
  EXPECT_EQ(field::prime[1] + 1, (U64{1} << 34) * 243 * 25 * 22093);
}

TEST(Field, montgomery_arithmetic_agrees_with_128_bit_division) {
  std::mt19937_64 random(seed);
  SCOPED_TRACE(seed);
  for (int i = 0; i < 2000; ++i) {
    const auto x = static_cast<std::int64_t>(random() >> 1),
               y = static_cast<std::int64_t>(random() >> 1);
    const Fingerprint f = field::from_integer(x), g = field::from_integer(y);
    const Fingerprint negative = field::from_integer(-x);
    const Fingerprint sum = field::add(f, g), difference = field::subtract(f, g),
                      times = field::multiply(f, g);
    for (std::size_t k = 0; k < 2; ++k) {
      const U64 p = field::prime[k], u = static_cast<U64>(x) % p, v = static_cast<U64>(y) % p;
      EXPECT_EQ(plain(f, k), u);
      EXPECT_EQ(plain(negative, k), (p - u) % p);
      EXPECT_EQ(plain(sum, k), static_cast<U64>((static_cast<UInt128>(u) + v) % p));
      EXPECT_EQ(plain(difference, k), static_cast<U64>((static_cast<UInt128>(u) + p - v) % p));
      EXPECT_EQ(plain(times, k), modular_product(u, v, p));
    }
  }
}

TEST(Field, a_value_times_its_inverse_is_one) {
  std::mt19937_64 random(seed);
  SCOPED_TRACE(seed);
  const Fingerprint one = field::from_integer(1);
  for (int i = 0; i < 200; ++i) {
    const Fingerprint f = field::from_integer(static_cast<std::int64_t>(random() >> 2));
    EXPECT_EQ(field::multiply(f, field::inverse(f)), one);
  }
}

TEST(Field, exactly_one_of_a_value_and_its_negative_is_canonical) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 200; ++i) {
    const Fingerprint f = field::scramble(random(), {});
    EXPECT_NE(field::is_canonical(f), field::is_canonical(field::negate(f)));
  }
  EXPECT_FALSE(field::is_canonical({}));
}

TEST(Field, powers_of_ten_multiply_to_one_with_their_reciprocals) {
  for (const int n : {0, 1, 18, 19, 100, 308}) {
    EXPECT_EQ(field::multiply(field::power_of_ten(n), field::power_of_ten(-n)),
              field::from_integer(1));
  }
  EXPECT_EQ(field::power_of_ten(18), field::from_integer(1000000000000000000));
}

TEST(Field, small_fractions_are_recognized_and_random_values_are_not) {
  for (std::int64_t num = -20; num <= 20; ++num) {
    for (std::int64_t den = 1; den <= 15; ++den) {
      const auto r = make_rational(num, den);
      EXPECT_EQ(field::recognize_rational(field::from_rational(*r)), r);
    }
  }
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1000; ++i)
    EXPECT_FALSE(field::recognize_rational(field::scramble(random(), {})));
}

// ---- The circle group: (cos, sin) of k/(p+1) turns is the k-th power of a generator

bool is_unit_turn(const field::CosSin& z) {
  return z.cos == field::from_integer(1) && z.sin.is_zero();
}

TEST(CircleGroup, every_element_lies_on_the_circle) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 200; ++i) {
    const field::CosSin z =
        field::cos_sin({{random() % field::prime[0], random() % field::prime[1]}});
    const Fingerprint norm =
        field::add(field::multiply(z.cos, z.cos), field::multiply(z.sin, z.sin));
    EXPECT_EQ(norm, field::from_integer(1));
  }
}

// An element has the order n when its n-th power is one and no n/q-th power is, q a prime factor of
// n.
TEST(CircleGroup, the_generators_have_the_full_order) {
  const std::vector<std::vector<U64>> factors = {{2, 3, 5, 11, 47}, {2, 3, 5, 22093}};
  for (std::size_t k = 0; k < 2; ++k) {
    const U64 order = field::prime[k] + 1;
    for (const U64 q : factors[k]) {
      CircleAngle angle;
      angle.lane[k] = order / q;
      const field::CosSin z = field::cos_sin(angle);
      EXPECT_FALSE(z.cos.lane[k] == field::from_integer(1).lane[k] && z.sin.lane[k] == 0) << q;
    }
    CircleAngle full;
    full.lane[k] = order;
    EXPECT_TRUE(is_unit_turn(field::cos_sin(full)));
  }
}

TEST(CircleGroup, a_quarter_turn_has_cosine_zero_and_sine_one) {
  const field::CosSin z = field::cos_sin(*field::angle_of_pi({1, 2}));
  EXPECT_TRUE(z.cos.is_zero());
  EXPECT_EQ(z.sin, field::from_integer(1));
}

TEST(CircleGroup, sums_of_angles_are_products_of_points) {
  std::mt19937_64 random(seed);
  SCOPED_TRACE(seed);
  for (int i = 0; i < 200; ++i) {
    const CircleAngle a{{random() % field::prime[0], random() % field::prime[1]}};
    const CircleAngle b{{random() % field::prime[0], random() % field::prime[1]}};
    const field::CosSin x = field::cos_sin(a), y = field::cos_sin(b),
                        z = field::cos_sin(field::add(a, b));
    EXPECT_EQ(z.cos, field::subtract(field::multiply(x.cos, y.cos), field::multiply(x.sin, y.sin)));
    EXPECT_EQ(z.sin, field::add(field::multiply(x.sin, y.cos), field::multiply(x.cos, y.sin)));
  }
}

TEST(CircleGroup, has_every_hundredth_of_a_degree_that_both_orders_divide_and_no_seventh_of_pi) {
  EXPECT_TRUE(field::angle_of_pi({1, 180}));
  EXPECT_TRUE(field::angle_of_pi({1, 1 << 20}));
  EXPECT_FALSE(field::angle_of_pi({1, 7}));
}

// ---- exp: powers of a primitive root

// A base lacks a prime factor q of p - 1 in its order when all its powers are q-th powers.
TEST(ExponentialGroup, the_bases_are_primitive_roots) {
  const std::vector<std::vector<U64>> factors = {{2, 13, 19, 29, 43, 73, 1259, 1499, 27127},
                                                 {2, 17, 714139, 94964034973}};
  for (std::size_t k = 0; k < 2; ++k) {
    const U64 p = field::prime[k];
    ASSERT_EQ(product(factors[k]), p - 1);
    for (const U64 q : factors[k]) {
      bool reached = false;
      for (U64 i = 0; i < 60 && !reached; ++i) {
        const Fingerprint power =
            field::exponential_of_monomial(field::scramble(i, {}), {1, field::angle_resolution});
        reached = modular_power(plain(power, k), (p - 1) / q, p) != 1;
      }
      EXPECT_TRUE(reached) << q;
    }
  }
}

TEST(ExponentialGroup, sums_of_arguments_are_products) {
  const Fingerprint x = field::scramble(99, {});
  const Fingerprint third = field::exponential_of_monomial(x, {1, 3}),
                    half = field::exponential_of_monomial(x, {1, 2});
  EXPECT_EQ(field::exponential_of_monomial(x, {5, 6}), field::multiply(third, half));
  EXPECT_EQ(field::exponential_of_monomial(field::negate(x), {1, 3}), field::inverse(third));
}

// ---- Rationals

TEST(Rational, results_that_do_not_fit_are_refused) {
  const Rational big{INT64_MAX, 1}, tiny{1, INT64_MAX};
  EXPECT_FALSE(add(big, big));
  EXPECT_FALSE(multiply(big, big));
  EXPECT_FALSE(divide(big, tiny));
  EXPECT_FALSE(make_rational(1, 0));
  EXPECT_EQ(*add({1, 6}, {1, 3}), (Rational{1, 2}));
  EXPECT_EQ(*divide({1, 2}, {-3, 4}), (Rational{-2, 3}));
}

}  // namespace
}  // namespace visviva
