// What all one-step methods share: sums that lose nothing by rounding.
#include "visviva/simulation/integrators/stepper.h"

#include <algorithm>

namespace visviva {
namespace {

struct Sum {
  double value, carry;
};

// The sum s of y and x = increment - carry is rounded; what it lost is found without loss by
// D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B:
//   z = s - y,  lost = (y - (s - z)) + (x - z),  s + lost = y + x.                              (1)
inline Sum add(double y, double increment, double carry) {
  const double x = increment - carry;
  const double s = y + x;
  const double z = s - y;
  return {s, -((y - (s - z)) + (x - z))};  // (1)
}

}  // namespace

Stepper::Stepper(RateFunction& function) : function_(function) {}

bool Stepper::restart(double t, const double* y) {
  const std::size_t n = function_.size();
  y_.resize(n);
  if (y != y_.data()) std::copy(y, y + n, y_.begin());  // `y` may be state() or proposed()
  for (auto* values : {&rates_, &proposed_, &next_rates_, &increment_, &error_})
    values->assign(n, 0.0);
  carry_.assign(n, 0.0);
  next_carry_.assign(n, 0.0);
  t_ = t;
  t_carry_ = h_ = 0.0;
  begin();
  return evaluate(t_, y_.data(), rates_.data()) && all_finite(rates_.data(), n);
}

bool Stepper::attempt(double h, double tolerance) {
  h_ = h;
  if (!compute_step(h, tolerance)) return false;
  propose();
  return true;
}

void Stepper::propose() {
  const std::size_t n = y_.size();
  const double *y = y_.data(), *increment = increment_.data(), *carry = carry_.data();
  double *proposed = proposed_.data(), *next_carry = next_carry_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const Sum sum = add(y[i], increment[i], carry[i]);
    proposed[i] = sum.value;
    next_carry[i] = sum.carry;
  }
}

void Stepper::advance_time() {
  const Sum sum = add(t_, h_, t_carry_);
  t_ = sum.value;
  t_carry_ = sum.carry;
}

bool Stepper::accept() {
  if (!compute_next_rates()) return false;
  advance_time();
  std::copy(proposed_.begin(), proposed_.end(), y_.begin());
  std::copy(next_carry_.begin(), next_carry_.end(), carry_.begin());
  std::copy(next_rates_.begin(), next_rates_.end(), rates_.begin());
  return true;
}

bool Stepper::accept_at(const double* y) {
  const std::size_t n = y_.size();
  if (!evaluate(t_ + h_, y, next_rates_.data()) || !all_finite(next_rates_.data(), n)) return false;
  // Where the projection changed nothing the carry still holds; elsewhere it is below its changes.
  for (std::size_t i = 0; i < n; ++i) carry_[i] = y[i] == proposed_[i] ? next_carry_[i] : 0.0;
  advance_time();
  std::copy(y, y + n, y_.begin());
  std::copy(next_rates_.begin(), next_rates_.end(), rates_.begin());
  return true;
}

}  // namespace visviva
