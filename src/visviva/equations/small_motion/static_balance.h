// What holds a system at rest, as numbers: the residual of equilibrium.h (2) and its slopes. First-order states, such as
// integrators, are unknowns beside forces: their rates vanish, and samples give held ones what they have.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/small_motion/motion_residual.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {

/// The speeds at q' = 0, u_e(q, t): definitions without their rates.
std::vector<Expr> make_rest_speeds(const Kinematics& motion);

/// Rows: those of MotionResidual, its velocities, then states, then position constraints.
struct BalanceNumbers {
  Eigen::VectorXd r;
  Eigen::VectorXd size;    ///< of the terms of each row
  Eigen::VectorXd weight;  ///< of each row in a step
  Eigen::MatrixXd J_q;     ///< slopes in the coordinates, with the speeds at rest
  Eigen::MatrixXd J_l;     ///< in unknown forces and multipliers
  Eigen::MatrixXd Y;       ///< dq/ds
  Eigen::MatrixXd A;       ///< constraint rows
  Eigen::MatrixXd M;
  bool is_finite = true;

  Eigen::MatrixXd J_s() const { return J_q * Y; }
};

/// Keeps a reference to the equations.
class StaticBalance {
 public:
  StaticBalance(const Equations& equations, const ConsistentStart& start);

  std::size_t linear_count() const { return l_.size(); }  ///< unknown forces, multipliers, states
  std::size_t state_count() const { return states_.size(); }  ///< of these the last
  /// Where the search of l begins: zero, but for states.
  Eigen::VectorXd begin_l() const;
  /// All states of the model, those that were looked for with their values in l.
  std::vector<double> list_states(const Eigen::VectorXd& l) const;
  /// The state whose row it is; nothing for other rows.
  std::optional<std::string> find_state_of_row(Eigen::Index row) const;
  Eigen::Index position_count() const { return position_count_; }
  const ModelData& model() const { return model_; }

  /// u_e
  std::vector<double> compute_rest_speeds(const Eigen::VectorXd& q) const;
  BalanceNumbers operator()(const Eigen::VectorXd& q, const Eigen::VectorXd& l) const;

 private:
  struct Rest {
    std::vector<double> speeds, rates;
    Eigen::MatrixXd speed_slopes, rate_slopes;
  };

  void add_states();
  void build_rest_evaluator();
  void build_evaluator();
  Rest compute_rest(const Eigen::VectorXd& q) const;

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  StartState state_;
  std::size_t n_, load_count_ = 0;
  Eigen::Index position_count_ = 0;
  std::vector<Expr> rest_, rest_rates_;
  std::vector<Expr> q_, u_, a_,
      l_;  // coordinates, speeds, their rates, unknown forces and multipliers, states
  std::vector<std::size_t> states_;  // that are looked for, in the model
  std::vector<Expr> rows_, symbols_, rest_symbols_;
  std::unique_ptr<Evaluator> evaluator_, rest_evaluator_;
};

}  // namespace visviva
