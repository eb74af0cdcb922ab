// What all one-step methods share: sums that lose nothing by rounding, and the list of methods.
#include "visviva/simulation/integrators/stepper.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/base/words.h"
#include "visviva/simulation/integrators/methods.h"

namespace visviva {
namespace {

struct Method {
  const MethodFacts& (*facts)();
  std::unique_ptr<Stepper> (*make)(RateFunction&);
};

constexpr Method methods[] = {
    {verner98_facts, make_verner98},
    {dop853_facts, make_dop853},
    {dopri5_facts, make_dopri5},
    {radau5_facts, make_radau5},
};

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

std::unique_ptr<Stepper> make_stepper(const std::string& method, RateFunction& function) {
  for (const Method& known : methods) {
    if (known.facts().name == method) return known.make(function);
  }
  const std::string names = join_each(list_methods(), [](const auto& m) { return m.name; });
  throw UsageError("make_stepper", "no method is called '" + method + "'; there are " + names);
}

const std::vector<MethodFacts>& list_methods() {
  static const std::vector<MethodFacts> list = [] {
    std::vector<MethodFacts> facts;
    for (const Method& method : methods) facts.push_back(method.facts());
    return facts;
  }();
  return list;
}

}  // namespace visviva
