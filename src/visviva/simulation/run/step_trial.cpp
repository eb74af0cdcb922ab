#include "visviva/simulation/run/step_trial.h"

#include <algorithm>
#include <cmath>

namespace visviva {
namespace {

constexpr double far_errors = 100.0;  // times the estimated error of a step
// Near singular configurations what is left of a good step's error is larger where it is seen.
constexpr double far_tolerances = 1e4, farthest = 1e-2;

}  // namespace

StepTrial::StepTrial(RunContext& context)
    : context_(context), end_(context.rates.size()), error_(context.rates.size()) {}

bool StepTrial::propose(Stepper& stepper, double h, double tolerance) {
  if (!stepper.attempt(h, tolerance)) return false;
  std::copy_n(stepper.proposed(), end_.size(), end_.begin());
  return true;
}

void StepTrial::propose_by_euler(const Stepper& stepper, double h) {
  for (std::size_t i = 0; i < end_.size(); ++i)
    end_[i] = stepper.state()[i] + h * stepper.rates()[i];
}

MeasuredStep StepTrial::measure(const Stepper& stepper, double h, double tolerance) {
  const double t = stepper.time() + h;
  MeasuredStep step{.h = h, .drift = project(t)};
  if (!step.drift.is_done) {
    step.trouble = StepTrouble::constraints_lost;
    return step;
  }
  if (step.drift.turn > largest_turn) {
    step.trouble = StepTrouble::branches_meet;
    return step;
  }
  if (!is_near(stepper, t, tolerance)) {
    step.trouble = StepTrouble::projected_too_far;
    return step;
  }
  step.deviation = compute_deviation(t);
  step.error = measure_projected_error(stepper, t, tolerance);
  if (!std::isfinite(step.deviation) || !std::isfinite(step.error))
    step.trouble = StepTrouble::not_finite;
  return step;
}

// Whether the projection has moved the proposal no farther than its error explains. Else it has gone to
// another branch of the constraints, or over a place where they are not smooth.
bool StepTrial::is_near(const Stepper& stepper, double t, double tolerance) {
  if (!context_.projection.is_needed()) return true;
  const double* proposed = stepper.proposed();
  std::size_t most = 0;
  double largest = 0.0;
  for (std::size_t i = 0; i < end_.size(); ++i) {
    error_[i] = end_[i] - proposed[i];
    const double x = std::abs(error_[i]) / (1 + std::abs(proposed[i]));
    if (x <= largest) continue;
    largest = x;
    most = i;
  }
  const double allowed = std::max(far_errors * measure_error(stepper, stepper.error()),
                                  std::min(far_tolerances * tolerance, farthest));
  if (!(measure_error(stepper, error_.data()) > allowed)) return true;
  far_move_ = {t, context_.rates.name(most), proposed[most], end_[most]};
  return false;
}

// What the projection corrects is no error.
double StepTrial::measure_projected_error(const Stepper& stepper, double t, double tolerance) {
  const double e = measure_error(stepper, stepper.error());
  if (!context_.projection.is_needed() || !(e > tolerance)) return e;
  std::copy_n(stepper.error(), error_.size(), error_.begin());
  context_.projection.project_error(t, stepper.proposed(), end_.data(), error_.data());
  return measure_error(stepper, error_.data());
}

double StepTrial::measure_error(const Stepper& stepper, const double* error) const {
  const double *y = stepper.state(), *z = end_.data();
  double sum = 0.0;
  for (std::size_t i = 0; i < end_.size(); ++i) {
    const double x = error[i] / (1 + std::max(std::abs(y[i]), std::abs(z[i])));
    sum += x * x;
  }
  return std::sqrt(sum / static_cast<double>(end_.size()));
}

bool StepTrial::accept(Stepper& stepper) const {
  return context_.projection.is_needed() ? stepper.accept_at(end_.data()) : stepper.accept();
}

}  // namespace visviva
