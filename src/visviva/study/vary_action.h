// vary_action(): the action along a motion, and how it changes along a path beside it.
//
//   model.vary(y, 1 * m / (s * s) * t * (1 * s - t));
//   const auto varied = vary_action(derive(analyze_motion(model)), 1.0);
//   varied->action, varied->first_variation, varied->second_variation
// The motion runs from the model's start; integrals of its samples are taken by Romberg's rule, with
// more samples until they no longer change. docs/theory/hamilton.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/base/result.h"
#include "visviva/equations/energy/action_variation.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Integrals over time from 0 to `until`, J s.
struct VariedAction {
  double until = 0.0;
  double action = 0.0;
  double first_variation = 0.0;
  double second_variation = 0.0;  ///< NaN where it needs a multiplier that is not determined
  double virtual_work = 0.0;      ///< of loads without a potential
  double error = 0.0;             ///< estimate, the largest of the four
  std::vector<std::string> paths,
      trial_paths;  ///< names of what was varied; of these, specified functions
  std::vector<std::string> without_potential;  ///< loads that the virtual work comes from
  std::vector<std::string> constraints;        ///< those that the variation keeps to
};

/// Why there is no answer: no such variation, or a motion that was not followed to the end.
struct NoVariedAction {
  std::optional<NoVariation> variation{};
  RunReason reason{};  ///< where `variation` is nothing; may be empty when an event ended the run
  double t_end = 0.0;  ///< of the run
};

/// The action of the model's motion from its start, with its variations. The system must have values
/// for all that it needs: UsageError else.
Result<VariedAction, NoVariedAction> vary_action(const Equations& equations, double until);

}  // namespace visviva
