// Rules (3) and (4): polynomials times a power of a polynomial.
#include <algorithm>
#include <array>
#include <map>

#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/integrate/integrate_laurent.h"
#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

constexpr int max_shift = 4;  // between the powers of S in a sum
constexpr int max_steps = 4;  // of (4)

// P S^exponent, S the base as a polynomial.
struct Algebraic {
  Expr base, exponent;
  Laurent S, P;
};

std::optional<Laurent> as_polynomial(const Expr& e, Integration& in) {
  const auto terms = in.expander.distribute({{in.one(), {{e, in.one(), PowerKind::plain}}}});
  if (!terms) return std::nullopt;
  Laurent result;
  for (const ProductTerm& t : *terms) {
    const auto n = power_of(in.x, t);
    if (!n || *n < 0) return std::nullopt;
    add_to(&result, *n, t.coefficient);
  }
  return result;
}

// The term as c x^n S^e.
std::optional<Algebraic> as_algebraic(const WaveTerm& term, Integration& in) {
  if (!term.wave.is_one()) return std::nullopt;
  Algebraic result;
  std::int64_t n = 0;
  for (const PowerFactor& f : term.rest.factors) {
    if (f.kind != PowerKind::plain) return std::nullopt;
    const auto k = integer_of(f.exponent);
    if (f.base == in.x && k && *k > 0 && *k < max_laurent) {
      n = *k;
    } else if (!result.base.valid() && op_of(f.base) == Op::add) {
      result.base = f.base;
      result.exponent = f.exponent;
    } else {
      return std::nullopt;
    }
  }
  if (!result.base.valid()) return std::nullopt;
  const auto S = as_polynomial(result.base, in);
  if (!S) return std::nullopt;
  result.S = *S;
  result.P = {{n, term.rest.coefficient}};
  return result;
}

// Both over the lower power of their base; false when the powers are too far apart.
bool add_addend(Algebraic* group, Algebraic addend) {
  auto shift = integer_of(addend.exponent - group->exponent);
  if (!shift || *shift > max_shift || *shift < -max_shift) return false;
  for (; *shift < 0; ++*shift) {
    group->P = multiply(group->P, group->S);
    group->exponent = group->exponent - 1;
  }
  for (; *shift > 0; --*shift) addend.P = multiply(addend.P, group->S);
  for (const auto& [i, a] : addend.P) add_to(&group->P, i, a);
  return true;
}

// (4); S is quadratic.
std::optional<Expr> integrate_quadratic(const Algebraic& power, const Expr& exponent, int steps,
                                        Integration& in) {
  const Laurent& S = power.S;
  const Expr s2 = coefficient(S, 2, in.pool), s1 = coefficient(S, 1, in.pool),
             s0 = coefficient(S, 0, in.pool);
  const Expr D = 4 * s2 * s0 - s1 * s1, slope = 2 * s2 * in.x + s1;
  const auto e = fraction_of(exponent);
  if (!e || e->den > 2 || D.is_zero() || steps == 0) return std::nullopt;
  if (e->den == 1 && e->num == -1) {
    // atan(x/a)/a is even in a. Where a moves through zero, atan2(x, a) does not jump.
    const Expr half = s1.is_zero() ? sqrt(s2 * s0) : sqrt(D) / 2;
    const Expr root = op_of(half) == Op::abs ? argument_of(half) : half;
    const bool moves =
        std::any_of(in.search.moving.begin(), in.search.moving.end(),
                    [&](const Expr& v) { return !(v == in.x) && depends_on(root, v); });
    return (moves ? atan2(slope / 2, root) : atan(slope / (2 * root))) / root;
  }
  if (e->den == 2 && e->num == -1) {
    const Expr root = sqrt(s2);
    return log(abs(slope / (2 * root) + sqrt(power.base))) / root;
  }
  const Expr next = exponent + 1;
  if (e->num < 0) {
    const Expr weight = (4 * exponent + 6) * s2;
    Expr F = -(slope * pow(power.base, next));
    if (!weight.is_zero()) {
      const auto rest = integrate_quadratic(power, next, steps - 1, in);
      if (!rest) return std::nullopt;
      F += weight * *rest;
    }
    return F / (next * D);
  }
  // The other way.
  const auto rest = integrate_quadratic(power, exponent - 1, steps - 1, in);
  if (!rest) return std::nullopt;
  return (exponent * D * *rest + slope * pow(power.base, exponent)) / ((4 * exponent + 2) * s2);
}

// (3): takes from P what it can, from the highest degree down, and returns its integral.
std::optional<Expr> reduce(Algebraic* power, Integration& in) {
  const Laurent& S = power->S;
  Laurent& P = power->P;
  const auto [d, lead] = *S.begin();
  const Expr next = power->exponent + 1;
  Laurent p;
  Expr logarithm = in.zero();
  while (!P.empty() && P.begin()->first >= d - 1) {
    const auto [degree, c] = *P.begin();
    const std::int64_t m = degree - (d - 1);
    if (degree > max_laurent) return std::nullopt;
    const Expr scale = lead * (next * static_cast<double>(d) + static_cast<double>(m));
    if (scale.is_zero()) {
      // e = -1: the logarithm of S.
      if (m != 0) return std::nullopt;
      const Expr weight = c / (lead * static_cast<double>(d));
      logarithm = weight * log(abs(power->base));
      for (const auto& [j, s] : S) {
        if (j > 0) add_to(&P, j - 1, -(weight * s * static_cast<double>(j)));
      }
      continue;
    }
    const Expr pm = c / scale;
    add_to(&p, m, pm);
    for (const auto& [j, s] : S) {
      const Expr part = s * (next * static_cast<double>(j) + static_cast<double>(m));
      if (j + m > 0) add_to(&P, j + m - 1, -(pm * part));
    }
    if (!P.empty() && P.begin()->first >= degree) return std::nullopt;
  }
  return evaluate_at(p, in.x) * pow(power->base, next) + logarithm;
}

std::optional<Expr> integrate_group(Algebraic group, Integration& in) {
  if (group.S.empty() || group.S.begin()->first < 1) return std::nullopt;
  const auto F = reduce(&group, in);
  if (!F || group.P.empty()) return F;
  if (group.S.begin()->first != 2) return std::nullopt;
  const auto rest = integrate_quadratic(group, group.exponent, max_steps, in);
  if (!rest) return std::nullopt;
  return *F + group.P.begin()->second * *rest;
}

}  // namespace

void integrate_algebraic(std::vector<WaveTerm>* terms, Expr* sum, Integration& in) {
  std::map<std::array<std::uint64_t, 2>, Algebraic> groups;  // by base
  for (const WaveTerm& term : *terms) {
    const auto addend = as_algebraic(term, in);
    if (!addend) return;
    const auto [place, fresh] = groups.try_emplace(addend->base.fingerprint().lane, *addend);
    if (!fresh && !add_addend(&place->second, *addend)) return;
  }
  Expr total = *sum;
  for (const auto& entry : groups) {
    const auto F = integrate_group(entry.second, in);
    if (!F) return;
    total += *F;
  }
  *sum = total;
  terms->clear();
}

}  // namespace visviva
