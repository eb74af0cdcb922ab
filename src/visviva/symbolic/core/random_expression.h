// Random expressions, and random rewritings that mean the same: what the property tests of this
// layer run on.
//
// They are plain trees, so that an expression and its rewriting can be built in two pools that know
// nothing of each other.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva::trees {

struct Tree;
using TreePtr = std::shared_ptr<const Tree>;

/// An operation on subtrees; numbers carry a fraction, symbols a number.
struct Tree {
  Op op = Op::constant;
  Rational value;
  int symbol = 0;
  TreePtr a, b;
};

inline TreePtr number(std::int64_t num, std::int64_t den = 1) {
  return std::make_shared<Tree>(Tree{Op::constant, *make_rational(num, den), 0, nullptr, nullptr});
}
inline TreePtr symbol(int index) {
  return std::make_shared<Tree>(Tree{Op::symbol, {}, index, nullptr, nullptr});
}
inline TreePtr call(Op op, TreePtr a, TreePtr b = nullptr) {
  return std::make_shared<Tree>(Tree{op, {}, 0, std::move(a), std::move(b)});
}
inline TreePtr plus(TreePtr a, TreePtr b) { return call(Op::add, std::move(a), std::move(b)); }
inline TreePtr times(TreePtr a, TreePtr b) {
  return call(Op::multiply, std::move(a), std::move(b));
}
inline TreePtr over(TreePtr a, TreePtr b) { return call(Op::divide, std::move(a), std::move(b)); }
inline TreePtr minus(TreePtr a, TreePtr b) {
  return plus(std::move(a), times(number(-1), std::move(b)));
}
inline TreePtr square(const TreePtr& a) { return times(a, a); }

/// For messages of failing tests.
inline std::string to_string(const TreePtr& t) {
  const auto infix = [&](const char* sign) {
    return "(" + to_string(t->a) + sign + to_string(t->b) + ")";
  };
  switch (t->op) {
    case Op::constant:
      return std::to_string(t->value.num) + "/" + std::to_string(t->value.den);
    case Op::pi:
      return "pi";
    case Op::symbol:
      return "x" + std::to_string(t->symbol);
    case Op::add:
      return infix(" + ");
    case Op::multiply:
      return infix("*");
    case Op::divide:
      return infix(" / ");
    case Op::power:
      return infix("^");
    default:
      break;
  }
  const std::string second = operand_count(t->op) > 1 ? ", " + to_string(t->b) : "";
  return std::string(function_name(t->op)) + "(" + to_string(t->a) + second + ")";
}

inline constexpr int symbol_count = 4;

inline std::vector<Expr> make_symbols(ExprPool& pool) {
  std::vector<Expr> symbols;
  for (int i = 0; i < symbol_count; ++i) symbols.push_back(pool.symbol("x" + std::to_string(i)));
  return symbols;
}

inline Expr build(const TreePtr& t, ExprPool& pool) {
  switch (t->op) {
    case Op::constant:
      return pool.rational(t->value.num, t->value.den);
    case Op::pi:
      return pool.pi();
    case Op::symbol:
      return pool.symbol("x" + std::to_string(t->symbol));
    default:
      break;
  }
  const Expr a = build(t->a, pool);
  if (operand_count(t->op) == 1) return {pool, pool.function(t->op, a.ref())};
  const Expr b = build(t->b, pool);
  switch (t->op) {
    case Op::add:
      return a + b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return pow(a, b);
    default:
      return {pool, pool.function(t->op, a.ref(), b.ref())};
  }
}

