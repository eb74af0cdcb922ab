#include "visviva/report/page/term_causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

// Beyond so many monomials nobody asks of one of them where it came from.
constexpr std::size_t most_monomials = 400;

using Key = std::vector<std::uint64_t>;

struct Monomial {
  Expr coefficient;
  std::set<int> causes;
};
using Monomials = std::map<Key, Monomial>;

bool add(Expander* expander, const std::vector<Expr>& values, int cause, Monomials* sum) {
  for (const Expr& value : values) {
    const auto terms = expander->expand(value);
    if (!terms) return false;
    for (const ProductTerm& t : *terms) {
      Monomial& m = (*sum)[expander->key_of(t)];
      m.coefficient = m.coefficient.valid() ? m.coefficient + t.coefficient : t.coefficient;
      m.causes.insert(cause);
    }
  }
  return true;
}

bool is_zero(const Contribution& c) {
  const std::vector<Expr>& terms = c.ways.front();
  return std::all_of(terms.begin(), terms.end(), [](const Expr& e) { return e.is_zero(); });
}

std::vector<int> all_causes(const std::vector<Contribution>& contributions) {
  std::set<int> causes;
  for (const Contribution& c : contributions)
    if (!is_zero(c)) causes.insert(c.cause);
  return {causes.begin(), causes.end()};
}

class Attribution {
 public:
  Attribution(ExprPool& pool, const std::vector<Contribution>& contributions,
              const std::vector<Expr>& terms)
      : expander_(pool, Expander::Scope::everything, most_monomials),
        contributions_(contributions) {
    is_complete_ = add(&expander_, terms, 0, &written_);
    if (!is_complete_) return;
    std::size_t ways = 0;
    for (const Contribution& c : contributions) ways = std::max(ways, c.ways.size());
    for (std::size_t way = 0; way < ways; ++way) settle(way);
  }

  std::vector<int> causes_of(const Expr& term) {
    const auto parts = is_complete_ ? expander_.expand(term) : std::nullopt;
    if (!parts) return to_list(find_possible(term));
    std::set<int> causes;
    for (const ProductTerm& t : *parts) {
      const auto found = settled_.find(expander_.key_of(t));
      if (found == settled_.end()) return to_list(find_possible(term));
      causes.insert(found->second.begin(), found->second.end());
    }
    return to_list(causes);
  }

 private:
  static std::vector<int> to_list(const std::set<int>& causes) {
    return {causes.begin(), causes.end()};
  }

  // Contributions of which a monomial has no symbol that the term lacks. Symbols inside functions do not
  // count: identities make them vanish.
  std::set<int> find_possible(const Expr& term) {
    std::set<Ref> symbols;
    for (const Expr& s : free_symbols(term)) symbols.insert(s.ref() >> 1);
    std::set<int> causes;
    for (const Contribution& c : contributions_)
      if (!is_zero(c) && may_have_brought(c, symbols)) causes.insert(c.cause);
    return causes;
  }

  bool may_have_brought(const Contribution& c, const std::set<Ref>& symbols) {
    const auto is_known = [&](const Expr& s) { return symbols.count(s.ref() >> 1) > 0; };
    for (const Expr& value : c.ways.front()) {
      const auto monomials = expander_.expand(value);
      if (!monomials) {  // too long: then whatever has a symbol in common
        const std::vector<Expr> own = free_symbols(value);
        if (std::any_of(own.begin(), own.end(), is_known)) return true;
        continue;
      }
      for (const ProductTerm& t : *monomials) {
        if (std::all_of(t.factors.begin(), t.factors.end(), [&](const PowerFactor& p) {
              return !p.base.is_symbol() || is_known(p.base);
            }))
          return true;
      }
    }
    return false;
  }

  // Monomials that have the same coefficient in the equation and in the sum of contributions.
  void settle(std::size_t way) {
    Monomials sum;
    for (const Contribution& c : contributions_) {
      if (!add(&expander_, c.ways[std::min(way, c.ways.size() - 1)], c.cause, &sum)) return;
    }
    for (const auto& [key, monomial] : sum) {
      const auto written = written_.find(key);
      if (written == written_.end()) continue;
      if ((written->second.coefficient - monomial.coefficient).is_zero())
        settled_.emplace(key, monomial.causes);
    }
  }

  Expander expander_;
  const std::vector<Contribution>& contributions_;
  Monomials written_;
  std::map<Key, std::set<int>> settled_;
  bool is_complete_ = true;
};

}  // namespace

std::vector<std::vector<int>> find_term_causes(const std::vector<Contribution>& contributions,
                                               const std::vector<Expr>& terms) {
  const std::vector<int> all = all_causes(contributions);
  if (all.size() <= 1 || terms.empty()) return std::vector<std::vector<int>>(terms.size(), all);
  Attribution attribution(terms.front().pool(), contributions, terms);
  std::vector<std::vector<int>> result;
  for (const Expr& t : terms) result.push_back(attribution.causes_of(t));
  return result;
}

}  // namespace visviva
