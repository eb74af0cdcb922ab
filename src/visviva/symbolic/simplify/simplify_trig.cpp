#include "visviva/symbolic/simplify/simplify_trig.h"

#include <algorithm>

namespace visviva {
namespace {

Rational negated(const Rational& r) { return {-r.num, r.den}; }

std::vector<Monomial> multiples_of(const Monomial& divisor, const Polynomial& p) {
  std::vector<Monomial> all;
  for (const auto& [m, c] : p.terms()) {
    if (divides(divisor, m)) all.push_back(m);
  }
  return all;
}

// ---- (1)

// The terms M, M g1^2, M g2^2, ... of one M.
struct Exchange {
  const SquareRelation& relation;
  std::vector<Monomial> monomials;  // M first
  std::vector<Rational> coefficients;

  Exchange(const Polynomial& p, const SquareRelation& r, const Monomial& m) : relation(r) {
    monomials.push_back(m);
    for (const auto& [g, sign] : r.members) monomials.push_back(multiply(m, {{g, 2}}));
    for (const Monomial& n : monomials) coefficients.push_back(p.coefficient(n));
  }

  std::vector<Rational> shifted(const Rational& t) const {
    std::vector<Rational> result{checked(add(coefficients[0], t))};
    for (std::size_t k = 0; k < relation.members.size(); ++k) {
      const Rational step = relation.members[k].second > 0 ? negated(t) : t;
      result.push_back(checked(add(coefficients[k + 1], step)));
    }
    return result;
  }

  // The t that leaves the fewest terms; 0 when none is better.
  Rational best_shift() const {
    const auto count = [](const std::vector<Rational>& c) {
      return std::count_if(c.begin(), c.end(), [](const Rational& r) { return r.num != 0; });
    };
    Rational best{0, 1};
    auto fewest = count(coefficients);
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      const bool keep = k > 0 && relation.members[k - 1].second > 0;
      const Rational t = keep ? coefficients[k] : negated(coefficients[k]);
      if (t.num == 0) continue;
      if (const auto n = count(shifted(t)); n < fewest) {
        fewest = n;
        best = t;
      }
    }
    return best;
  }
};

bool exchange_once(Polynomial* p, const SquareRelation& relation, Budget& budget) {
  for (const auto& [m, c] : p->terms()) {
    for (const auto& [g, sign] : relation.members) {
      const std::uint32_t n = exponent_of(m, g);
      if (n < 2) continue;
      budget.spend(4 * relation.members.size());
      const Exchange exchange(*p, relation, with_exponent(m, g, n - 2));
      const Rational t = exchange.best_shift();
      if (t.num == 0) continue;
      const std::vector<Rational> fresh = exchange.shifted(t);
      for (std::size_t k = 0; k < fresh.size(); ++k) p->set(exchange.monomials[k], fresh[k]);
      return true;
    }
  }
  return false;
}

// ---- (2) and (3)

// One of the four patterns: first and second term, and what their sum becomes for either sign of
// the second.
struct Pattern {
  Monomial first, second;
  bool is_sine;
  int angle_if_equal, angle_if_opposite;  // a + sign b
};

std::vector<Pattern> patterns(const Angle& a, const Angle& b) {
  const auto pair = [](std::uint32_t g, std::uint32_t h) {
    return multiply(Monomial{{g, 1}}, Monomial{{h, 1}});
  };
  const Pattern cosines{pair(a.cosine, b.cosine), pair(a.sine, b.sine), false, -1, 1};
  if (a.sine == b.sine) return {cosines};
  return {cosines, {pair(a.sine, b.cosine), pair(a.cosine, b.sine), true, 1, -1}};
}

class Recombination {
 public:
  Recombination(Polynomial p, GeneratorTable& table, Budget& budget)
      : p_(std::move(p)), table_(table), budget_(budget) {}

  Polynomial run() {
    // New angles come last and are paired with all earlier ones.
    for (std::size_t j = 0; j < table_.angles().size(); ++j) {
      for (std::size_t i = 0; i <= j; ++i) join(i, j);
    }
    return std::move(p_);
  }

 private:
  void join(std::size_t i, std::size_t j) {
    for (const Pattern& pattern : patterns(table_.angles()[i], table_.angles()[j])) {
      budget_.spend(p_.size());
      for (const Monomial& m : multiples_of(pattern.first, p_)) join(i, j, pattern, m);
    }
  }

  void join(std::size_t i, std::size_t j, const Pattern& pattern, const Monomial& m) {
    const Monomial rest = divide(m, pattern.first), partner = multiply(rest, pattern.second);
    const Rational x = p_.coefficient(m), y = p_.coefficient(partner);
    const bool equal = x == y, opposite = x == negated(y);
    if (x.num == 0 || (!equal && !opposite)) return;
    const int sign = equal ? pattern.angle_if_equal : pattern.angle_if_opposite;
    if (i == j && sign < 0) return;  // cos^2 + sin^2 is (1)
    const auto combined = table_.combined_angle(i, j, sign);
    if (!combined) return;
    const auto [index, turned] = *combined;
    const Angle& angle = table_.angles()[index];
    p_.set(m, {0, 1});
    p_.set(partner, {0, 1});
    const std::uint32_t g = pattern.is_sine ? angle.sine : angle.cosine;
    p_.add(multiply(rest, Monomial{{g, 1}}), pattern.is_sine && turned ? negated(x) : x);
  }

  Polynomial p_;
  GeneratorTable& table_;
  Budget& budget_;
};

}  // namespace

Polynomial exchange_squares(Polynomial p, const std::vector<SquareRelation>& relations,
                            Budget& budget) {
  // Every exchange lessens the number of terms, so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    for (const SquareRelation& relation : relations) {
      budget.spend(p.size());
      while (exchange_once(&p, relation, budget)) changed = true;
    }
  }
  return p;
}

Polynomial eliminate_square(const Polynomial& p, const SquareRelation& relation, std::size_t member,
                            Budget& budget) {
  const auto [generator, sign] = relation.members[member];
  // g^2 = sign (1 - sum of the others)
  Polynomial square(Rational{sign, 1});
  for (std::size_t k = 0; k < relation.members.size(); ++k) {
    if (k != member)
      square.add({{relation.members[k].first, 2}}, {-sign * relation.members[k].second, 1});
  }
  Polynomial result;
  for (const auto& [m, c] : p.terms()) {
    const std::uint32_t n = exponent_of(m, generator);
    Polynomial term(c, with_exponent(m, generator, n % 2));
    for (std::uint32_t k = 0; k < n / 2; ++k) term = multiply(term, square, budget);
    add_to(&result, term, budget);
  }
  return result;
}

Polynomial recombine_angles(Polynomial p, GeneratorTable& table, Budget& budget) {
  return Recombination(std::move(p), table, budget).run();
}

}  // namespace visviva
