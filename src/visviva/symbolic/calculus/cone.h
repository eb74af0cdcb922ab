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

/// The references of expressions, after a check that all are of one pool. UsageError names
/// `function`.
std::vector<Ref> refs_of(const std::vector<Expr>& exprs, const char* function);

/// UsageError, naming `function`, unless the expression lives in this pool.
void require_pool(const Expr& expr, const ExprPool& pool, const char* function);

}  // namespace visviva
