// Greatest common divisors, exact division and factors of polynomials, by FLINT.
//
// Sizes are checked before FLINT is called and its answers after: nothing here can end the process.
#include <flint/fmpz.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/symbolic/simplify/polynomial.h"

namespace visviva {
namespace {

// The generators of some polynomials as the variables of a FLINT ring.
class Ring {
 public:
  Ring(std::vector<std::uint32_t> generators) : generators_(std::move(generators)) {
    fmpz_mpoly_ctx_init(context_, std::max<slong>(1, static_cast<slong>(generators_.size())),
                        ORD_LEX);
  }
  ~Ring() { fmpz_mpoly_ctx_clear(context_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  const fmpz_mpoly_ctx_struct* context() const { return context_; }
  std::size_t variable_count() const { return std::max<std::size_t>(1, generators_.size()); }
  std::size_t variable(std::uint32_t generator) const {
    return static_cast<std::size_t>(
        std::lower_bound(generators_.begin(), generators_.end(), generator) - generators_.begin());
  }
  std::uint32_t generator(std::size_t variable) const { return generators_[variable]; }

 private:
  std::vector<std::uint32_t> generators_;
  fmpz_mpoly_ctx_t context_;
};

class Integer {
 public:
  Integer() { fmpz_init(value_); }
  explicit Integer(std::int64_t n) { fmpz_init_set_si(value_, n); }
  ~Integer() { fmpz_clear(value_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  fmpz* raw() { return value_; }
  std::int64_t small() const {
    if (fmpz_bits(value_) > 62) throw TooLarge();
    return fmpz_get_si(value_);
  }

 private:
  fmpz_t value_;
};

// A polynomial with whole coefficients in FLINT's hands.
class RingElement {
 public:
  explicit RingElement(const Ring& ring) : ring_(ring) { fmpz_mpoly_init(value_, ring.context()); }
  // The primitive part of `a`.
  RingElement(const Ring& ring, const Polynomial& a) : RingElement(ring) {
    const Polynomial whole = scale(a, *divide({1, 1}, content(a)));
    std::vector<ulong> exponents(ring.variable_count());
    for (const auto& [m, c] : whole.terms()) {
      std::fill(exponents.begin(), exponents.end(), 0);
      for (const auto& [generator, exponent] : m) exponents[ring.variable(generator)] = exponent;
      Integer coefficient(c.num);
      fmpz_mpoly_push_term_fmpz_ui(value_, coefficient.raw(), exponents.data(), ring.context());
    }
    fmpz_mpoly_sort_terms(value_, ring.context());
  }
  ~RingElement() { fmpz_mpoly_clear(value_, ring_.context()); }
  RingElement(const RingElement&) = delete;
  RingElement& operator=(const RingElement&) = delete;

  fmpz_mpoly_struct* raw() { return value_; }

 private:
  const Ring& ring_;
  fmpz_mpoly_t value_;
};

Polynomial polynomial_from(const Ring& ring, const fmpz_mpoly_struct* a) {
  Polynomial result;
  std::vector<ulong> exponents(ring.variable_count());
  Integer coefficient;
  for (slong i = 0; i < fmpz_mpoly_length(a, ring.context()); ++i) {
    fmpz_mpoly_get_term_coeff_fmpz(coefficient.raw(), a, i, ring.context());
    fmpz_mpoly_get_term_exp_ui(exponents.data(), a, i, ring.context());
    Monomial m;
    for (std::size_t v = 0; v < exponents.size(); ++v) {
      if (exponents[v] > 0)
        m.emplace_back(ring.generator(v), static_cast<std::uint32_t>(exponents[v]));
    }
    result.set(m, {coefficient.small(), 1});
  }
  return result;
}

std::vector<std::uint32_t> joint_generators(const Polynomial& a, const Polynomial& b) {
  std::vector<std::uint32_t> all = generators_of(a);
  const std::vector<std::uint32_t> more = generators_of(b);
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Price of a call to FLINT on polynomials of so many terms and generators.
void reserve(Budget& budget, std::size_t terms, std::size_t generators) {
  if (generators > budget.max_generators) throw TooLarge();
  budget.spend(200 + 20 * terms * (1 + generators));
}

}  // namespace

Polynomial greatest_common_divisor(const Polynomial& a, const Polynomial& b, Budget& budget) {
  const Ring ring(joint_generators(a, b));
  reserve(budget, a.size() + b.size(), ring.variable_count());
  RingElement x(ring, a), y(ring, b), g(ring);
  if (fmpz_mpoly_gcd(g.raw(), x.raw(), y.raw(), ring.context()) == 0) throw TooLarge();
  const Polynomial divisor = polynomial_from(ring, g.raw());
  return scale(divisor, *divide({1, 1}, content(divisor)));
}

Polynomial divide_exactly(const Polynomial& a, const Polynomial& b, Budget& budget) {
  const Ring ring(joint_generators(a, b));
  reserve(budget, a.size() + b.size(), ring.variable_count());
  RingElement x(ring, a), y(ring, b), q(ring);
  if (fmpz_mpoly_divides(q.raw(), x.raw(), y.raw(), ring.context()) == 0) {
    throw InternalError("divide_exactly: the divisor does not divide");
  }
  const auto ratio = divide(content(a), content(b));
  if (!ratio) throw TooLarge();
  return scale(polynomial_from(ring, q.raw()), *ratio);
}

Factorization factor(const Polynomial& a, Budget& budget) {
  const Ring ring(generators_of(a));
  reserve(budget, 4 * a.size(), ring.variable_count());
  RingElement x(ring, a);

  struct Factors {
    explicit Factors(const Ring& r) : ring(r) { fmpz_mpoly_factor_init(raw, r.context()); }
    ~Factors() { fmpz_mpoly_factor_clear(raw, ring.context()); }
    Factors(const Factors&) = delete;
    Factors& operator=(const Factors&) = delete;
    const Ring& ring;
    fmpz_mpoly_factor_t raw;
  } found(ring);
  if (fmpz_mpoly_factor(found.raw, x.raw(), ring.context()) == 0) throw TooLarge();

  // Signs of factors are put right one by one; what is left over is the constant.
  Factorization result;
  Integer constant;
  fmpz_mpoly_factor_get_constant_fmpz(constant.raw(), found.raw, ring.context());
  std::int64_t sign = constant.small();
  RingElement base(ring);
  for (slong i = 0; i < fmpz_mpoly_factor_length(found.raw, ring.context()); ++i) {
    fmpz_mpoly_factor_get_base(base.raw(), found.raw, i, ring.context());
    const std::int64_t exponent = fmpz_mpoly_factor_get_exp_si(found.raw, i, ring.context());
    Polynomial p = polynomial_from(ring, base.raw());
    const Rational c = content(p);
    if (c.num < 0 && exponent % 2 != 0) sign = -sign;
    result.factors.emplace_back(scale(p, *divide({1, 1}, c)), exponent);
  }
  const auto whole = multiply(content(a), {sign, 1});
  if (!whole) throw TooLarge();
  result.constant = *whole;
  return result;
}

}  // namespace visviva
