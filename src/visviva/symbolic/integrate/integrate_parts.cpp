// Rule (6): a part of the integral, seen from the lowest power of a sum and what stands beside it.
#include <algorithm>
#include <array>
#include <map>

#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

constexpr std::size_t max_division = 100;  // steps of a long division

using Terms = std::vector<ProductTerm>;
using Lanes = std::array<std::uint64_t, 2>;

// Products in lexicographic order of their exponents, by base.
class ProductOrder {
 public:
  // Nothing when there are none, or one has no place in the order.
  const ProductTerm* leading(const Terms& terms) {
    const ProductTerm* best = nullptr;
    Exponents highest;
    for (const ProductTerm& t : terms) {
      const auto e = exponents(t);
      if (!e) return nullptr;
      if (best != nullptr && !before(highest, *e)) continue;
      best = &t;
      highest = *e;
    }
    return best;
  }

 private:
  using Exponents = std::map<std::size_t, double>;  // by the place of the base; 0 when absent

  std::optional<Exponents> exponents(const ProductTerm& t) {
    Exponents result;
    for (const PowerFactor& f : t.factors) {
      const auto e = fraction_of(f.exponent);
      if (!e || f.kind != PowerKind::plain) return std::nullopt;
      const Lanes lane = f.base.fingerprint().lane;
      const std::size_t place = places_.try_emplace(lane, places_.size()).first->second;
      result[place] = static_cast<double>(e->num) / static_cast<double>(e->den);
    }
    return result;
  }

  static bool before(const Exponents& a, const Exponents& b) {
    for (auto i = a.begin(), j = b.begin(); i != a.end() || j != b.end();) {
      const bool take_i = j == b.end() || (i != a.end() && i->first <= j->first);
      const bool take_j = i == a.end() || (j != b.end() && j->first <= i->first);
      const double u = take_i ? i->second : 0, v = take_j ? j->second : 0;
      if (u != v) return u < v;
      if (take_i) ++i;
      if (take_j) ++j;
    }
    return false;
  }

  std::map<Lanes, std::size_t> places_;
};

// A new negative power of a symbol or a sine is no division.
bool has_pole(const ProductTerm& term) {
  return std::any_of(term.factors.begin(), term.factors.end(), [](const PowerFactor& f) {
    const auto n = integer_of(f.exponent);
    return n && *n < 0 && op_of(f.base) != Op::add;
  });
}

// above/below by long division, where it leaves nothing.
std::optional<Terms> divide(Terms above, const Terms& below, Expander& expander) {
  ProductOrder order;
  const ProductTerm* divisor = order.leading(below);
  if (divisor == nullptr) return std::nullopt;
  const ProductTerm factor = inverse(*divisor);
  Terms quotient;
  for (std::size_t step = 0; !above.empty(); ++step) {
    const ProductTerm* lead = order.leading(above);
    if (lead == nullptr || step >= max_division || above.size() > max_integrand_terms)
      return std::nullopt;
    const ProductTerm q = expander.multiply(*lead, factor);
    if (has_pole(q)) return std::nullopt;
    quotient.push_back(q);
    for (const ProductTerm& t : below) {
      ProductTerm part = expander.multiply(q, t);
      part.coefficient = -part.coefficient;
      above.push_back(part);
    }
    above = expander.merge(above);
  }
  return quotient;
}

struct Lowest {
  Expr base;
  Rational exponent;
};

// The lowest power of each sum, among roots and integer powers below -1.
std::vector<Lowest> find_lowest_powers(const Terms& terms) {
  std::map<Lanes, Lowest> bases;
  for (const ProductTerm& t : terms) {
    for (const PowerFactor& f : t.factors) {
      const auto e = fraction_of(f.exponent);
      if (!e || f.kind != PowerKind::plain || op_of(f.base) != Op::add) continue;
      if (e->den == 1 && e->num >= -1) continue;
      const auto [place, fresh] = bases.try_emplace(f.base.fingerprint().lane, Lowest{f.base, *e});
      if (!fresh && e->num * place->second.exponent.den < place->second.exponent.num * e->den)
        place->second.exponent = *e;
    }
  }
  std::vector<Lowest> result;
  for (const auto& entry : bases) result.push_back(entry.second);
  return result;
}

// The terms that multiply base^exponent, without it.
Terms find_cofactors(const Terms& terms, const Expr& base, const Expr& exponent) {
  Terms result;
  for (const ProductTerm& t : terms) {
    const auto found = std::find_if(t.factors.begin(), t.factors.end(), [&](const auto& f) {
      return f.base == base && f.kind == PowerKind::plain && f.exponent == exponent;
    });
    if (found == t.factors.end()) continue;
    result.push_back(t);
    result.back().factors.erase(result.back().factors.begin() + (found - t.factors.begin()));
  }
  return result;
}

}  // namespace

std::optional<Expr> find_part_of_integral(const Expr& expr, Integration& in) {
  Expander& expander = in.expander;
  const auto terms = expander.expand(expr);
  if (!terms) return std::nullopt;
  for (const Lowest& lowest : find_lowest_powers(*terms)) {
    const Expr exponent = in.pool.rational(lowest.exponent.num, lowest.exponent.den);
    const auto slope = expander.expand(in.derivative(lowest.base));
    const auto below = slope ? expander.distribute(*slope) : std::nullopt;
    const auto above =
        below ? expander.distribute(find_cofactors(*terms, lowest.base, exponent)) : std::nullopt;
    if (!above) continue;
    if (const auto G = divide(*above, *below, expander))
      return build(in.pool, *G) * pow(lowest.base, exponent + 1) / (exponent + 1);
  }
  return std::nullopt;
}

}  // namespace visviva
