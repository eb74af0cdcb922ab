// How runs end: what is said when one is refused, and what is written in any case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/simulation/run/run.h"

namespace visviva {

Run::Outcome Run::refuse(Refusal refusal, std::string reason) {
  trajectory_.refusal = refusal;
  trajectory_.reason = std::move(reason);
  return Outcome::refused;
}

void Run::explain_small_step(double h) {
  const double t = stepper_->time();
  if (trouble_ == Refusal::constraints_lost) {
    refuse(trouble_, fmt::format("at t = {} no state was found that satisfies the constraints", t));
    return;
  }
  if (is_sticking()) return refuse_sticking();
  const std::string found = explain_rates(h);
  if (!found.empty())
    refuse(Refusal::not_finite, fmt::format("at t = {}: {}", t, found));
  else if (failures_ > most_failures)
    refuse(Refusal::not_finite, fmt::format("at t = {}: the rates cannot be computed beyond", t));
  else
    refuse(
        Refusal::step_too_small,
        fmt::format("at t = {} steps of {:.2g} s are still too long: the motion blows up there, or "
                    "a force jumps in a way that the equations do not show",
                    t, h));
}

// Along the motion, not only where the last step began: the trouble may lie ahead.
std::string Run::explain_rates(double h) {
  const double t = stepper_->time();
  for (const double s : {0.0, 1.0, 1e1, 1e2, 1e4, 1e6, 1e8}) {
    for (std::size_t i = 0; i < row_.size(); ++i)
      row_[i] = (h > 0 ? stepper_->state()[i] + s * h * stepper_->rates()[i] : y_[i]);
    const std::string found = rates_.examine(t + s * h, row_.data());
    if (!found.empty()) return found;
    if (h <= 0) break;
  }
  return {};
}

// How the defect of a step changes when it is halved: 2^(order + 1) times less where steps are merely
// too long, 2 times where dE_Z/dt is not zero or a force jumps.
double Run::observe_order() {
  const double t = stepper_->time();
  double h = std::min(options_.until - t, std::max(h_, 1e-6 * span_)), last = 0.0;
  for (int k = 0; k < 12; ++k, h *= 0.5) {
    if (!stepper_->attempt(h, control_.tolerance())) continue;
    std::copy_n(stepper_->proposed(), y_.size(), y_.begin());
    if (projection_.is_needed()) projection_.project(t + h, y_.data());
    const double change =
        std::abs(watch_.compute_deviation(t + h, y_.data()) - control_.deviation());
    if (!std::isfinite(change)) continue;
    if (change < 20 * watch_.noise()) break;
    if (last > 0 && k >= 4) return std::log2(last / change);
    last = change;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Run::Outcome Run::explain_stuck() {
  const double t = stepper_->time(), tolerance = *options_.energy;
  if (tolerance < floor_factor * watch_.noise())
    return refuse(
        Refusal::below_rounding_floor,
        fmt::format("at t = {} the tolerance {} J is below what rounding does to E_Z; the "
                    "smallest that can be certified here is {:.2g} J",
                    t, tolerance, floor_factor * watch_.noise()));
  const double order = observe_order();
  const std::string tail =
      std::isfinite(order)
          ? fmt::format("; halving a step divides its change of E_Z by 2^{:.1f}: {}", order,
                        order < 2 ? "E_Z is not constant there (an error of the model, or a force "
                                    "that jumps)"
                                  : "the motion needs shorter steps than rounding allows")
          : "; the changes are down to rounding";
  return refuse(
      Refusal::budget_exhausted,
      fmt::format("at t = {} E_Z has changed by {:.3g} J and cannot be kept within {} J{}", t,
                  control_.deviation(), tolerance, tail));
}

void Run::write(Outcome outcome) {
  // Rounding of the sum of all steps is no part of the time that was asked for.
  const double t = outcome == Outcome::reached && fired_ < 0 ? options_.until : stepper_->time();
  if (trajectory_.columns.empty() && stepper_->size() == y_.size())
    std::copy_n(stepper_->state(), y_.size(), y_.begin());
  const bool has_begun = trajectory_.steps > 0;
  if (has_begun && trajectory_.refusal != Refusal::interrupted) sampler_.finish(t, y_.data());
  sampler_.write(&trajectory_);
  Trajectory& r = trajectory_;
  r.status = outcome == Outcome::reached   ? RunStatus::done
             : outcome == Outcome::stopped ? RunStatus::stopped
                                           : RunStatus::refused;
  if (fired_ >= 0) r.reason = "event " + system_.event_names()[static_cast<std::size_t>(fired_)];
  r.t_start = options_.from;
  r.t_end = t;
  for (std::size_t i = 0; i < rates_.size(); ++i) r.state_names.push_back(rates_.name(i));
  r.end_state = y_;
  r.end_rates.assign(stepper_->rates(), stepper_->rates() + rates_.size());
  watch_.write(&r);
  r.certificate.tolerance = options_.energy;
  r.certificate.is_moderated = options_.energy.has_value();
  r.evaluations = explicit_->evaluations() + (implicit_ ? implicit_->evaluations() : 0);
  r.method = explicit_->facts().name + (used_implicit_ ? ", radau5" : "");
  r.smallest_tolerance = control_.smallest_tolerance();
  r.largest_tolerance = control_.largest_tolerance();
}

}  // namespace visviva
