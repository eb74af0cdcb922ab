// When a run goes over to the implicit method, and back.
//
// An explicit method at the limit of its stability may still be cheaper than an implicit one. So the
// implicit one is tried for some steps, and what either has cost a second of motion decides.
#include <algorithm>

#include "visviva/simulation/run/run.h"

namespace visviva {
namespace {

constexpr double stability_limit = 3.2;  // h |eigenvalue| of verner98 from which on it is suspected
constexpr int calm_enough = 6;           // steps below it clear the suspicion
constexpr int trial_steps = 20;
constexpr double calm_stiffness = 1.0;  // h |eigenvalue| of the implicit steps

}  // namespace

void Run::watch_stiffness() {
  if (!implicit_ || stays_explicit_) return;
  const double h = stepper_->last_step();
  const std::size_t n = system_.state_count();
  if (stepper_ == explicit_.get()) {
    if (stepper_->stiffness() > stability_limit) {
      ++stiff_steps_;
      calm_steps_ = 0;
    } else if (++calm_steps_ >= calm_enough) {
      stiff_steps_ = 0;
    }
    if (stiff_steps_ < patience_) return;
    trial_ = {.t = stepper_->time(),
              .cost = static_cast<double>(explicit_->facts().stages) / h,
              .explicit_step = h,
              .steps = 0};
    std::copy_n(stepper_->state(), y_.size(), y_.begin());
    const double t = stepper_->time();
    if (!implicit_->restart(t, y_.data())) return;
    stepper_ = implicit_.get();
    control_.change_method(stepper_->facts().order, stepper_->facts().error_order);
    trial_.evaluations = implicit_->evaluations();
    used_implicit_ = true;
    stiff_steps_ = calm_steps_ = 0;
    return;
  }
  ++trial_.steps;
  calm_steps_ = stepper_->stiffness() < calm_stiffness ? calm_steps_ + 1 : 0;
  bool returns = calm_steps_ >= trial_steps;
  if (trial_.steps == trial_steps) {
    // A Jacobian and two factorizations weigh about as much as this many rates.
    const double work = static_cast<double>(implicit_->evaluations() - trial_.evaluations) +
                        trial_steps * (1.0 + 0.5 * static_cast<double>(n));
    const double length = stepper_->time() - trial_.t;
    if (length <= 0 || work / length > trial_.cost) {
      returns = true;
      patience_ = std::min(patience_ * 8, 1e6);
    }
  }
  if (!returns) return;
  std::copy_n(stepper_->state(), y_.size(), y_.begin());
  const double t = stepper_->time();
  if (!explicit_->restart(t, y_.data())) return;
  stepper_ = explicit_.get();
  control_.change_method(stepper_->facts().order, stepper_->facts().error_order);
  h_ = std::min(h_, trial_.explicit_step);
  stiff_steps_ = calm_steps_ = 0;
}

}  // namespace visviva
