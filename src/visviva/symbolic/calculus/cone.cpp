#include "visviva/symbolic/calculus/cone.h"

#include <algorithm>
#include <bit>

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

namespace {

// Which nodes a walk has met, a bit each. The bits are this thread's and clear between walks: a walk
// costs what it meets, not what the pool holds.
class Marks {
 public:
  explicit Marks(const ExprPool& pool) {
    if (bits().size() * 64 < pool.node_count()) bits().resize(pool.node_count() / 64 + 1);
  }
  ~Marks() {
    for (const std::uint32_t i : met_) bits()[i / 64] = 0;
  }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  // True when the node was not marked before.
  bool set(std::uint32_t index) {
    std::uint64_t& word = bits()[index / 64];
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    if ((word & bit) != 0) return false;
    word |= bit;
    met_.push_back(index);
    return true;
  }

  std::vector<std::uint32_t> sorted() const {
    std::vector<std::uint32_t> result = met_;
    if (met_.empty()) return result;
    const auto [least, most] = std::minmax_element(met_.begin(), met_.end());
    if ((*most - *least) / 64 > 4 * met_.size()) {
      std::sort(result.begin(), result.end());
      return result;
    }
    std::size_t count = 0;
    for (std::uint32_t k = *least / 64; k <= *most / 64; ++k) {
      for (std::uint64_t word = bits()[k]; word != 0; word &= word - 1)
        result[count++] = k * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    return result;
  }

 private:
  static std::vector<std::uint64_t>& bits() {
    thread_local std::vector<std::uint64_t> words;
    return words;
  }
  std::vector<std::uint32_t> met_;
};

// The nodes under `roots`, operands before users; where enters(index) says no, the walk turns back.
template <class Enters>
std::vector<std::uint32_t> walk(const ExprPool& pool, const std::vector<Ref>& roots,
                                const Enters& enters) {
  Marks marks(pool);
  std::vector<std::uint32_t> stack;
  const auto visit = [&](Ref ref) {
    if (enters(ref >> 1) && marks.set(ref >> 1)) stack.push_back(ref >> 1);
  };
  for (const Ref root : roots) visit(root);
  while (!stack.empty()) {
    const Node& n = pool.node(stack.back() << 1);
    stack.pop_back();
    const int operands = operand_count(n.op);
    if (operands > 0) visit(n.a);
    if (operands > 1) visit(n.b);
  }
  return marks.sorted();
}

}  // namespace

std::vector<std::uint32_t> collect_cone(const ExprPool& pool, const std::vector<Ref>& roots) {
  return walk(pool, roots, [](std::uint32_t) { return true; });
}

std::vector<std::uint32_t> collect_cone(const ExprPool& pool, const std::vector<Ref>& roots,
                                        const IndexMap& known) {
  return walk(pool, roots, [&](std::uint32_t i) { return !known.contains(i); });
}

bool has_symbol_under(const ExprPool& pool, Ref root, std::uint32_t symbol) {
  const std::uint64_t mask = pool.symbol_mask(symbol << 1);
  Marks marks(pool);
  std::vector<std::uint32_t> stack;
  const auto visit = [&](Ref ref) {
    if ((pool.symbol_mask(ref) & mask) != 0 && marks.set(ref >> 1)) stack.push_back(ref >> 1);
  };
  visit(root);
  while (!stack.empty()) {
    const std::uint32_t index = stack.back();
    stack.pop_back();
    if (index == symbol) return true;
    const Node& n = pool.node(index << 1);
    const int operands = operand_count(n.op);
    if (operands > 0) visit(n.a);
    if (operands > 1) visit(n.b);
  }
  return false;
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
