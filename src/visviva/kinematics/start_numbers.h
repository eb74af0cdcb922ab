// StartNumbers: constraints, start values and masses of a model as numbers at a configuration, for
// those who look for a consistent start.
#pragma once

#include <Eigen/Core>
#include <functional>
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

/// The mass matrix at a configuration, computed when it is first asked for: most starts do without.
class StartMass {
 public:
  explicit StartMass(std::function<Eigen::MatrixXd()> make) : make_(std::move(make)) {}
  const Eigen::MatrixXd& operator()() const {
    if (!value_) value_ = make_();
    return *value_;
  }

 private:
  std::function<Eigen::MatrixXd()> make_;
  mutable std::optional<Eigen::MatrixXd> value_;
};

struct StartNumbers {
  Eigen::VectorXd g;      ///< of each constraint row; 0 where it has no position
  Eigen::MatrixXd slope;  ///< dg/dq
  Eigen::MatrixXd A;      ///< constraint rows: A u + b = 0
  Eigen::VectorXd b;
  Eigen::MatrixXd G;  ///< given speeds: G u + h = 0
  Eigen::VectorXd h;
  Eigen::MatrixXd W;  ///< dq'/du
  StartMass M;        ///< lives as long as the evaluator
};

class StartEvaluator {
 public:
  StartEvaluator(const Kinematics& motion, const std::vector<ConstraintRow>& rows,
                 const std::vector<GivenSpeed>& given, const StartState& state);

  StartNumbers operator()(const Eigen::VectorXd& q) const;
  Eigen::MatrixXd compute_mass(const Eigen::VectorXd& q) const;
  /// The diagonal of the mass matrix.
  Eigen::VectorXd compute_inertias(const Eigen::VectorXd& q) const;

 private:
  // Partial velocities of a point or a body: speeds, and a column of numbers for each.
  struct Columns {
    std::vector<int> speeds;
    Eigen::Matrix<double, 3, Eigen::Dynamic> values;
  };
  using Visit = std::function<void(const Eigen::Matrix3d& inertia, const Columns& columns)>;

  void add_row(const ScalarMotion& row, std::vector<Expr>* outputs) const;
  std::vector<Expr> list_bodies() const;
  std::vector<double> values_at(const Eigen::VectorXd& q) const;
  void visit_inertias(const Eigen::VectorXd& q, const Visit& visit) const;

  const Kinematics& motion_;
  const ModelData& model_;
  const StartState& state_;
  Eigen::Index row_count_, given_count_;
  std::vector<std::size_t> places_;  // of the coordinates among the state's symbols
  std::optional<Evaluator> evaluator_;
  mutable std::optional<Evaluator> bodies_;  // made when a mass is asked for
};

}  // namespace visviva
