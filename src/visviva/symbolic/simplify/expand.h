// Expressions as sums of products of powers: to take a sum apart term by term, and to prove what
// square roots hide from the fields.
//
// The fields know sqrt(S) as a parameter of its own (docs/theory/equality.md (12)), so they cannot
// see that S/sqrt(S) and sqrt(S) are equal in longer products. As products of powers they are, by
// expand_powers.h (1).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/simplify/expand_powers.h"

namespace visviva {

/// Multiplies expressions out. What they do not look into is a factor: functions, and sums that are
/// denominators or under a root. Remembers what it has seen; all work together is bounded.
class Expander {
 public:
  /// The parts of an expression that become factors; the rest is coefficient.
  enum class Scope {
    everything,  ///< all but numbers
    one_symbol,  ///< what depends on `symbol`; such sums stay whole where they are a base as well
    roots,       ///< roots, real powers, absolute values and signs, and integer powers of nothing
  };

  Expander(ExprPool& pool, Scope scope, std::size_t limit, Expr symbol = {});

  /// The terms of an expression, like ones together, none of them zero; nothing beyond the limits.
  std::optional<std::vector<ProductTerm>> expand(const Expr& expr);

  /// A list with like terms together.
  std::vector<ProductTerm> merge(const std::vector<ProductTerm>& terms);
  std::optional<std::vector<ProductTerm>> multiply(const std::vector<ProductTerm>& a,
                                                   const std::vector<ProductTerm>& b);
  ProductTerm multiply(const ProductTerm& a, const ProductTerm& b);

  /// A key that is the same for like terms only.
  std::vector<std::uint64_t> key_of(const ProductTerm& term);

  /// Terms in each of which positive integer powers of sums are multiplied out.
  std::optional<std::vector<ProductTerm>> distribute(std::vector<ProductTerm> terms);

  /// True when an expression mentions what this scope makes factors of.
  bool is_active(const Expr& expr);

 private:
  using Terms = std::vector<ProductTerm>;
  using Lanes = std::array<std::uint64_t, 2>;

  void mark_active(Ref root);
  bool is_active_node(std::uint32_t index) const { return *active_.find(index) != 0; }
  void note_kept_sums(Ref root);
  const Terms* expand_node(std::uint32_t index, int depth);
  std::optional<Terms> expand_sum_node(std::uint32_t index, int depth);
  std::optional<Terms> expand_product_node(const Node& n, int depth);
  std::optional<Terms> expand_quotient_node(const Node& n, int depth);
  std::optional<ProductTerm> as_product(Ref ref, int depth);
  ProductTerm atom(std::uint32_t index);
  ProductTerm power_of(Ref base, const Expr& exponent, PowerKind kind);
  ProductTerm number(const Expr& value) const { return {value, {}}; }
  std::uint32_t base_id(const Expr& base);

  ExprPool& pool_;
  Scope scope_;
  std::size_t limit_;
  std::size_t work_;
  Expr symbol_;
  IndexMap active_;
  std::map<Lanes, std::uint32_t> base_ids_;
  std::set<Lanes> kept_;
  std::unordered_map<std::uint32_t, Terms> known_;  // by node index
};

/// The expression as a sum of products, each an Expr: products distributed over sums, like terms
/// together. Functions, roots and denominators stay whole, and so do products of sines and cosines.
/// Nothing when there would be more than `limit` terms.
std::optional<std::vector<Expr>> expand_sum(const Expr& expr, std::size_t limit = 400);

/// True when an expression is proved zero, by the fields and by expand_powers.h (1). False means
/// "not proved", as with ==.
bool is_proved_zero(const Expr& expr);

}  // namespace visviva
