#include "visviva/symbolic/calculus/cone.h"

#include <algorithm>

#include "visviva/base/error.h"

namespace visviva {

std::size_t IndexMap::slot(std::uint32_t index) const {
  const std::size_t mask = entries_.size() - 1;
  std::size_t i = (index * 0x9e3779b1u >> 7) & mask;
  while (entries_[i].key != 0 && entries_[i].key != index + 1) i = (i + 1) & mask;
  return i;
}

const std::uint32_t* IndexMap::find(std::uint32_t index) const {
  if (entries_.empty()) return nullptr;
  const Entry& entry = entries_[slot(index)];
  return entry.key == 0 ? nullptr : &entry.value;
}

bool IndexMap::set(std::uint32_t index, std::uint32_t value) {
  if (used_ * 2 >= entries_.size()) {
    std::vector<Entry> old(entries_.empty() ? 16 : entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& e : old) {
      if (e.key != 0) entries_[slot(e.key - 1)] = e;
    }
  }
  Entry& entry = entries_[slot(index)];
  const bool fresh = entry.key == 0;
  entry = {index + 1, value};
  used_ += fresh ? 1 : 0;
  return fresh;
}

std::vector<std::uint32_t> collect_cone(const ExprPool& pool, const std::vector<Ref>& roots) {
  std::vector<std::uint32_t> cone, stack;
  IndexMap seen;
  const auto visit = [&](Ref ref) {
    if (seen.set(ref >> 1, 1)) {
      cone.push_back(ref >> 1);
      stack.push_back(ref >> 1);
    }
  };
  for (const Ref root : roots) visit(root);
  while (!stack.empty()) {
    const Node& n = pool.node(stack.back() << 1);
    stack.pop_back();
    const int operands = operand_count(n.op);
    if (operands > 0) visit(n.a);
    if (operands > 1) visit(n.b);
  }
  std::sort(cone.begin(), cone.end());
  return cone;
}

ExprPool& common_pool(const std::vector<Expr>& exprs, const char* function) {
  ExprPool* deepest = nullptr;
  for (const Expr& e : exprs) {
    if (!e.valid()) throw UsageError(function, "an empty Expr was used");
    ExprPool& pool = e.pool();
    if (deepest == nullptr || pool.depth() > deepest->depth()) deepest = &pool;
  }
  if (deepest == nullptr) throw UsageError(function, "expected an expression");
  return *deepest;
}

std::vector<Ref> refs_in(ExprPool& pool, const std::vector<Expr>& exprs, const char* function) {
  std::vector<Ref> refs;
  refs.reserve(exprs.size());
  for (const Expr& e : exprs) refs.push_back(ref_in(pool, e, function));
  return refs;
}

Ref ref_in(ExprPool& pool, const Expr& expr, const char* function) {
  if (!expr.valid()) throw UsageError(function, "an empty Expr was used");
  if (!expr.home().is_related(pool))
    throw UsageError(function, "the expressions belong to different pools");
  return pool.take(expr);
}

}  // namespace visviva
