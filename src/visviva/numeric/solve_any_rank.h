// Linear systems of any rank: what they determine, what they leave open, whether they contradict
// themselves.
//
// Rows and columns carry different units, so they are scaled until their largest entries are about
// 1; "smallest" and rank are meant after scaling.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace visviva {

/// K x = rhs for several right sides.
class AnyRankSystem {
 public:
  explicit AnyRankSystem(Eigen::MatrixXd K);

  /// The smallest of all x that come closest, for each column of the right side.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const;
  /// Against the sizes of the terms of the right side.
  bool is_solved_by(const Eigen::MatrixXd& x, const Eigen::MatrixXd& rhs,
                    const Eigen::MatrixXd& rhs_size) const;

 private:
  friend struct AnyRankSolution solve_any_rank(Eigen::MatrixXd K, Eigen::VectorXd rhs);

  Eigen::MatrixXd original_, scaled_;
  Eigen::VectorXd rows_, columns_;  // factors
};

/// AnyRankSystem(K).solve(rhs); a mass matrix is not scaled.
Eigen::MatrixXd solve_closest(Eigen::MatrixXd K, const Eigen::MatrixXd& rhs);

struct AnyRankSolution {
  Eigen::VectorXd x;                ///< the smallest one where it is not unique
  std::vector<bool> is_determined;  ///< for each unknown
  Eigen::MatrixXd open;             ///< columns that may be added to x; their largest entries are 1
  bool is_consistent = true;
};

AnyRankSolution solve_any_rank(Eigen::MatrixXd K, Eigen::VectorXd rhs);

/// A basis of all x with K x = 0, whatever units the rows carry; columns keep theirs, so that it is
/// orthonormal.
Eigen::MatrixXd compute_open_directions(Eigen::MatrixXd K);

}  // namespace visviva
