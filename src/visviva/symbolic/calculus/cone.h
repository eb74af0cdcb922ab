// Walking the nodes under given expressions: a cone in evaluation order, and a map from nodes to
// anything small.
#pragma once

#include <cstdint>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// A hash map from node indices to 32-bit values; what passes over a cone remember with.
class IndexMap {
 public:
  /// A pointer to the value of `index`, or nullptr.
  const std::uint32_t* find(std::uint32_t index) const;
  /// Sets the value of `index`; true when it had none.
  bool set(std::uint32_t index, std::uint32_t value);
  bool contains(std::uint32_t index) const { return find(index) != nullptr; }
  std::size_t size() const { return used_; }

 private:
  struct Entry {
    std::uint32_t key = 0;  // index + 1; 0 is free
    std::uint32_t value = 0;
  };
  std::size_t slot(std::uint32_t index) const;
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

/// The indices of all nodes under `roots`, operands before users.
std::vector<std::uint32_t> collect_cone(const ExprPool& pool, const std::vector<Ref>& roots);
/// The same without the nodes that `known` has, and without what is under those alone.
std::vector<std::uint32_t> collect_cone(const ExprPool& pool, const std::vector<Ref>& roots,
                                        const IndexMap& known);
/// True when the symbol of this index is under `root`.
bool has_symbol_under(const ExprPool& pool, Ref root, std::uint32_t symbol);

/// The pool in which this thread works with all of these expressions. UsageError names `function`
/// when one is empty, or there are none.
ExprPool& common_pool(const std::vector<Expr>& exprs, const char* function);

/// The references of expressions in a pool (ExprPool::take). UsageError names `function` when one is
/// empty or belongs to another model.
std::vector<Ref> refs_in(ExprPool& pool, const std::vector<Expr>& exprs, const char* function);
Ref ref_in(ExprPool& pool, const Expr& expr, const char* function);

}  // namespace visviva
