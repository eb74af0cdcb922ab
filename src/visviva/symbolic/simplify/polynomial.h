// Sparse polynomials over the fractions in numbered generators: what expressions become to be
// printed shorter.
//
// All work is paid from a Budget; an operation that would outgrow it throws TooLarge before it
// starts.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "visviva/base/small_vector.h"
#include "visviva/symbolic/core/field.h"
#include "visviva/symbolic/form/form.h"

namespace visviva {

/// Limits of one polynomial, and what may still be spent on all of them. Counted, not timed: output
/// never varies.
struct Budget {
  std::size_t max_terms = 200;
  std::uint32_t max_degree = 24;
  std::size_t max_generators = 24;
  std::size_t work = 2'000'000;  ///< in term operations; some 20 to 100 ns each

  /// Spends work; TooLarge when so much is no longer left.
  void spend(std::size_t amount);
};

/// The number, if it did not overflow; TooLarge if it did.
Rational checked(const std::optional<Rational>& r);

/// A product of powers: generator and exponent pairs, sorted by generator, exponents positive.
using Monomial = SmallVector<std::pair<std::uint32_t, std::uint32_t>, 6>;

std::uint32_t degree(const Monomial& m);
std::uint32_t exponent_of(const Monomial& m, std::uint32_t generator);
/// The monomial m with the exponent of one generator set.
Monomial with_exponent(const Monomial& m, std::uint32_t generator, std::uint32_t exponent);
Monomial multiply(const Monomial& a, const Monomial& b);
bool divides(const Monomial& divisor, const Monomial& m);
/// The monomial m / divisor, which must divide.
Monomial divide(const Monomial& m, const Monomial& divisor);
Monomial common_divisor(const Monomial& a, const Monomial& b);

/// A sum of monomials with coefficients.
class Polynomial {
 public:
  using Terms = std::vector<std::pair<Monomial, Rational>>;  ///< sorted, coefficients not 0

  Polynomial() = default;  ///< zero
  Polynomial(const Rational& c, Monomial m = {});

  const Terms& terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }
  bool is_zero() const { return terms_.empty(); }
  /// The coefficient of a monomial; 0 when it is absent.
  Rational coefficient(const Monomial& m) const;
  /// Adds to a coefficient. TooLarge when one overflows, here and below.
  void add(const Monomial& m, const Rational& c);
  void set(const Monomial& m, const Rational& c);

  friend bool operator==(const Polynomial&, const Polynomial&) = default;

 private:
  /// Where a monomial is, or would be.
  Terms::iterator place_of(const Monomial& m);
  void put(Terms::iterator place, const Monomial& m, const Rational& c);

  Terms terms_;
};

/// Adds one to another.
void add_to(Polynomial* sum, const Polynomial& a, Budget& budget);
Polynomial add(const Polynomial& a, const Polynomial& b, Budget& budget);
Polynomial multiply(const Polynomial& a, const Polynomial& b, Budget& budget);
Polynomial scale(const Polynomial& a, const Rational& c, const Monomial& m = {});
/// A polynomial divided by a monomial that divides each of its terms.
Polynomial divide(const Polynomial& a, const Monomial& m);

/// The largest monomial that divides every term.
Monomial common_monomial(const Polynomial& a);
/// The number c for which a/c has whole, coprime coefficients and a positive first one; 1 for zero.
Rational content(const Polynomial& a);
std::vector<std::uint32_t> generators_of(const Polynomial& a);

// ---- By FLINT (polynomial_flint.cpp)

/// The greatest common divisor, with content 1.
Polynomial greatest_common_divisor(const Polynomial& a, const Polynomial& b, Budget& budget);
/// The polynomial a / b, where b divides a. InternalError where it does not.
Polynomial divide_exactly(const Polynomial& a, const Polynomial& b, Budget& budget);

/// A polynomial as constant * product of factors^exponent; each factor irreducible, with content 1.
struct Factorization {
  Rational constant{1, 1};
  std::vector<std::pair<Polynomial, std::int64_t>> factors;
};
Factorization factor(const Polynomial& a, Budget& budget);

}  // namespace visviva
