// Rule (2): polynomials times exponentials, sines and cosines, circular or hyperbolic.
#include <algorithm>
#include <map>

#include "visviva/symbolic/integrate/integrate_laurent.h"
#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

// Terms of one growth and angle.
struct Family {
  Wave wave;     // its even member: cos, cosh or 1
  Laurent s, c;  // of sin or sinh, and of the even member
};

Op even_of(Op op) {
  if (op == Op::sin) return Op::cos;
  if (op == Op::sinh) return Op::cosh;
  return op;
}

Wave odd_of(Wave even) {
  even.op = even.op == Op::cosh ? Op::sinh : Op::sin;
  return even;
}

// The term is c x^n times a wave of the family.
void add_term(Family* family, std::int64_t n, const WaveTerm& term) {
  const bool odd = even_of(term.wave.op) != term.wave.op;
  add_to(odd ? &family->s : &family->c, n, term.rest.coefficient);
}

// The coefficients of x^j in f and g, from those of x^j in s and c.
struct Pair {
  Expr f, g;
};

// f sin B + g cos B, from the highest degree down; (f x^j)' reaches degree j - 1.
std::optional<Expr> integrate_family(const Family& family, Integration& in) {
  const Wave& wave = family.wave;
  const Expr a = in.derivative(wave.growth), b = in.derivative(wave.angle);
  const bool hyperbolic = wave.op == Op::cosh;
  const Expr square = hyperbolic ? b * b : a * a + b * b;
  const auto solve = [&](const Expr& S, const Expr& C) -> Pair {
    if (hyperbolic) return {C / b, S / b};
    if (b.is_zero()) return {in.zero(), C / a};
    return {(a * S + b * C) / square, (a * C - b * S) / square};
  };
  Laurent s = family.s, c = family.c, f, g;
  const auto top = [](const Laurent& p) { return p.empty() ? -max_laurent - 1 : p.begin()->first; };
  const auto lowest = [](const Laurent& p) { return p.empty() ? max_laurent : p.rbegin()->first; };
  const std::int64_t bottom = std::min({lowest(s), lowest(c), std::int64_t{0}});
  for (std::int64_t j = std::max(top(s), top(c)); j >= bottom; --j) {
    const Expr S = coefficient(s, j, in.pool), C = coefficient(c, j, in.pool);
    if (S.is_zero() && C.is_zero()) continue;
    const auto [fj, gj] = solve(S, C);
    if (j == bottom && bottom < 0) return std::nullopt;  // its derivative would be lower still
    s.erase(j);
    c.erase(j);
    add_to(&f, j, fj);
    add_to(&g, j, gj);
    if (j == 0) continue;
    add_to(&s, j - 1, -(fj * static_cast<double>(j)));
    add_to(&c, j - 1, -(gj * static_cast<double>(j)));
  }
  if (!s.empty() || !c.empty()) return std::nullopt;
  Expr F = in.zero();
  if (!f.empty()) F += evaluate_at(f, in.x) * odd_of(wave).build();
  if (!g.empty()) F += evaluate_at(g, in.x) * wave.build();
  return F;
}

void give_back(const Family& family, std::vector<WaveTerm>* terms, const Expr& x) {
  const auto append = [&](const Laurent& p, const Wave& wave) {
    for (const auto& [n, coefficient] : p) {
      WaveTerm term{{coefficient, {}}, wave};
      if (n != 0)
        term.rest.factors.push_back({x, x.pool().one() * static_cast<double>(n), PowerKind::plain});
      terms->push_back(term);
    }
  };
  append(family.s, odd_of(family.wave));
  append(family.c, family.wave);
}

}  // namespace

void integrate_waves(std::vector<WaveTerm>* terms, Expr* sum, Integration& in) {
  std::map<std::vector<std::uint64_t>, Family> families;
  std::vector<WaveTerm> others;
  for (const WaveTerm& term : *terms) {
    const auto n = power_of(in.x, term.rest);
    if (!n || term.wave.is_one()) {
      others.push_back(term);
      continue;
    }
    WaveTerm even{{in.one(), {}}, term.wave};
    even.wave.op = even_of(even.wave.op);
    Family& family = families[key_of(even, in)];
    family.wave = even.wave;
    add_term(&family, *n, term);
  }
  for (const auto& entry : families) {
    const Family& family = entry.second;
    if (const auto F = integrate_family(family, in)) {
      *sum += *F;
    } else {
      give_back(family, &others, in.x);
    }
  }
  *terms = others;
}

}  // namespace visviva
