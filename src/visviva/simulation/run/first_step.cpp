#include "visviva/simulation/run/first_step.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace visviva {

// Hairer, Norsett, Wanner I, II.4: an Euler step and the change of the rates over it.
double choose_first_step(RunContext& context, const Stepper& stepper, double tolerance) {
  const double *y = stepper.state(), *f = stepper.rates();
  const std::size_t n = stepper.size();
  const double span = context.span;
  const auto norm = [&](const auto& value) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = value(i) / (1 + std::abs(y[i]));
      sum += x * x;
    }
    return std::sqrt(sum / static_cast<double>(n));
  };
  const double d1 = norm([&](std::size_t i) { return f[i]; });
  const double h0 = std::min(d1 > 0 ? 1e-3 / d1 : 1e-3 * span, 1e-2 * span);
  std::vector<double> moved(n), rates(n);
  for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + h0 * f[i];
  double d2 = 0.0;
  if (context.rates.compute_rates(stepper.time() + h0, moved.data(), rates.data()))
    d2 = norm([&](std::size_t i) { return rates[i] - f[i]; }) / h0;
  const double d = std::max({d1, std::isfinite(d2) ? d2 : 0.0, 1e-15});
  const double h1 = std::pow(0.01 * tolerance / d, 1.0 / (stepper.facts().error_order + 1));
  return std::min({100 * h0, h1, span, context.options.max_step});
}

}  // namespace visviva
