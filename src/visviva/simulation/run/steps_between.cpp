#include "visviva/simulation/run/steps_between.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr int most_tries = 2000;

}  // namespace

const double* StepsBetween::reach(double t, const double* y, double to, const Demands& demands,
                                  const char* method) {
  if (!stepper_ || stepper_->facts().name != method)
    stepper_ = make_stepper(method, context_.rates);
  if (!stepper_->restart(t, y)) return nullptr;
  const double tiny =
      4 * machine_epsilon * std::max({std::abs(t), std::abs(to), 1e-3 * context_.span});
  double h = to - t;
  for (int k = 0; k < most_tries; ++k) {
    const double left = to - stepper_->time();
    if (std::abs(left) <= tiny) return stepper_->state();
    if (std::abs(h) > 0.5 * std::abs(left)) h = std::abs(h) < std::abs(left) ? 0.5 * left : left;
    if (std::abs(h) <= tiny) return nullptr;
    if (!trial_.propose(*stepper_, h, demands.tolerance)) {
      h *= 0.25;
      continue;
    }
    const MeasuredStep step = trial_.measure(*stepper_, h, demands.tolerance);
    const bool is_good = step.trouble == StepTrouble::none && step.error <= demands.tolerance &&
                         std::abs(step.deviation) <= demands.deviation;
    if (!is_good || !trial_.accept(*stepper_)) h *= 0.25;
  }
  return nullptr;
}

}  // namespace visviva
