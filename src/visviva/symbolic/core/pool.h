// ExprPool: the hash-consed nodes of expressions, each with its exact value in two prime fields.
//
// Nodes sit in flat arrays and are never freed one by one; a node's operands always have smaller
// indices, so index order is an evaluation order. A new node whose value (up to sign) a node
// already has *is* that node, whatever its form: this is how sin^2 + cos^2 becomes 1. Only when
// the new form is better is it kept beside the old one, and used from then on: when it is regular
// where the old one divides or takes a root, or mentions fewer symbols.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/symbolic/core/big_rational.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// How large the polynomials behind a fingerprint can be, in powers of the random parameters (of
/// either sign): bounds on the degrees of numerator and denominator. docs/theory/equality.md (5).
struct Degree {
  float num = 0.0f;
  float den = 0.0f;
};

class ExprPool {
 public:
  ExprPool();
  ExprPool(const ExprPool&) = delete;
  ExprPool& operator=(const ExprPool&) = delete;

  // ---- Leaves

  /// The symbol of this name; the same one each time.
  Expr symbol(std::string_view name);
  /// The same for a symbol that is to vanish again, such as one to differentiate by: of two forms
  /// of a value the one without it is used, as soon as it is known. UsageError when another kind of
  /// symbol has the name.
  Expr scratch_symbol(std::string_view name);
  /// Four symbols that satisfy e0^2 + e1^2 + e2^2 + e3^2 = 1 wherever they are compared. UsageError
  /// if one exists.
  std::array<Expr, 4> unit_quaternion(const std::array<std::string, 4>& names);
  /// The number whose shortest decimal form this double has, exactly. UsageError for NaN and
  /// infinities.
  Expr number(double value);
  /// num/den exactly. UsageError when den is 0 or the fraction does not fit into 63-bit integers.
  Expr rational(std::int64_t num, std::int64_t den = 1);
  /// A decimal literal such as "6.674e-11", exactly. UsageError when it is none.
  Expr decimal(std::string_view literal);
  Expr zero() { return Expr(*this, 0); }
  Expr one() { return Expr(*this, one_); }
  Expr pi() { return Expr(*this, pi_); }

  // ---- Reading; an index is Ref >> 1

  std::size_t node_count() const { return nodes_.size(); }
  /// Bytes held for nodes and their tables, per node.
  double bytes_per_node() const;
  const Node& node(Ref ref) const { return nodes_[ref >> 1]; }
  Fingerprint fingerprint(Ref ref) const {
    const Fingerprint& f = fingerprints_[ref >> 1];
    return (ref & 1u) != 0 ? field::negate(f) : f;
  }
  Degree degree(Ref ref) const { return degrees_[ref >> 1]; }
  /// The largest degree of any difference that was taken for zero when another form became this
  /// node.
  float merged_degree(Ref ref) const { return merged_degrees_[ref >> 1]; }
  bool is_constant(Ref ref) const { return (flags_[ref >> 1] & has_symbol) == 0; }
  /// The double nearest to a `constant` node's value.
  double constant_value(Ref ref) const;
  /// The exact value of a `constant` node when it is a fraction of 63-bit integers.
  bool rational_value(Ref ref, Rational* value) const;
  /// The exact value of a `constant` node of any size; nothing for one of absurdly many digits.
  std::optional<BigRational> exact_value(Ref ref) const;
  const std::string& symbol_name(Ref ref) const { return symbols_[nodes_[ref >> 1].a]; }
  bool has_symbol_named(std::string_view name) const;
  /// The symbols of each unit_quaternion(), in order of creation.
  const std::vector<std::array<Ref, 4>>& unit_quaternions() const { return unit_quaternions_; }

  // ---- Building, by reference; the operators of Expr call these

  Ref add(Ref a, Ref b);
  Ref multiply(Ref a, Ref b);
  /// UsageError when b is identically zero.
  Ref divide(Ref a, Ref b);
  Ref power(Ref a, Ref b);
  Ref integer_power(Ref a, std::int64_t n);
  /// Any operation with a name; b is ignored when it takes one operand.
  Ref function(Op op, Ref a, Ref b = 0);
  static Ref negate(Ref a) { return a == 0 ? 0 : a ^ 1u; }

