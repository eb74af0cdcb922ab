// The equations of motion as numbers at any time and state: rates, and all slopes behind small
// motions.
//
// X = (q, h, u) are coordinates, hidden states of spin frames and speeds; y = (u', τ, λ) what one
// linear solve gives, w the inputs. The equations are a residual R that vanishes, linear in y:
//   R(X, y, w, t) = 0,     K = dR/dy,     q' = Y u + z                                          (1)
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/small_motion/compiled_evaluation.h"
#include "visviva/equations/small_motion/rotation_groups.h"
#include "visviva/equations/small_motion/small_motion_reason.h"
#include "visviva/equations/small_motion/time_functions.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/slope_evaluator.h"

namespace visviva {

/// The slopes of some left sides in X, w and y.
struct Slopes {
  Eigen::MatrixXd X, w, y;
};

/// A rotation group at a state; columns in B unless named otherwise.
struct RotationNumbers {
  Eigen::Matrix3d R_PB;
  Eigen::MatrixXd J;  ///< rotation_groups.h (1)
  Eigen::Vector3d w_PB, alpha_PB;
  Slopes w_slopes, alpha_slopes;
};

struct MotionNumbers {
  double t = 0;
  Eigen::VectorXd X, X_rates, y;
  Eigen::VectorXd residual;
  Slopes R, F, V, G;  ///< of residual, q' and h', velocity constraints, position constraints
  std::vector<RotationNumbers> rotations;
};

class MotionSystem {
 public:
  /// Keeps references to both; the state has a value for every symbol.
  MotionSystem(const Equations& equations, const StartState& state);

  const Equations& equations() const { return equations_; }
  const Kinematics& motion() const { return equations_.motion; }
  std::size_t configuration_count() const { return configuration_.size(); }
  std::size_t speed_count() const { return motion().speeds().size(); }
  /// The name of a coordinate or hidden state.
  std::string configuration_name(std::size_t i) const;
  /// Unit quaternions, as places in the configuration.
  const std::vector<std::vector<int>>& units() const { return units_; }
  const std::vector<RotationGroup>& rotations() const { return rotations_; }
  const std::vector<Expr>& inputs() const { return w_; }
  /// The symbols of X.
  const std::vector<Expr>& states() const { return X_; }
  const Eigen::VectorXd& start() const { return X_start_; }
  double start_time() const { return t_start_; }
  const TimeFunctions& time_functions() const { return times_; }

  /// Makes what follows a motion fast.
  void compile(const CompileEvaluation& compile);

  /// X' at a state; false where it has no finite value.
  bool compute_rates(double t, const Eigen::VectorXd& X, Eigen::VectorXd* rates) const;
  /// All slopes; nothing where one is not finite.
  std::optional<MotionNumbers> compute_slopes(double t, const Eigen::VectorXd& X) const;
  /// The mass matrix; entries may not be finite.
  Eigen::MatrixXd compute_mass_matrix(const Eigen::VectorXd& X) const;

  /// All left sides: of the equations, rates, velocity and position constraints.
  std::vector<Expr> everything() const;
  /// Every slope of these, and the solved unknowns that they contain.
  std::vector<Expr> slope_expressions() const;

 private:
  // Where the value of a symbol comes from.
  struct Inside {
    enum class Kind { state, solved, time, specified, constant } kind;
    int index = 0;
    double value = 0;
  };
  struct Program {
    std::vector<Expr> symbols, outputs;
    std::vector<Inside> inside;  // where the values of the symbols come from
    std::optional<Evaluator> evaluator;
    CompiledEvaluation compiled;            // of the symbols that vary, where there is one
    std::optional<SlopeEvaluator> numbers;  // in the place of formulas for slopes
  };

  void build_residual();
  void build_rates();
  void add_states();
  void build_programs();
  std::vector<Expr> slope_symbols() const;
  void build_slopes();
  void build_slopes_by_numbers();
  std::vector<double> order_slopes(const SlopeEvaluator::Values& values) const;
  std::vector<Inside> find_places(const std::vector<Expr>& symbols) const;
  Program make_program(const std::vector<Expr>& outputs) const;
  static void compile_program(const CompileEvaluation& compile, Program* program);
  std::vector<double> run(const Program& program, double t, const Eigen::VectorXd& X,
                          const Eigen::VectorXd& y) const;
  std::optional<Eigen::VectorXd> solve(double t, const Eigen::VectorXd& X,
                                       Eigen::VectorXd* configuration_rates) const;

  const Equations& equations_;
  const StartState& state_;
  TimeFunctions times_;
  std::vector<Expr> residual_, velocity_rows_, position_rows_;
  std::vector<std::vector<Expr>> solved_slopes_;  // K of (1)
  std::vector<Expr> configuration_, rates_;       // q and h, q' and h'
  std::vector<std::vector<int>> units_;
  std::vector<RotationGroup> rotations_;
  std::vector<Expr> X_, w_, y_;
  std::vector<Expr> slope_exprs_;  // none where slopes are by numbers
  double t_start_ = 0;
  std::vector<double> specified_start_;  // of times_, as the state has them
  Eigen::VectorXd X_start_;
  Program flow_, slopes_, masses_;
};

}  // namespace visviva
