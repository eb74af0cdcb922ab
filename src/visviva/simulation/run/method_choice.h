// MethodChoice: the method that makes the steps of a run: the explicit one, or where the motion is stiff
// the implicit one.
//
// An explicit method at the limit of its stability may still be cheaper than an implicit one. So the
// implicit one is tried for some steps, and what either has cost a second of motion decides.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/run_context.h"

namespace visviva {

class MethodChoice {
 public:
  /// "auto" has both methods, any other name that one alone. `context` must outlive it.
  explicit MethodChoice(RunContext& context);

  /// A run begins, with the explicit method, which is returned. What was found out before is forgotten.
  Stepper& begin();
  /// The method that makes the steps now.
  Stepper& stepper() { return *stepper_; }
  const Stepper& stepper() const { return *stepper_; }

  /// Looks at the step just taken. True when another method goes on from its end.
  bool reconsider();
  /// The longest step that the method just chosen should begin with.
  double longest_step() const;

  /// Explicit steps are to be used alone from now on, where implicit ones were used and explicit ones
  /// would not be too many. False where that is not so.
  bool try_without_implicit();

  std::size_t evaluations() const;
  /// The methods that the run has used, as in Trajectory::method.
  std::string names() const;

 private:
  bool try_implicit();
  bool return_to_explicit();
  bool is_implicit_worth_it();

  RunContext& context_;
  std::unique_ptr<Stepper> explicit_, implicit_;
  Stepper* stepper_ = nullptr;
  int stiff_steps_ = 0,
      calm_steps_ = 0;     // at the limit of stability, and one after the other below it
  double patience_ = 0.0;  // stiff steps before the implicit method is tried
  /// The steps that the implicit method makes since it was tried.
  struct Trial {
    double t = 0.0;              ///< where it began
    double cost = 0.0;           ///< evaluations per second of motion before
    double explicit_step = 0.0;  ///< the last one before
    int steps = 0;
    std::size_t evaluations = 0;  ///< at its begin
  } trial_;
  bool used_implicit_ = false, stays_explicit_ = false;
};

}  // namespace visviva
