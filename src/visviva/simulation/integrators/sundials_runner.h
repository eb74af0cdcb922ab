// SUNDIALS as a second opinion: CVODE (Adams, BDF) and IDA, one of their own steps at a time.
//
//   auto runner = make_sundials_runner("cvode", rates, {.until = 10.0});
//   if (!runner->restart(0.0, y)) ... runner->reason()
//   while (runner->time() < 10.0)
//     if (!runner->step()) ... runner->reason()
// These are multistep methods that choose order and step themselves, so they are no Steppers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/reason.h"

namespace visviva {

struct SundialsOptions {
  double until =
      0.0;  ///< where the run ends, before or after its start; nothing beyond is evaluated
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-8;
  double max_step = 0.0;  ///< 0: no limit
};

class SundialsRunner {
 public:
  virtual ~SundialsRunner() = default;
  SundialsRunner(const SundialsRunner&) = delete;
  SundialsRunner& operator=(const SundialsRunner&) = delete;

  /// Stands at (t, y), forgetting all before. False where the rates cannot be computed; reason().
  virtual bool restart(double t, const double* y) = 0;
  /// Makes one internal step. False when it failed, or when the end is reached; reason() says which.
  virtual bool step() = 0;
  /// Begins anew from here with other tolerances. The multistep history is lost, since SUNDIALS cannot
  /// change it in a run.
  virtual bool restart_with(double relative_tolerance, double absolute_tolerance) = 0;

  virtual double time() const = 0;
  virtual const double* state() const = 0;
  /// y at a time within the last step. False elsewhere.
  virtual bool interpolate(double t, double* y) = 0;
  virtual std::size_t evaluations() const = 0;
  /// Why the last call answered false; none when it did not.
  virtual const MethodTrouble& reason() const = 0;

 protected:
  SundialsRunner() = default;
};

/// False where the library was built without SUNDIALS, or where this machine lacks it. Loads it.
bool has_sundials();

/// The library or function of SUNDIALS that this machine lacks; empty where nothing is missing, or where
/// the library was built without SUNDIALS.
std::string find_missing_sundials();

/// "cvode" (Adams), "cvode-bdf", "ida".
const std::vector<std::string>& list_sundials_methods();

/// A runner for a method of SUNDIALS. UsageError for other methods, for tolerances that are none,
/// and without SUNDIALS. The function must outlive the runner; what it throws passes through
/// step().
std::unique_ptr<SundialsRunner> make_sundials_runner(const std::string& method,
                                                     RateFunction& function,
                                                     const SundialsOptions& options);

}  // namespace visviva
