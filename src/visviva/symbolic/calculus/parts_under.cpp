#include "visviva/symbolic/calculus/parts_under.h"

#include <cstdint>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

constexpr std::uint8_t root_part = 1, piece_part = 2;

std::uint8_t own_part(Op op) {
  switch (op) {
    case Op::sqrt:
    case Op::power:
      return root_part;
    case Op::abs:
    case Op::sign:
    case Op::step:
    case Op::min:
    case Op::max:
      return piece_part;
    default:
      return 0;
  }
}

// Of the nodes up to the last that was asked for; operands have smaller indices.
class PartsUnder {
 public:
  PartsUnder() = default;
  PartsUnder(const PartsUnder& below, ExprPool&) : parts_(below.parts_) {}

  std::uint8_t operator()(const ExprPool& pool, Ref ref) {
    while (parts_.size() <= ref >> 1) {
      const Node& n = pool.node(static_cast<Ref>(parts_.size()) << 1);
      const int operands = operand_count(n.op);
      std::uint8_t part = own_part(n.op);
      if (operands > 0) part |= parts_[n.a >> 1];
      if (operands > 1) part |= parts_[n.b >> 1];
      parts_.push_back(part);
    }
    return parts_[ref >> 1];
  }

 private:
  std::vector<std::uint8_t> parts_;
};

std::uint8_t parts_under(const Expr& expr) {
  static const std::uint64_t subject = ExprPool::make_subject();
  ExprPool& pool = expr.pool();
  return pool.memo<PartsUnder>(subject, [](ExprPool&) { return PartsUnder(); })(pool, expr.ref());
}

}  // namespace

bool has_root_under(const Expr& expr) { return (parts_under(expr) & root_part) != 0; }
bool has_piece_under(const Expr& expr) { return (parts_under(expr) & piece_part) != 0; }

}  // namespace visviva
