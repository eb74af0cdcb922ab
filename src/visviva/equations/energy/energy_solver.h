// Energies at any state as numbers; the constraints are solved numerically, with pivoting.
//
// w are the transport speeds of velocity_split.h, d the dependent speeds, i the independent ones;
// A and c the rows:
//   A_d w_d = -c,               w_i = 0                       transport_solver.h (1)            (1)
//   A_d w_d' = -(A' w + c'),    w_i' = 0                      transport_solver.h (2)            (2)
//   E, H, C and Z' by their definitions                       base/result_table.h (1), (2)           (3)
// Both are solved by least squares: redundant rows are normal. Where d is not regular, other speeds
// take its place; at a singular configuration fewer of them are dependent. The split of K into K0,
// K1 and K2, sigma and Z' belong to the choice of d, which is told.
#pragma once

#include <memory>
#include <vector>

#include "visviva/equations/energy/energies.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

struct LoadValues {
  double power, generalized_power, potential, nonconservative_power;
};

/// Energies at a state. What cannot be had is NaN, and then is_determined is false.
struct EnergyValues {
  double K, K0, K1, K2, U, sigma, sigma_R, P, P_nonconservative;
  double E, H, C, Z_rate;
  std::vector<LoadValues> loads;  ///< in the order of Energies::loads
  std::vector<int> dependent;     ///< speeds, ascending
  bool is_singular = false;       ///< fewer speeds are dependent than at the start
  bool is_determined = true;
};

/// Energies made ready for numbers at any state. Evaluating is const and may be done from many
/// threads.
class EnergySolver {
 public:
  explicit EnergySolver(const Energies& energies);
  /// A solver from formal terms alone, where the constraints cannot be embedded; `dependent` as
  /// choose_dependent_speeds() gives them.
  EnergySolver(const Equations& equations, const VelocitySplit& split, const EnergyTerms& formal,
               const std::vector<int>& dependent);
  ~EnergySolver();
  EnergySolver(const EnergySolver&) = delete;
  EnergySolver& operator=(const EnergySolver&) = delete;

  /// The state as make_state() gives it. The dependent speeds of Energies::embedded are so here,
  /// where they can be. UsageError when a symbol has no value, unknown forces excepted.
  EnergyValues operator()(const StartState& state) const;
  /// Speeds that are `wanted` are dependent where they can be, so that a run can keep its choice.
  EnergyValues operator()(const StartState& state, const std::vector<int>& wanted) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace visviva
