// Rigorous evaluation: expressions at an exact state as balls (midpoint and radius) that contain
// their true values.
#pragma once

#include <arb.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// A real number known to lie in an interval; owns an arb_t.
class Ball {
 public:
  Ball() { arb_init(value_); }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  arb_ptr get() { return value_; }
  arb_srcptr get() const { return value_; }
  bool is_finite() const { return arb_is_finite(value_) != 0; }
  double nearest() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }

 private:
  arb_t value_;
};

/// Two or more expressions made ready for evaluation in balls at any precision.
class BallEvaluator {
 public:
  BallEvaluator(const ExprPool& pool, const std::vector<Ref>& roots);

  /// The symbols that need values, in the order in which evaluate() takes them.
  const std::vector<Ref>& symbols() const { return symbols_; }
  /// One ball a root; not finite where a root is undefined or `bits` are too few to tell.
  std::vector<Ball> evaluate(const std::vector<BigRational>& state, long bits) const;

 private:
  const ExprPool& pool_;
  std::vector<Ref> roots_;
  std::vector<std::uint32_t> cone_;
  std::vector<Ref> symbols_;
};

}  // namespace visviva
