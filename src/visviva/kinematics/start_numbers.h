// StartNumbers: constraints, start values and masses of a model as numbers at a configuration, for
// those who look for a consistent start.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {

/// A start value that says something about the speeds: sum_r a_r u_r + remainder = 0.
struct GivenSpeed {
  std::string name;  ///< of the rate, the speed or the quantity of motion, as it was written
  ScalarMotion row;
  StartNote note;
  int speed = -1;         ///< the speed whose value it is, where it is one
  int coordinate = -1;    ///< the coordinate whose rate it is
  bool is_euler = false;  ///< that coordinate is an Euler parameter
};

/// Given rates, speeds and start conditions. ModelError (E-start-target) for a condition that is not
/// linear in the speeds.
std::vector<GivenSpeed> list_given_speeds(const Kinematics& motion);

struct StartNumbers {
  Eigen::VectorXd g;      ///< of each constraint row; 0 where it has no position
  Eigen::MatrixXd slope;  ///< dg/dq
  Eigen::MatrixXd A;      ///< constraint rows: A u + b = 0
  Eigen::VectorXd b;
  Eigen::MatrixXd G;  ///< given speeds: G u + h = 0
  Eigen::VectorXd h;
  Eigen::MatrixXd W;  ///< dq'/du
  Eigen::MatrixXd M;  ///< mass matrix
};

class StartEvaluator {
 public:
  StartEvaluator(const Kinematics& motion, const std::vector<ConstraintRow>& rows,
                 const std::vector<GivenSpeed>& given, const StartState& state);

  StartNumbers operator()(const Eigen::VectorXd& q) const;

 private:
  void add_row(const ScalarMotion& row, std::vector<Expr>* outputs) const;
  void add_bodies(std::vector<Expr>* outputs) const;
  Eigen::MatrixXd read_mass(const std::vector<double>& values, std::size_t place) const;

  const Kinematics& motion_;
  const ModelData& model_;
  const StartState& state_;
  Eigen::Index row_count_, given_count_;
  std::vector<std::size_t> places_;  // of the coordinates among the state's symbols
  std::optional<Evaluator> evaluator_;
};

}  // namespace visviva
