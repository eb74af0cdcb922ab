// StepsBetween: steps of their own to a time within a step of a run, each judged like the run's, where
// its dense output is not good enough.
#pragma once

#include <memory>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/run_context.h"
#include "visviva/simulation/run/step_trial.h"

namespace visviva {

class StepsBetween {
 public:
  /// Steps for a run whose context outlives them.
  explicit StepsBetween(RunContext& context) : context_(context), trial_(context) {}

  /// What each step must satisfy.
  struct Demands {
    double tolerance;  ///< of the local error
    double deviation;  ///< of E_Z from its start, J
  };
  /// From (t, y) to the time `to`, before or after t, by `method`. Nothing where no good steps lead there.
  const double* reach(double t, const double* y, double to, const Demands& demands,
                      const char* method = "verner98");

 private:
  RunContext& context_;
  StepTrial trial_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace visviva
