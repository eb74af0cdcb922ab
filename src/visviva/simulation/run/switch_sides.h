// SwitchSides: on which side of each switching surface a run is. Forces are smooth on either side only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/run_context.h"

namespace visviva {

class SwitchSides {
 public:
  /// No side is known at first. `context` must outlive it.
  explicit SwitchSides(const RunContext& context);

  /// Whether the system has no switches.
  bool empty() const { return sides_.empty(); }
  /// Notes that the run is on the sides of y from now on; on a surface it is where it was.
  void note(double t, const double* y);
  /// The surfaces whose side is not known: the run began on them.
  std::vector<std::size_t> list_unknown() const;
  /// Whether y is beyond one of the surfaces.
  bool are_left(double t, const double* y);
  /// The surfaces that y is beyond.
  std::vector<std::size_t> list_left(double t, const double* y);
  /// The first place in the step just proposed, which ends at `end`, that is seen to be beyond a
  /// surface, as a part of h. Within the step the dense output is looked at: a surface may be crossed
  /// twice.
  std::optional<double> find_crossing(Stepper& stepper, double h, const std::vector<double>& end);

  /// Times just before those at which time alone crosses a surface, whatever the state. A step that
  /// sees the same on both of its ends would go over a short pulse. `y` is a state of the run.
  std::vector<double> find_times(const std::vector<double>& y);
  /// The name of the surface that is nearest to y.
  const std::string& name_nearest(double t, const double* y);

 private:
  void compute(double t, const double* y, std::vector<double>* values) const;
  const RunContext& context_;
  std::vector<signed char> sides_;  // -1, 1, or 0 while it is not known
  std::vector<double> values_;      // scratch: of the surfaces
  std::vector<double> state_;       // scratch
};

}  // namespace visviva