/// Makes trees and rewrites them. `roots` allows sqrt, abs, sign, asin, acos and log, whose
/// products obey rules that the fields do not know; equality of two forms is then not always
/// decided.
class RandomTrees {
 public:
  explicit RandomTrees(std::uint64_t seed, bool roots = false) : random_(seed), roots_(roots) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }

  /// A value that is finite for moderate states, with each operation inside its domain.
  TreePtr make(int depth) {
    if (depth <= 0) return leaf();
    const TreePtr a = make(depth - 1);
    switch (below(roots_ ? 19 : 14)) {
      case 0:
      case 1:
      case 2:
        return plus(a, make(depth - 1));
      case 3:
      case 4:
      case 5:
        return times(a, make(depth - 1));
      case 6:
        return over(a, plus(number(2), square(leaf())));
      case 7:
        return call(Op::sin, polynomial());
      case 8:
        return call(Op::cos, polynomial());
      case 9:
        return call(below(2) ? Op::tan : Op::tanh, times(number(1, 8), leaf()));
      case 10:
        return call(Op::exp, times(number(1, 4), polynomial()));
      case 11:
        return call(below(2) ? Op::sinh : Op::cosh, times(number(1, 4), leaf()));
      case 12:
        return call(roots_ && below(2) != 0 ? Op::sign : Op::atan, a);
      case 13:
        return piecewise(a, make(depth - 1));
      case 14:
        return call(Op::sqrt, plus(number(2), square(a)));
      case 15:
        return call(Op::abs, a);
      case 16:
        return call(Op::log, plus(number(2), square(a)));
      case 17:
        return call(below(2) ? Op::asin : Op::acos, over(number(1), plus(number(2), square(a))));
      default:
        return call(Op::power, plus(number(2), square(a)), number(1, 3));
    }
  }

  /// The same function in another form.
  TreePtr rewrite(const TreePtr& t) { return rewrite(t, false); }

 private:
  TreePtr leaf() {
    return below(4) == 0 ? number(below(9) - 4, 1 + below(6)) : trees::symbol(below(symbol_count));
  }

  TreePtr polynomial() {
    TreePtr sum = times(number(1 + below(3), 1 + below(2)), trees::symbol(below(symbol_count)));
    if (below(2) != 0) sum = plus(sum, times(trees::symbol(below(symbol_count)), leaf()));
    if (below(3) == 0) sum = plus(sum, times(number(below(8), 12), call(Op::pi, nullptr)));
    return sum;
  }

  TreePtr piecewise(const TreePtr& a, const TreePtr& b) {
    switch (below(4)) {
      case 0:
        return call(Op::min, a, b);
      case 1:
        return call(Op::max, a, b);
      case 2:
        return call(Op::step, a);
      default:
        return call(Op::atan2, a, plus(number(3), square(b)));
    }
  }

  // `angle`: inside an argument of sin, cos or exp, where sums and products are understood but
  // divisions are not.
  TreePtr rewrite(const TreePtr& t, bool angle) {
    if (operand_count(t->op) == 0) return below(6) == 0 ? disguise(t, angle) : t;
    const bool inside = angle || t->op == Op::sin || t->op == Op::cos || t->op == Op::tan ||
                        t->op == Op::exp || t->op == Op::sinh || t->op == Op::cosh ||
                        t->op == Op::tanh;
    TreePtr r = call(t->op, rewrite(t->a, inside),
                     operand_count(t->op) > 1 ? rewrite(t->b, inside) : nullptr);
    r = reshape(r);
    return below(8) == 0 ? disguise(r, angle) : r;
  }

  TreePtr reshape(const TreePtr& t) {
    const TreePtr &a = t->a, &b = t->b;
    const bool sum_inside = a->op == Op::add;
    switch (t->op) {
      case Op::add:
        return reshape_sum(t);
      case Op::multiply:
        if (b->op == Op::add && below(2) != 0) return plus(times(a, b->a), times(a, b->b));
        if (b->op == Op::multiply && below(2) != 0) return times(times(a, b->a), b->b);
        return below(2) != 0 ? times(b, a) : t;
      case Op::divide:
        return below(2) != 0 ? times(a, over(number(1), b))
                             : over(times(number(2), a), times(number(2), b));
      case Op::sin:
        if (sum_inside)
          return plus(times(sine(a->a), cosine(a->b)), times(cosine(a->a), sine(a->b)));
        return below(2) != 0 ? times(number(2), times(sine(half(a)), cosine(half(a)))) : t;
      case Op::cos:
        if (sum_inside)
          return minus(times(cosine(a->a), cosine(a->b)), times(sine(a->a), sine(a->b)));
        return below(2) != 0 ? minus(number(1), times(number(2), square(sine(half(a)))))
                             : quarter_turn(a);
      case Op::tan:
        return over(sine(a), cosine(a));
      case Op::exp:
        return sum_inside ? times(call(Op::exp, a->a), call(Op::exp, a->b)) : t;
      case Op::sinh:
        return times(number(1, 2), minus(call(Op::exp, a), call(Op::exp, times(number(-1), a))));
      case Op::tanh:
        return over(call(Op::sinh, a), call(Op::cosh, a));
      case Op::cosh:
        return plus(number(1), times(number(2), square(call(Op::sinh, half(a)))));
      case Op::atan:
        return times(number(-1), call(Op::atan, times(number(-1), a)));
      case Op::sign:
        return times(number(-1), call(Op::sign, times(number(-1), a)));
      case Op::min:
      case Op::max:
        return call(t->op, b, a);
      default:
        return t;
    }
  }

  TreePtr reshape_sum(const TreePtr& t) {
    const TreePtr &a = t->a, &b = t->b;
    if (a->op == Op::divide && b->op == Op::divide) {
      return over(plus(times(a->a, b->b), times(b->a, a->b)), times(a->b, b->b));
    }
    if (a->op == Op::add && below(2) != 0) return plus(a->a, plus(a->b, b));
    return below(2) != 0 ? plus(b, a) : t;
  }

  TreePtr disguise(const TreePtr& t, bool angle) {
    const TreePtr y = plus(trees::symbol(below(symbol_count)), number(1 + below(3)));
    switch (below(angle ? 3 : 6)) {
      case 0:
        return minus(plus(t, y), y);
      case 1:
        return times(number(-1), times(number(-1), t));
      case 2:
        return minus(times(number(3), t), times(number(2), t));
      case 3:
        return times(t, plus(square(sine(y)), square(cosine(y))));
      case 4:
        return over(times(t, y), y);
      default:
        return times(t, minus(square(call(Op::cosh, y)), square(call(Op::sinh, y))));
    }
  }

  static TreePtr sine(const TreePtr& a) { return call(Op::sin, a); }
  static TreePtr cosine(const TreePtr& a) { return call(Op::cos, a); }
  static TreePtr half(const TreePtr& a) { return times(number(1, 2), a); }
  static TreePtr quarter_turn(const TreePtr& a) {
    return call(Op::sin, plus(a, times(number(1, 2), call(Op::pi, nullptr))));
  }

  std::mt19937_64 random_;
  bool roots_;
};

}  // namespace visviva::trees
