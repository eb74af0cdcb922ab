// ExprPool: the hash-consed nodes of expressions, each with its exact value in two prime fields.
//
// Nodes sit in flat arrays and are never freed one by one; a node's operands always have smaller
// indices, so index order is an evaluation order. A new node whose value (up to sign) a node
// already has *is* that node, whatever its form: this is how sin^2 + cos^2 becomes 1. Only when
// the new form is better is it kept beside the old one, and used from then on: when it is regular
// where the old one divides or takes a root, or mentions fewer symbols.
//
// Which form a value has depends on what was built before, so each stage builds in a pool of its
// own, on top of the finished pools of the stages before it (workspace.h): a finished pool never
// changes, and all of its expressions are expressions of the pools on top of it, by the same
// references. docs/decisions/0009-finished-pools.md
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/base/table_function.h"
#include "visviva/symbolic/core/big_rational.h"
#include "visviva/symbolic/core/chunked_array.h"
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
  /// A pool on top of another, which it keeps alive.
  explicit ExprPool(std::shared_ptr<const ExprPool> below);
  ExprPool(const ExprPool&) = delete;
  ExprPool& operator=(const ExprPool&) = delete;

  // ---- Finished pools

  /// Finishes the pool: from now on nothing is added here. May be called again, and from several
  /// threads.
  void finish();
  bool is_finished() const { return is_finished_; }
  /// The pool in which this thread builds from this pool's expressions: its workspace if one stands
  /// on this pool, else this pool, else, when it is finished, a page of the thread's own on top of
  /// it.
  ExprPool& open();
  /// True when `other` is this pool or below it.
  bool stands_on(const ExprPool& other) const;
  /// How many pools stand below this one, and it.
  std::size_t depth() const { return ancestors_.size(); }
  /// True when both pools belong to one model.
  bool is_related(const ExprPool& other) const {
    return ancestors_.front().number == other.ancestors_.front().number;
  }
  /// True when the expression is one of this pool or of a pool below it.
  bool contains(const Expr& expr) const;
  /// The reference of an expression in this pool; one from a pool beside it is copied. UsageError
  /// when it belongs to another model.
  Ref take(const Expr& expr);
  /// What a T remembers about `subject`, made by make(*this) when first asked for, or taken over
  /// from a pool below as T(theirs, *this). It lives as long as this pool.
  template <class T, class Make>
  T& memo(std::uint64_t subject, const Make& make);
  /// A number for something that memos are kept about; no other thing has it.
  static std::uint64_t make_subject();

  // ---- Leaves

  /// The symbol of this name; the same one each time.
  Expr symbol(std::string_view name);
  /// A symbol that is to vanish again, such as one to differentiate by: of two forms of a value the
  /// one without it is used, as soon as it is known. UsageError when another kind of symbol has the
  /// name.
  Expr scratch_symbol(std::string_view name);
  /// The name of a function that nobody defined, for Op::call; the same one each time.
  Expr undefined_function(const FunctionSymbol& function);
  /// Gives the function of this name, with all its derivatives and integrals, the values of a table. UsageError when
  /// it has some.
  void define_table(const std::string& name, std::shared_ptr<const TableFunction> table);
  /// The table of a function; null when it has none.
  std::shared_ptr<const TableFunction> find_table(const std::string& name) const;
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
  float merged_degree(Ref ref) const;
  /// The symbols under a node: symbol i is bit i mod 64, so that a bit may stand for several.
  std::uint64_t symbol_mask(Ref ref) const { return masks_[ref >> 1]; }
  bool is_constant(Ref ref) const { return (flags_[ref >> 1] & has_symbol) == 0; }
  /// The double nearest to a `constant` node's value.
  double constant_value(Ref ref) const;
  /// The exact value of a `constant` node when it is a fraction of 63-bit integers.
  bool rational_value(Ref ref, Rational* value) const;
  /// The exact value of a `constant` node of any size; nothing for one of absurdly many digits.
  std::optional<BigRational> exact_value(Ref ref) const;
  /// Of a symbol, or of a function that nobody defined.
  const std::string& symbol_name(Ref ref) const { return symbols_[nodes_[ref >> 1].a]; }
  bool has_symbol_named(std::string_view name) const;
  /// The symbols of each unit_quaternion(), in order of creation.
  const std::vector<std::array<Ref, 4>>& unit_quaternions() const { return unit_quaternions_; }

  // ---- Building, by reference; the operators of Expr call these

  Ref add(Ref a, Ref b);
  Ref multiply(Ref a, Ref b);
  /// The quotient of a and b. UsageError when b is identically zero.
  Ref divide(Ref a, Ref b);
  Ref power(Ref a, Ref b);
  Ref integer_power(Ref a, std::int64_t n);
  /// The result of any operation with a name; b is ignored when it takes one operand.
  Ref function(Op op, Ref a, Ref b = 0);
  /// The result of any operation that has operands.
  Ref apply(Op op, Ref a, Ref b = 0);
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

  // An entry of a table of values: a node by its fingerprint up to sign. The hash spares looking
  // at most of the nodes.
  struct Slot {
    std::uint32_t entry = 0;  // node index + 1; 0 is free
    std::uint32_t hash = 0;
  };

  // What finds the nodes that one pool added; pools on top of it look here too.
  struct Index {
    std::vector<Slot> table = std::vector<Slot>(256);
    std::size_t used = 0;
    std::unordered_map<std::string, Ref> symbols;
    // Results of divide and functions by operands, and of fractions, once for each Op: they cost a
    // power in the field.
    std::array<std::unordered_map<std::uint64_t, Ref>, op_count> calls;
  };

  // A pool below, by its number, and how many of its nodes are nodes here.
  struct Ancestor {
    std::uint64_t number;
    std::size_t size;
  };

  Expr make_symbol(std::string_view name, std::uint8_t flags, Op op = Op::symbol);
  Ref intern(const Node& node, const Fingerprint& value, std::uint8_t flags, Degree degree);
  Ref push(const Node& node, const Fingerprint& value, std::uint8_t flags, Degree degree);
  void note_merge(std::uint32_t index, Degree other);
  void set_merged_degree(std::uint32_t index, float degree);
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
  std::size_t find_slot(const Index& index, const Fingerprint& value, std::uint32_t hash) const;
  /// The node that stands for a value now, plus 1; 0 when there is none.
  std::uint32_t find_entry(const Fingerprint& value, std::uint32_t hash) const;
  void set_entry(const Fingerprint& value, std::uint32_t hash, std::uint32_t entry);
  void grow_table();
  std::optional<Ref> find_symbol(const std::string& name) const;
  std::optional<Ref> find_call(Op op, std::uint64_t key) const;
  void remember_call(Op op, std::uint64_t key, Ref result);
  Ref copy(const ExprPool& from, Ref ref);
  ExprPool& page();
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

  const std::uint64_t number_;  // no other pool has it
  const std::shared_ptr<const ExprPool> below_;
  std::vector<Ancestor> ancestors_;                           // from the first pool to this one
  std::vector<std::shared_ptr<const Index>> indices_;         // of the pools below, first to last
  std::shared_ptr<Index> index_ = std::make_shared<Index>();  // this pool's own

  ChunkedArray<Node> nodes_;
  ChunkedArray<Fingerprint> fingerprints_;
  ChunkedArray<std::uint8_t> flags_;
  ChunkedArray<Degree> degrees_;
  ChunkedArray<float> merged_degrees_;
  std::unordered_map<std::uint32_t, float> merged_below_;  // of nodes of pools below, where larger
  ChunkedArray<std::uint64_t> masks_;                      // symbol_mask()
  ChunkedArray<Constant> constants_;
  ChunkedArray<std::string> symbols_;
  std::vector<std::array<Ref, 4>> unit_quaternions_;
  std::map<std::string, std::shared_ptr<const TableFunction>> tables_;  // this pool's own
  std::map<std::pair<std::uint64_t, std::uint32_t>, Ref> copies_;       // by pool and node
  std::map<std::pair<std::type_index, std::uint64_t>, std::shared_ptr<void>> memos_;
  std::vector<bool> avoided_;  // by node index while an Avoiding lives, else empty
  Ref one_ = 0;
  Ref pi_ = 0;

  std::atomic<bool> is_finished_ = false;
  std::mutex finishing_;
  std::map<std::thread::id, std::unique_ptr<ExprPool>> pages_;
};

template <class T, class Make>
T& ExprPool::memo(std::uint64_t subject, const Make& make) {
  const std::pair<std::type_index, std::uint64_t> key(typeid(T), subject);
  if (const auto found = memos_.find(key); found != memos_.end())
    return *static_cast<T*>(found->second.get());
  std::shared_ptr<T> fresh;
  for (const ExprPool* p = below_.get(); p != nullptr && !fresh; p = p->below_.get()) {
    if (const auto found = p->memos_.find(key); found != p->memos_.end())
      fresh = std::make_shared<T>(*static_cast<const T*>(found->second.get()), *this);
  }
  if (!fresh) fresh = std::make_shared<T>(make(*this));
  T& result = *fresh;
  memos_.emplace(key, std::move(fresh));
  return result;
}

}  // namespace visviva
