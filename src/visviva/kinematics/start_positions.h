// A configuration that satisfies the constraints: given values are held, guesses and defaults move
// together by the least change in the mass metric; where that cannot be, given values move too.
//
//   A(q) dq = -g(q), repeated, dq = W du the least change in the metric M                          (1)
// The end is brought to the nearest place: what would lead back from it to where it began,
//   q0 - q = W du,     A du = 0                                                                    (2)
// is next to nothing there. Bodies are not deformed where they need not be: defaults of discretized fields move last. Another branch, which Newton's steps may reach, is no correction of a start. Where (1) ends at a place
// from which no small change helps, it begins anew beside the start, farther and farther away; of the places found first the
// nearest is taken.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "visviva/kinematics/start_numbers.h"

namespace visviva {

class StartPositions {
 public:
  StartPositions(const ModelData& model, const StartEvaluator& numbers,
                 const std::vector<ConstraintRow>& rows);

  /// Moves q until the rows hold that are used; false, and q as it was, when that fails.
  bool solve(const std::vector<bool>& used, Eigen::VectorXd* q) const;
  /// The same with every coordinate free.
  bool solve_near(Eigen::VectorXd* q) const;
  /// Start values with their quaternions on the sphere: beside given values guesses move there, or e0
  /// where it was left out, else all four together.
  Eigen::VectorXd settle_quaternions(Eigen::VectorXd q) const;

 private:
  using Held = std::vector<bool>;  // by coordinate
  enum class Step { short_mass, mass, plain };

  bool is_given(std::size_t i) const;
  bool is_guess(std::size_t i) const;
  Held hold_given() const;
  Held with_shapes(Held held) const;
  Held release_part_quaternions(Held held) const;
  Held release_unmet(const std::vector<bool>& used, Held held, const Eigen::VectorXd& q) const;
  bool try_all(const std::vector<bool>& used, const Held& held, Eigen::VectorXd* q) const;
  bool newton(const std::vector<bool>& used, const Held& held, Step kind, Eigen::VectorXd* q) const;
  Eigen::VectorXd find_step(const StartNumbers& x, const std::vector<bool>& used, const Held& held,
                            Step kind) const;
  void try_between(const std::vector<bool>& used, const Held& held, const Eigen::VectorXd& given,
                   Eigen::VectorXd* q) const;
  bool move_near(const std::vector<bool>& used, const Held& held, const Eigen::VectorXd& given,
                 Eigen::VectorXd* q) const;
  bool search_around(const std::vector<bool>& used, const Held& held, Eigen::VectorXd* q) const;
  double measure_way(const StartNumbers& x, const Eigen::VectorXd& way) const;
  bool approach(const std::vector<bool>& used, const Held& held, const Eigen::VectorXd& given,
                Eigen::VectorXd* q) const;
  bool has_moved_start(const Eigen::VectorXd& from, const Eigen::VectorXd& to) const;
  bool go_near(const std::vector<bool>& used, const Held& held, const Eigen::VectorXd& given,
               Eigen::VectorXd* q) const;
  Eigen::VectorXd find_way_back(const StartNumbers& x, const std::vector<bool>& used,
                                const Held& held, const Eigen::VectorXd& way) const;
  bool normalize(Eigen::VectorXd* q) const;
  bool is_met(const StartNumbers& x, Eigen::Index row, const Eigen::VectorXd& q) const;
  bool are_met(const StartNumbers& x, const std::vector<bool>& used,
               const Eigen::VectorXd& q) const;

  const ModelData& model_;
  const StartEvaluator& numbers_;
  const std::vector<ConstraintRow>& rows_;
};

}  // namespace visviva
