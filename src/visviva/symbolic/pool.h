// ExprPool: the hash-consed nodes of expressions, each with its exact value in two prime fields.
//
// Nodes sit in flat arrays and are never freed one by one; a node's operands always have smaller indices, so index order
// is an evaluation order. A new node whose value (up to sign) a node already has *is* that node, whatever its form: this
// is how sin^2 + cos^2 becomes 1. Only when the new form is regular where the old one divides or takes a root is it kept
// beside it, and used from then on.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/symbolic/expr.h"

namespace visviva {

class ExprPool {
 public:
  ExprPool();
  ExprPool(const ExprPool&) = delete;
  ExprPool& operator=(const ExprPool&) = delete;

  // ---- Leaves

  /// The symbol of this name; the same one each time.
  Expr symbol(std::string_view name);
  /// Four symbols that satisfy e0^2 + e1^2 + e2^2 + e3^2 = 1 wherever they are compared. UsageError if one exists.
  std::array<Expr, 4> unit_quaternion(const std::array<std::string, 4>& names);
  /// The number whose shortest decimal form this double has, exactly. UsageError for NaN and infinities.
  Expr number(double value);
  /// num/den exactly. UsageError when den is 0.
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
  bool is_constant(Ref ref) const { return (flags_[ref >> 1] & has_symbol) == 0; }
  /// The double nearest to a `constant` node's value.
  double constant_value(Ref ref) const;
  /// The exact value of a `constant` node when it is a fraction of 63-bit integers.
  bool rational_value(Ref ref, Rational* value) const;
  const std::string& symbol_name(Ref ref) const { return symbols_[nodes_[ref >> 1].a]; }
  bool has_symbol_named(std::string_view name) const;

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

 private:
  enum Flag : std::uint8_t { has_symbol = 1, has_pole = 2 };
  struct Constant {
    double value;
    Rational exact;  // den 0 when it does not fit
  };

  Ref intern(const Node& node, const Fingerprint& value, std::uint8_t flags);
  Ref push(const Node& node, const Fingerprint& value, std::uint8_t flags);
  Ref constant(double value, const Rational& exact, const Fingerprint& print);
  Ref rational_constant(const Rational& r);
  Ref fold(Op op, Ref a, Ref b);
  Ref make_quotient(Ref a, Ref b);
  std::size_t find_slot(const Fingerprint& value) const;
  void grow_table();
  std::uint8_t flags_of(Ref a, Ref b) const;
  bool is_number(Ref ref) const { return nodes_[ref >> 1].op == Op::constant; }
  bool is_op(Ref ref, Op op) const { return (ref & 1u) == 0 && nodes_[ref >> 1].op == op; }

  // functions.cpp
  Ref make_function(Op op, Ref a, Ref b);
  bool simplify_function(Op op, Ref a, Ref b, Ref* result);
  bool simplify_sqrt(Ref a, Ref* result);
  bool simplify_abs(Ref a, Ref* result);
  bool shift_by_quarter_turns(Op op, Ref a, Ref* result);
  Ref make_trigonometric(Op op, Ref a);
  Ref make_exponential(Op op, Ref a);
  Ref make_opaque(Op op, Ref a, Ref b);

  std::vector<Node> nodes_;
  std::vector<Fingerprint> fingerprints_;
  std::vector<std::uint8_t> flags_;
  std::vector<Constant> constants_;
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, Ref> symbol_refs_;
  std::vector<std::uint32_t> table_;  // node index + 1 by canonical fingerprint; 0 is free
  std::size_t table_used_ = 0;
  // Results of divide and functions by operands, once for each Op: their values cost a power in the field.
  std::array<std::unordered_map<std::uint64_t, Ref>, op_count> calls_;
  Ref one_ = 0;
  Ref pi_ = 0;
};

}  // namespace visviva
