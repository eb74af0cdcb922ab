#include "visviva/symbolic/calculus/ball.h"

#include <flint/fmpq.h>

#include "visviva/symbolic/calculus/apply_operation.h"
#include "visviva/symbolic/calculus/cone.h"

namespace visviva {
namespace {

void set_rational(arb_ptr z, const BigRational& r, long bits) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_str(q, r.text().c_str(), 10);
  arb_set_fmpq(z, q, bits);
  fmpq_clear(q);
}

// 0 below zero, 1 from zero on, and [0, 1] when the ball does not tell.
void step(arb_ptr z, arb_srcptr x) {
  if (arb_is_nonnegative(x)) {
    arb_one(z);
  } else if (arb_is_negative(x)) {
    arb_zero(z);
  } else {
    arb_unit_interval(z);
  }
}

void apply(Op op, arb_ptr z, arb_srcptr x, arb_srcptr y, long bits) {
  switch (op) {
    case Op::add:
      return arb_add(z, x, y, bits);
    case Op::multiply:
      return arb_mul(z, x, y, bits);
    case Op::divide:
      return arb_div(z, x, y, bits);
    case Op::power:
      // Real powers are defined for positive bases.
      if (arb_is_positive(x)) return arb_pow(z, x, y, bits);
      return arb_indeterminate(z);
    case Op::sqrt:
      return arb_sqrt(z, x, bits);
    case Op::exp:
      return arb_exp(z, x, bits);
    case Op::log:
      return arb_log(z, x, bits);
    case Op::sin:
      return arb_sin(z, x, bits);
    case Op::cos:
      return arb_cos(z, x, bits);
    case Op::tan:
      return arb_tan(z, x, bits);
    case Op::asin:
      return arb_asin(z, x, bits);
    case Op::acos:
      return arb_acos(z, x, bits);
    case Op::atan:
      return arb_atan(z, x, bits);
    case Op::sinh:
      return arb_sinh(z, x, bits);
    case Op::cosh:
      return arb_cosh(z, x, bits);
    case Op::tanh:
      return arb_tanh(z, x, bits);
    case Op::abs:
      return arb_abs(z, x);
    case Op::sign:
      return arb_sgn(z, x);
    case Op::step:
      return step(z, x);
    case Op::min:
      return arb_min(z, x, y, bits);
    case Op::max:
      return arb_max(z, x, y, bits);
    case Op::atan2:
      return arb_atan2(z, x, y, bits);
    case Op::pair:
      arb_set_d(z, 0.7548776662466927);
      arb_mul(z, z, y, bits);
      return arb_add(z, z, x, bits);
    case Op::call:
      arb_mul_si(z, x, 7, bits);
      arb_add(z, z, y, bits);
      arb_sin(z, z, bits);
      arb_mul_2exp_si(z, z, 2);
      arb_add_si(z, z, 5, bits);
      arb_mul_2exp_si(z, z, -2);
      return arb_mul(z, z, x, bits);
    case Op::constant:
    case Op::pi:
    case Op::symbol:
    case Op::function:
      break;
  }
  arb_indeterminate(z);
}

}  // namespace

BallEvaluator::BallEvaluator(const ExprPool& pool, const std::vector<Ref>& roots)
    : pool_(pool), roots_(roots), cone_(collect_cone(pool, roots)) {
  for (const std::uint32_t i : cone_) {
    if (pool.node(i << 1).op == Op::symbol) symbols_.push_back(i << 1);
  }
}

std::vector<Ball> BallEvaluator::evaluate(const std::vector<BigRational>& state, long bits) const {
  std::vector<Ball> value(cone_.size());
  IndexMap slot;
  const auto read = [&](Ref ref) {
    Ball v = value[*slot.find(ref >> 1)];
    if ((ref & 1u) != 0) arb_neg(v.get(), v.get());
    return v;
  };
  std::size_t next_symbol = 0;
  for (std::size_t i = 0; i < cone_.size(); ++i) {
    const Ref ref = cone_[i] << 1;
    const Node& n = pool_.node(ref);
    arb_ptr z = value[i].get();
    slot.set(cone_[i], static_cast<std::uint32_t>(i));
    if (n.op == Op::constant) {
      const auto exact = pool_.exact_value(ref);
      exact ? set_rational(z, *exact, bits) : arb_indeterminate(z);
    } else if (n.op == Op::pi) {
      arb_const_pi(z, bits);
    } else if (n.op == Op::function) {
      arb_set_d(z, function_stand_in(pool_.fingerprint(ref)));
    } else if (n.op == Op::symbol) {
      set_rational(z, state[next_symbol++], bits);
    } else {
      const Ball x = read(n.a);
      const Ball y = operand_count(n.op) > 1 ? read(n.b) : Ball();
      apply(n.op, z, x.get(), y.get(), bits);
      // What is undefined here stays undefined: arb_sgn and the like would forget it.
      if (!x.is_finite() || !y.is_finite()) arb_indeterminate(z);
    }
  }
  std::vector<Ball> result;
  for (const Ref root : roots_) result.push_back(read(root));
  return result;
}

}  // namespace visviva
