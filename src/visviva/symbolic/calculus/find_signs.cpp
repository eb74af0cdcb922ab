#include "visviva/symbolic/calculus/find_signs.h"

#include <map>
#include <unordered_map>

#include "visviva/symbolic/calculus/cone.h"

namespace visviva {
namespace {

constexpr std::size_t most_factors = 64;  // that are told apart in a product

constexpr SignSet no_minus{false, true};

class SignWalk {
 public:
  SignWalk(ExprPool& pool, const std::function<SignSet(const Expr&)>& of_symbol)
      : pool_(pool), of_symbol_(of_symbol) {}

  SignSet run(const Expr& expr) {
    const Ref root = ref_in(pool_, expr, "find_signs");
    for (const std::uint32_t index : collect_cone(pool_, {root}))
      known_.emplace(index, sign_node(index << 1u));
    return sign(root);
  }

 private:
  SignSet sign(Ref ref) const {
    const SignSet own = known_.at(ref >> 1u);
    return (ref & 1u) != 0 ? -own : own;
  }

  SignSet sign_node(Ref ref) const {
    const Node& n = pool_.node(ref);
    switch (n.op) {
      case Op::constant:
        return sign_of(pool_.constant_value(ref));
      case Op::symbol:
        return of_symbol_(Expr(pool_, ref));
      case Op::add:
        return {sign(n.a).can_be_negative || sign(n.b).can_be_negative,
                sign(n.a).can_be_positive || sign(n.b).can_be_positive};
      case Op::multiply:
      case Op::divide:
        return sign_product(ref);
      case Op::min:
        return {sign(n.a).can_be_negative || sign(n.b).can_be_negative,
                sign(n.a).can_be_positive && sign(n.b).can_be_positive};
      case Op::max:
        return {sign(n.a).can_be_negative && sign(n.b).can_be_negative,
                sign(n.a).can_be_positive || sign(n.b).can_be_positive};
      case Op::pi:
      case Op::power:
      case Op::sqrt:
      case Op::exp:
      case Op::acos:
      case Op::cosh:
      case Op::abs:
      case Op::step:
        return no_minus;
      default:
        return has_sign_of_operand(n.op) ? sign(n.a) : SignSet{};
    }
  }

  static bool has_sign_of_operand(Op op) {
    return op == Op::asin || op == Op::atan || op == Op::sinh || op == Op::tanh || op == Op::sign;
  }

  // A factor that stands there twice has no sign, v tanh(v) none either.
  SignSet sign_product(Ref ref) const {
    std::map<std::uint32_t, bool> is_odd;  // by node
    bool is_minus = false;
    std::vector<Ref> open = {ref};
    for (std::size_t seen = 0; !open.empty(); ++seen) {
      const Ref next = open.back();
      open.pop_back();
      is_minus ^= (next & 1u) != 0;
      const Node& n = pool_.node(next);
      if (seen < most_factors && (n.op == Op::multiply || n.op == Op::divide)) {
        open.push_back(n.a);
        open.push_back(n.b);
      } else if (seen < most_factors && has_sign_of_operand(n.op)) {
        open.push_back(n.a);
      } else {
        is_odd[next >> 1u] ^= true;
      }
    }
    SignSet all = no_minus;
    for (const auto& [index, odd] : is_odd) {
      if (odd) all = all * sign(index << 1u);
    }
    return is_minus ? -all : all;
  }

  ExprPool& pool_;
  const std::function<SignSet(const Expr&)>& of_symbol_;
  std::unordered_map<std::uint32_t, SignSet> known_;  // by node
};

}  // namespace

SignSet operator*(const SignSet& a, const SignSet& b) {
  return {(a.can_be_negative && b.can_be_positive) || (a.can_be_positive && b.can_be_negative),
          (a.can_be_negative && b.can_be_negative) || (a.can_be_positive && b.can_be_positive)};
}

SignSet find_signs(const Expr& expr, const std::function<SignSet(const Expr& symbol)>& of_symbol) {
  return SignWalk(common_pool({expr}, "find_signs"), of_symbol).run(expr);
}

}  // namespace visviva
