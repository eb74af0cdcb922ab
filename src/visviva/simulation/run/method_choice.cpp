#include "visviva/simulation/run/method_choice.h"

#include <algorithm>
#include <limits>

namespace visviva {
namespace {

constexpr double stability_limit = 3.2;  // h |eigenvalue| of verner98 from which on it is suspected
constexpr int calm_enough = 6;           // steps below it clear the suspicion
constexpr int trial_steps = 20;
constexpr double calm_stiffness = 1.0;  // h |eigenvalue| of the implicit steps
constexpr double first_patience = 15, most_patience = 1e6;
constexpr double most_explicit_steps = 1e5;  // in place of implicit ones

std::string explicit_method(const RunOptions& options) {
  return options.method == "auto" ? "verner98" : options.method;
}

}  // namespace

MethodChoice::MethodChoice(RunContext& context)
    : context_(context),
      explicit_(make_stepper(explicit_method(context.options), context.rates)),
      stepper_(explicit_.get()) {
  if (context.options.method == "auto") implicit_ = make_stepper("radau5", context.rates);
}

Stepper& MethodChoice::begin() {
  stepper_ = explicit_.get();
  stiff_steps_ = calm_steps_ = 0;
  used_implicit_ = false;
  patience_ = first_patience;
  return *stepper_;
}

bool MethodChoice::reconsider() {
  if (!implicit_ || stays_explicit_) return false;
  if (stepper_ == explicit_.get()) {
    if (stepper_->stiffness() > stability_limit) {
      ++stiff_steps_;
      calm_steps_ = 0;
    } else if (++calm_steps_ >= calm_enough) {
      stiff_steps_ = 0;
    }
    return stiff_steps_ >= patience_ && try_implicit();
  }
  ++trial_.steps;
  calm_steps_ = stepper_->stiffness() < calm_stiffness ? calm_steps_ + 1 : 0;
  bool returns = calm_steps_ >= trial_steps;
  if (trial_.steps == trial_steps && !is_implicit_worth_it()) {
    returns = true;
    patience_ = std::min(patience_ * 8, most_patience);
  }
  return returns && return_to_explicit();
}

bool MethodChoice::try_implicit() {
  const double t = explicit_->time(), h = explicit_->last_step();
  trial_ = {.t = t, .cost = static_cast<double>(explicit_->facts().stages) / h, .explicit_step = h};
  if (!implicit_->restart(t, explicit_->state())) return false;
  trial_.evaluations = implicit_->evaluations();
  used_implicit_ = true;
  stepper_ = implicit_.get();
  stiff_steps_ = calm_steps_ = 0;
  return true;
}

bool MethodChoice::is_implicit_worth_it() {
  const auto n = static_cast<double>(context_.system.state_count());
  // A Jacobian and two factorizations weigh about as much as this many rates.
  const double work = static_cast<double>(implicit_->evaluations() - trial_.evaluations) +
                      trial_steps * (1.0 + 0.5 * n);
  const double length = implicit_->time() - trial_.t;
  return length > 0 && work / length <= trial_.cost;
}

bool MethodChoice::return_to_explicit() {
  if (!explicit_->restart(implicit_->time(), implicit_->state())) return false;
  stepper_ = explicit_.get();
  stiff_steps_ = calm_steps_ = 0;
  return true;
}

double MethodChoice::longest_step() const {
  return stepper_ == explicit_.get() ? trial_.explicit_step
                                     : std::numeric_limits<double>::infinity();
}

bool MethodChoice::try_without_implicit() {
  if (!used_implicit_ || !(context_.span < most_explicit_steps * trial_.explicit_step))
    return false;
  stays_explicit_ = true;
  return true;
}

std::size_t MethodChoice::evaluations() const {
  return explicit_->evaluations() + (implicit_ ? implicit_->evaluations() : 0);
}

std::string MethodChoice::names() const {
  return explicit_->facts().name + (used_implicit_ ? ", " + implicit_->facts().name : "");
}

}  // namespace visviva
