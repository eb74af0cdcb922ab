#include "visviva/simulation/run/sample_clock.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {

SampleClock::SampleClock(const SystemRates& rates, double from, double until)
    : rates_(rates),
      from_(from),
      until_(until),
      rounding_(64 * machine_epsilon * std::max(std::abs(until), until - from)) {
  const CompiledSystem& system = rates.system();
  for (std::size_t i = 0; i < system.sample_count(); ++i)
    periods_.push_back(system.sample_period(i, rates.prepared()));
}

std::vector<double> SampleClock::list_times() const {
  std::vector<double> times;
  for (const double period : periods_) {
    for (double k = std::floor(from_ / period); k * period < until_; ++k)
      if (k * period > from_) times.push_back(k * period);
  }
  return times;
}

bool SampleClock::is_due(double period, double t) const {
  return std::abs(t - std::round(t / period) * period) <= rounding_;
}

bool SampleClock::is_due(double t) const {
  return std::any_of(periods_.begin(), periods_.end(),
                     [&](double period) { return is_due(period, t); });
}

void SampleClock::apply(double t, double* y) const {
  const CompiledSystem& system = rates_.system();
  const std::vector<double> before(y, y + system.state_count());
  for (std::size_t i = 0; i < periods_.size(); ++i) {
    if (is_due(periods_[i], t))
      system.apply_sample(i, rates_.at(t, before.data()), rates_.prepared(), y);
  }
}

}  // namespace visviva
