// SampleClock: when a sampled controller looks, and what it makes of the state then.
#pragma once

#include <vector>

#include "visviva/simulation/run/system_rates.h"

namespace visviva {

/// The samples of a system in a run: each is due at whole multiples of its period, from t = 0 on.
class SampleClock {
 public:
  /// `rates` must outlive it.
  SampleClock(const SystemRates& rates, double from, double until);

  /// The times at which samples are due, without that at which the run begins.
  std::vector<double> list_times() const;
  /// Whether a sample is due at t, but for rounding.
  bool is_due(double t) const;
  /// Changes the state by all samples that are due; each sees what is there just before.
  void apply(double t, double* y) const;

 private:
  bool is_due(double period, double t) const;

  const SystemRates& rates_;
  double from_, until_, rounding_;
  std::vector<double> periods_;
};

}  // namespace visviva
