// Rates from functions written in a test, and a plain driver that follows the estimate of the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"

namespace visviva {

class FunctionRates : public RateFunction {
 public:
  using Rates = std::function<bool(double, const double*, double*)>;
  using Jacobian = std::function<bool(double, const double*, double*, double*)>;

  FunctionRates(std::size_t size, Rates rates, Jacobian jacobian)
      : size_(size), rates_(std::move(rates)), jacobian_(std::move(jacobian)) {}

  std::size_t size() const override { return size_; }
  bool compute_rates(double t, const double* y, double* rates) override {
    return rates_(t, y, rates);
  }
  bool compute_jacobian(double t, const double* y, double* by_state, double* by_time) override {
    ++jacobians;
    std::fill(by_state, by_state + size_ * size_, 0.0);
    std::fill(by_time, by_time + size_, 0.0);
    return jacobian_(t, y, by_state, by_time);
  }

  int jacobians = 0;  ///< computed so far

 private:
  std::size_t size_;
  Rates rates_;
  Jacobian jacobian_;
};

struct PlainRun {
  bool is_done = false;
  int steps = 0, rejected = 0;
  std::vector<double> state;
};

/// Steps of the classical size from the stepper's time to `until`; `watch` is told the
/// length of each good step before it is accepted.
inline PlainRun run_plainly(
    Stepper& stepper, double until, double tolerance, double h,
    const std::function<void(double)>& watch = [](double) {}) {
  PlainRun run;
  const double q = stepper.facts().error_order + 1;
  for (int k = 0; k < 200000 && stepper.time() < until; ++k) {
    const bool is_last = stepper.time() + h >= until;
    const double tried = is_last ? until - stepper.time() : h;
    double worst = 1e3;
    if (stepper.attempt(tried, tolerance)) {
      worst = 0.0;
      for (std::size_t i = 0; i < stepper.size(); ++i)
        worst = std::max(worst, std::abs(stepper.error()[i]) /
                                    (tolerance * (1.0 + std::abs(stepper.state()[i]))));
    }
    if (worst <= 1.0) {
      watch(tried);
      if (stepper.accept()) ++run.steps;
    } else {
      ++run.rejected;
    }
    h = tried * std::clamp(0.9 * std::pow(worst, -1.0 / q), 0.2, 5.0);
  }
  run.is_done = stepper.time() >= until;
  run.state.assign(stepper.state(), stepper.state() + stepper.size());
  return run;
}

}  // namespace visviva
