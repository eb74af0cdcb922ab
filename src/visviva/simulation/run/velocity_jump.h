// VelocityJump: what happens to velocities where a surface is crossed in no time.
//
// Forces that are finite change nothing in no time. But where time alone carries a specified motion or a
// moving constraint over a corner, velocities jump, by impulses of whatever makes that motion. With p the
// generalized momenta dK/du = M u + k, of the configuration, the speeds and time, - before and + after,
// and impulses Λ of the constraints:
//   M u+ + k+ = M u- + k- + A'Λ,   A u+ + c+ = 0                                                (1)
// The impulses of motors are not in it: they do no work in any u. (1) determines u+ where the surface is
// crossed by time alone. What is driven and moves with no u is struck by its motor: nothing moves, and the
// impulse is told all the same. A corner that is met at a place, such as one in a track, gives an impulse that
// depends on how round the corner is; so does a potential energy that jumps: these are refused, as are
// places that jump.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/simulation/run/run_context.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// What was found on a surface.
struct JumpFound {
  std::optional<ImpulseRecord> impulse{};  ///< the state was moved, by (1)
  std::optional<RunReason> refusal{};      ///< nobody can say how the motion goes on
};

class VelocityJump {
 public:
  /// Jumps of a run whose context outlives this.
  explicit VelocityJump(RunContext& context);

  /// The run goes from (t, y) over surfaces to (after, end), which is next to it. `crossed` are the numbers of
  /// the surfaces. Moves `end`, its Z included: E_Z goes on as if nothing had happened.
  JumpFound cross(double t, const double* y, double after, std::vector<double>* end,
                  const std::vector<std::size_t>& crossed);

 private:
  /// What is compared before and after.
  struct Side {
    std::vector<double> places, positions, rows, momenta;
    double energy = 0.0, kinetic = 0.0, potential = 0.0;  ///< K + U, K and U
    double total[CompiledSystem::momentum_count] = {};    ///< momentum of the whole mechanism
  };
  Side look(double t, const double* y);
  JumpFound cross_pole(double t, const double* y, double after, const std::string& surface);
  void compute_momenta(double t, const double* y, std::vector<double>* momenta);
  bool must_jump(double t, const double* y, const Side& before, const Side& after) const;
  bool is_known(double t, const double* y, double outwards);
  bool total_jumps(const Side& before, const Side& after, double smooth) const;
  bool is_carried_over_corner(double t, const double* y, double after);
  bool are_all(const std::vector<std::size_t>& surfaces, SwitchKind kind) const;
  ImpulseRecord record(const Side& before, const Side& after) const;
  void apply(double t, const Side& before, const Side& after, std::vector<double>* end);

  RunContext& context_;
  std::vector<double> shifted_;
};

}  // namespace visviva
