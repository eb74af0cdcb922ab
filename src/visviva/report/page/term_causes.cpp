#include "visviva/report/page/term_causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "visviva/symbolic/expand.h"

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

  /// Nothing when the term holds a monomial whose origin is not known.
  std::optional<std::vector<int>> causes_of(const Expr& term) {
    if (!is_complete_) return {};
    const auto parts = expander_.expand(term);
    if (!parts) return {};
    std::set<int> causes;
    for (const ProductTerm& t : *parts) {
      const auto found = settled_.find(expander_.key_of(t));
      if (found == settled_.end()) return {};
      causes.insert(found->second.begin(), found->second.end());
    }
    return std::vector<int>(causes.begin(), causes.end());
  }

 private:
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
  for (const Expr& t : terms) result.push_back(attribution.causes_of(t).value_or(all));
  return result;
}

}  // namespace visviva
