// AccelerationEquations: the linear equations for accelerations, unknown forces and multipliers as numbers,
// and their solution.
//
//   K x = rhs,   x = (u', τ, λ)           kkt_assembly.h (1)                                     (1)
// Derivatives of the solution come from the residual r = K x - rhs with x known: by any number p,
//   K dx/dp = -dr/dp                                                                             (2)
#pragma once

#include <Eigen/Core>
#include <vector>

#include "visviva/codegen/system/run_expressions.h"
#include "visviva/numeric/kkt_assembly.h"
#include "visviva/numeric/schur_solve.h"

namespace visviva {

/// The equations (1) at one state. x is the smallest solution where there are several.
struct MotionNumbers {
  Eigen::MatrixXd K;
  Eigen::VectorXd rhs, x;
  Eigen::MatrixXd L;  ///< of M = L L' where that is all of K, and M is regular
  SchurLines schur;
  bool is_finite = true;
  bool is_regular = true;           ///< K has an inverse
  bool is_consistent = true;        ///< some x satisfies the equations
  std::vector<bool> is_determined;  ///< each x, when K has no inverse
  Eigen::MatrixXd open;             ///< columns that may be added to x then
};

class AccelerationEquations {
 public:
  explicit AccelerationEquations(const RunExpressions& system);

  /// The non-zero entries of K and rhs: what is to be compiled.
  const std::vector<Expr>& entries() const { return entries_; }
  /// After compiling: numbers need no symbols.
  void forget_entries() { entries_.clear(); }
  /// Solves (1) from the values of entries().
  void solve(const double* values, MotionNumbers* numbers) const;
  /// Solves (1) where rows are there and schur_solve.h sees no doubt; K and rhs are not set. False
  /// elsewhere: then solve() does.
  bool solve_regular(const double* values, MotionNumbers* numbers) const;
  /// Solves (2) after solve(): columns hold -dr/dp, then dx/dp.
  void solve_again(const MotionNumbers& numbers, Eigen::MatrixXd* columns) const;

  /// Residuals as expressions of the arguments and x.
  std::vector<Expr> make_residuals(const RunExpressions& system) const;

  int speed_count() const { return kkt_.sizes().speeds; }
  int unknown_count() const { return kkt_.sizes().unknowns; }
  int row_count() const { return kkt_.sizes().rows; }
  int size() const { return kkt_.column_count(); }
  /// K is the mass matrix alone.
  bool is_plain() const { return row_count() == 0 && has_motion_alone(); }
  /// The entries of K that are not identically zero.
  const std::vector<EntryPlace>& places() const { return kkt_.places(); }

 private:
  void add_motion(const RunExpressions& system);
  void add_rows(const RunExpressions& system);
  void add_auxiliary(const RunExpressions& system);
  /// The number of a new entry.
  int add(const Expr& e);
  void add(const Expr& e, int equation, int column);
  void add_right(const Expr& e, int equation);
  /// There are neither unknown forces nor auxiliary equations.
  bool has_motion_alone() const { return unknown_count() + kkt_.sizes().auxiliary == 0; }
  void list_schur_places();
  bool solve_plain(MotionNumbers* numbers) const;

  KktAssembly kkt_;
  std::vector<EntryPlace> schur_places_;  // of entries in SchurLines
  std::vector<Expr> entries_;
};

}  // namespace visviva
