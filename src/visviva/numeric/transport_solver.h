// TransportSolver: the transport speeds w at one state, what constraint rows A u + c = 0 leave of the
// speeds u when the independent ones i vanish, from the rows as numbers.
//
//   A_d w_d = -c,               w_i = 0                                                         (1)
//   A_d w_d' = -(A' w + c'),    w_i' = 0        ' of A and c along the motion                   (2)
// Redundant rows are normal. Where the dependent speeds d are not regular, others take their place;
// at a singular configuration fewer of them are dependent.
// How good a choice d of k columns is, by the last pivot p_k of a QR decomposition with pivoting:
//   p_k(A_d) / p_k(A), 1 at most                                                                (3)
// p_k(A) is about the best that k columns can give: so a bad choice is told from a configuration
// that is singular itself.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace visviva {

class TransportSolver {
 public:
  /// `dependent`: as at the start; `order`: all candidates, the best first.
  TransportSolver(std::vector<int> dependent, std::vector<int> order)
      : dependent_(std::move(dependent)), order_(std::move(order)) {}

  /// The rows at one state, scaled to 1, and which speeds they determine.
  struct Rows {
    Eigen::MatrixXd A;
    Eigen::VectorXd c, scale;  ///< scale: what the rows were divided by
    double A_size = 0.0, c_size = 0.0;
    bool is_finite = true;
    std::vector<int> dependent;
  };
  /// `wanted`: dependent speeds to keep where regular.
  Rows choose(Eigen::MatrixXd A, Eigen::VectorXd c, const std::vector<int>& wanted) const;

  /// The dependent speeds by which (1) is best solved, as many as can be and no more than at the
  /// start.
  std::vector<int> choose_best(Eigen::MatrixXd A) const;
  /// The quality (3) of a choice; 1 where no choice is regular.
  double compute_quality(Eigen::MatrixXd A, const std::vector<int>& dependent) const;

  /// The transport speeds (1); NaN when there are none. `speed`: the largest of the state's speeds.
  Eigen::VectorXd solve(const Rows& rows, double speed) const;
  /// The rates (2) of the transport speeds, with `drift` = A' w + c'.
  Eigen::VectorXd solve_rates(const Rows& rows, const Eigen::VectorXd& drift, double speed) const;

  const std::vector<int>& dependent() const { return dependent_; }

 private:
  std::vector<int> dependent_, order_;
};

}  // namespace visviva
