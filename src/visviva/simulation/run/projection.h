// Projection: a state moved back onto its constraints, with the least change in the mass metric.
//
// After a step the constraints hold to the integrator's error only. With q the configuration and w
// a small displacement of it, measured like the speeds u (q moves by Y w), A_g the rows of A that
// belong to configuration constraints, and ^+ a pseudo-inverse:
//   w = -M^-1 A_g' (A_g M^-1 A_g')^+ g,   q <- q + Y w,   until g vanishes                      (1)
//   u <- u - M^-1 A' (A M^-1 A')^+ (A u + c)                                                    (2)
// These are the changes that constraint forces can make. Of all states on the constraints (2)
// gives the one with the least K of the change, as an impact of the joints would.
#pragma once

#include <memory>

#include "visviva/codegen/system/compiled_system.h"

namespace visviva {

struct ProjectionResult {
  /// The constraints hold to the tolerance. Otherwise the step was too long for them.
  bool is_done = true;
  double position_drift = 0.0;  ///< largest |g| before
  double velocity_drift = 0.0;  ///< largest |A u + c| before
  double position_left = 0.0;   ///< largest |g| after
  double velocity_left = 0.0;   ///< largest |A u + c| after
  /// The angle by which g, as it was before, turns the motion. It is zero but next to configurations where
  /// the rank of the rows drops; where it is no longer small, branches of the motion cannot be told apart.
  double turn = 0.0;
  int evaluations = 0;  ///< times that g and A u + c were computed
};

/// The largest ProjectionResult::turn of a step. Runs that stay on their branch have 1e-9, those that leave
/// it 0.1 to 1.
inline constexpr double largest_turn = 1e-3;

class Projection {
 public:
  /// A projection is made for one run: it learns how large rows get. All three must outlive it; `inputs`
  /// may be null where there are none. `tolerance`: what may be left of a row, relative to its largest entry times
  /// 1 + |q| or 1 + |u|.
  Projection(const CompiledSystem& system, const PreparedParameters& p, const double* inputs,
             double tolerance = 1e-9);
  ~Projection();
  Projection(const Projection&) = delete;
  Projection& operator=(const Projection&) = delete;

  /// Whether there is something to project: constraints or quaternions.
  bool is_needed() const;
  /// Moves y, which stays as it was where numbers are not finite. Quaternions become unit ones.
  ProjectionResult project(double t, double* y);
  /// `error`, in: the estimated error of `proposed`, which project() has made into `projected`. Out: its
  /// part along the constraints, which is `projected` less the projection of proposed - error. It stays
  /// as it was where the latter has no projection.
  ///
  /// Off the constraints accelerations vary like 1/s^3 near a configuration where a singular value s
  /// of A vanishes, with rounding as their factor. Steps pass over it, and what a stage near to it
  /// adds is then across the constraints, so that it is no error of the step.
  void project_error(double t, const double* proposed, const double* projected, double* error);
  /// ProjectionResult::turn, by g and A u + c, of a state that is not projected.
  double measure_turn(double t, const double* y);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace visviva
