#include "visviva/simulation/run/step_trial.h"

#include <algorithm>
#include <cmath>

namespace visviva {

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
  step.deviation = compute_deviation(t);
  step.error = measure_projected_error(stepper, t, tolerance);
  if (!std::isfinite(step.deviation) || !std::isfinite(step.error))
    step.trouble = StepTrouble::not_finite;
  return step;
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
