// Linear systems of any rank: what they determine, what they leave open, whether they contradict
// themselves.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace visviva {

struct OpenSolution {
  Eigen::VectorXd x;                ///< the smallest one, after scaling, where it is not unique
  std::vector<bool> is_determined;  ///< for each unknown
  bool is_consistent = true;
};

OpenSolution solve_openly(Eigen::MatrixXd K, Eigen::VectorXd rhs);

}  // namespace visviva
