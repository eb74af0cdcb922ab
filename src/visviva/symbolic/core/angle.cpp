#include "visviva/symbolic/core/angle.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace visviva {
namespace {

constexpr std::size_t max_terms = 64;
constexpr int max_depth = 200;
constexpr std::size_t max_nodes = 2000;

using Terms = std::vector<AngleTerm>;
using MaybeTerms = std::optional<Terms>;  // nothing: too large

AngleTerm with_canonical_sign(Rational c, const Fingerprint& m) {
  if (field::is_canonical(m)) return {c, m};
  return {{-c.num, c.den}, field::negate(m)};
}

// Joins equal monomials; nothing when a coefficient overflows.
MaybeTerms merge(Terms terms) {
  std::sort(terms.begin(), terms.end(), [](const AngleTerm& x, const AngleTerm& y) {
    return x.monomial.lane < y.monomial.lane;
  });
  Terms merged;
  for (const AngleTerm& t : terms) {
    if (!merged.empty() && merged.back().monomial == t.monomial) {
      const auto sum = add(merged.back().coefficient, t.coefficient);
      if (!sum) return std::nullopt;
      merged.back().coefficient = *sum;
    } else {
      merged.push_back(t);
    }
  }
  std::erase_if(merged, [](const AngleTerm& t) { return t.coefficient.num == 0; });
  return merged;
}

class Expansion {
 public:
  explicit Expansion(const ExprPool& pool) : pool_(pool) {}

  // Nodes are shared: without a memory, a chain of squares would take exponential time.
  MaybeTerms expand(Ref ref, int depth) {
    auto known = memo_.find(ref >> 1);
    if (known == memo_.end())
      known = memo_.emplace(ref >> 1, expand_node(ref & ~Ref{1}, depth)).first;
    MaybeTerms terms = known->second;
    if (terms && (ref & 1u) != 0) {
      for (AngleTerm& t : *terms) t.coefficient.num = -t.coefficient.num;
    }
    return terms;
  }

  Terms whole(Ref ref) const {
    const Fingerprint f = pool_.fingerprint(ref);
    if (f.is_zero()) return {};
    return {with_canonical_sign({1, 1}, f)};
  }

 private:
  MaybeTerms expand_node(Ref ref, int depth) {
    const Node& n = pool_.node(ref);
    Rational r;
    if (depth > max_depth || memo_.size() > max_nodes) return std::nullopt;
    switch (n.op) {
      case Op::constant:
        if (!pool_.rational_value(ref, &r)) return whole(ref);
        if (r.num == 0) return Terms{};
        return Terms{with_canonical_sign(r, field::from_integer(1))};
      case Op::add:
      case Op::multiply:
      case Op::divide:
        break;
      default:
        return whole(ref);
    }
    // Too large stays too large: do not look further.
    const MaybeTerms x = expand(n.a, depth + 1);
    if (!x) return std::nullopt;
    if (n.op == Op::divide) return product(x, reciprocal(n.b, depth + 1));
    const MaybeTerms y = expand(n.b, depth + 1);
    return n.op == Op::add ? sum(x, y) : product(x, y);
  }

  static MaybeTerms sum(MaybeTerms x, const MaybeTerms& y) {
    if (!x || !y || x->size() + y->size() > max_terms) return std::nullopt;
    x->insert(x->end(), y->begin(), y->end());
    return merge(std::move(*x));
  }

  static MaybeTerms product(const MaybeTerms& x, const MaybeTerms& y) {
    if (!x || !y || x->size() * y->size() > max_terms) return std::nullopt;
    Terms terms;
    for (const AngleTerm& s : *x) {
      for (const AngleTerm& t : *y) {
        const auto c = multiply(s.coefficient, t.coefficient);
        if (!c) return std::nullopt;
        terms.push_back(with_canonical_sign(*c, field::multiply(s.monomial, t.monomial)));
      }
    }
    return merge(std::move(terms));
  }

  // 1/d as one term, with the coefficient of d's first monomial taken out, so that 1/(2a + 2b) is
  // 1/2 of 1/(a + b).
  MaybeTerms reciprocal(Ref d, int depth) {
    const MaybeTerms terms = expand(d, depth);
    Rational content{1, 1};
    if (terms && !terms->empty()) content = terms->front().coefficient;
    const auto inverse = divide({1, 1}, content);
    if (!inverse) return std::nullopt;
    const Fingerprint reduced =
        field::multiply(pool_.fingerprint(d), field::from_rational(*inverse));
    if (reduced.has_zero_lane()) return std::nullopt;
    return Terms{with_canonical_sign(*inverse, field::inverse(reduced))};
  }

  const ExprPool& pool_;
  std::unordered_map<std::uint32_t, MaybeTerms> memo_;  // by node index
};

}  // namespace

std::vector<AngleTerm> expand_argument(const ExprPool& pool, Ref argument) {
  Expansion expansion(pool);
  const MaybeTerms terms = expansion.expand(argument, 0);
  return terms ? *terms : expansion.whole(argument);
}

AngleTerm reduce_fraction(const AngleTerm& term) {
  // c = n/(d1 d2) with d1 dividing the resolution: the monomial over d2 is the atom.
  const std::int64_t d1 = std::gcd(term.coefficient.den, field::angle_resolution);
  const std::int64_t d2 = term.coefficient.den / d1;
  if (d2 == 1) return term;
  const Fingerprint atom = field::multiply(term.monomial, field::from_rational({1, d2}));
  return with_canonical_sign({term.coefficient.num, d1}, atom);
}

}  // namespace visviva