  /// While it lives, what is built from expressions without these symbols mentions none of them,
  /// even where an equal form that does is known already. Costs a walk over all nodes.
  class Avoiding {
   public:
    Avoiding(ExprPool& pool, const std::vector<Expr>& symbols);
    ~Avoiding() { pool_.avoided_.clear(); }
    Avoiding(const Avoiding&) = delete;
    Avoiding& operator=(const Avoiding&) = delete;

   private:
    ExprPool& pool_;
  };

 private:
  enum Flag : std::uint8_t { has_symbol = 1, has_pole = 2, has_scratch = 4 };
  struct Constant {
    double value = 0.0;
    Rational exact;                   // den 0 when it does not fit
    std::optional<BigRational> wide;  // when it does not
  };

  // An entry of the table of values: a node by its fingerprint up to sign. The hash spares looking
  // at most of the nodes.
  struct Slot {
    std::uint32_t entry = 0;  // node index + 1; 0 is free
    std::uint32_t hash = 0;
  };

  Expr make_symbol(std::string_view name, std::uint8_t flags);
  Ref intern(const Node& node, const Fingerprint& value, std::uint8_t flags, Degree degree);
  Ref push(const Node& node, const Fingerprint& value, std::uint8_t flags, Degree degree);
  void note_merge(std::uint32_t index, Degree other);
  bool is_better(const Node& node, std::uint8_t flags, std::uint32_t held) const;
  std::uint64_t mask_of(const Node& node) const;
  bool is_avoided(Ref ref) const { return !avoided_.empty() && avoided_[ref >> 1]; }
  bool is_avoided(const Node& node) const;
  Ref constant(Constant value, Fingerprint print);
  Ref rational_constant(const Rational& r);
  Ref make_rational_constant(const Rational& r);
  Ref wide_constant(const BigRational& r);
  Ref fold(Op op, Ref a, Ref b);
  /// A number and what it multiplies; the second is bare.
  std::pair<Ref, Ref> split_coefficient(Ref ref) const;
  Ref make_quotient(Ref a, Ref b);
  std::size_t find_slot(const Fingerprint& value, std::uint32_t hash) const;
  void grow_table();
  /// The form that is used now for this value: a result remembered before may be worse.
  Ref regular_form(Ref ref) const;
  std::uint8_t flags_of(Ref a, Ref b) const;
  bool is_number(Ref ref) const { return nodes_[ref >> 1].op == Op::constant; }
  bool is_op(Ref ref, Op op) const { return (ref & 1u) == 0 && nodes_[ref >> 1].op == op; }

  // functions.cpp
  Ref make_function(Op op, Ref a, Ref b);
  bool simplify_function(Op op, Ref a, Ref b, Ref* result);
  bool is_less_number(Ref a, Ref b);
  bool simplify_sqrt(Ref a, Ref* result);
  bool simplify_abs(Ref a, Ref* result);
  bool shift_by_quarter_turns(Op op, Ref a, Ref* result);
  Ref make_trigonometric(Op op, Ref a);
  Ref make_exponential(Op op, Ref a);
  Ref make_root(Ref a);
  Ref make_absolute(Op op, Ref a);
  Ref make_opaque(Op op, Ref a, Ref b);

  std::vector<Node> nodes_;
  std::vector<Fingerprint> fingerprints_;
  std::vector<std::uint8_t> flags_;
  std::vector<Degree> degrees_;
  std::vector<float> merged_degrees_;
  std::vector<std::uint64_t> masks_;  // the symbols under a node, symbol i as bit i mod 64
  std::vector<Constant> constants_;
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, Ref> symbol_refs_;
  std::vector<std::array<Ref, 4>> unit_quaternions_;
  std::vector<Slot> table_;
  std::size_t table_used_ = 0;
  // Results of divide and functions by operands, and of fractions, once for each Op: they cost a
  // power in the field.
  std::array<std::unordered_map<std::uint64_t, Ref>, op_count> calls_;
  std::vector<bool> avoided_;  // by node index while an Avoiding lives, else empty
  Ref one_ = 0;
  Ref pi_ = 0;
};

}  // namespace visviva
