// MotionSystem: the linear equations for accelerations, unknown forces and multipliers as numbers,
// and their solution.
//
//   | M  -W  -A' | | u' |   | f |
//   | A   0   0  | | τ  | = | b |        solve.h (1)                                             (1)
//   | C  -V  -L' | | λ  |   | d |
// Derivatives of the solution come from the residual r = K x - rhs with x known: by any number p,
//   K dx/dp = -dr/dp                                                                             (2)
#pragma once

#include <Eigen/Core>
#include <vector>

#include "visviva/codegen/system/system_expressions.h"

namespace visviva {

/// Where a compiled value goes.
struct EntryPlace {
  int value;  ///< position among the compiled values
  int row, column;
  double factor;
};

/// (1) at one state. x is the smallest solution where there are several.
struct MotionNumbers {
  Eigen::MatrixXd K;
  Eigen::VectorXd rhs, x;
  Eigen::MatrixXd L;  ///< of M = L L' where that is all of K, and M is regular
  bool is_finite = true;
  bool is_regular = true;           ///< K has an inverse
  bool is_consistent = true;        ///< some x satisfies the equations
  std::vector<bool> is_determined;  ///< each x, when K has no inverse
  Eigen::MatrixXd open;             ///< columns that may be added to x then
};

class MotionSystem {
 public:
  explicit MotionSystem(const SystemExpressions& system);

  /// The non-zero entries of K and rhs: what is to be compiled.
  const std::vector<Expr>& entries() const { return entries_; }
  /// After compiling: numbers need no symbols.
  void forget_entries() { entries_.clear(); }
  /// Solves (1) from the values of entries().
  void solve(const double* values, MotionNumbers* numbers) const;
  /// Solves (2) after solve(): columns hold -dr/dp, then dx/dp.
  void solve_again(const MotionNumbers& numbers, Eigen::MatrixXd* columns) const;

  /// Residuals as expressions of the arguments and x.
  std::vector<Expr> make_residuals(const SystemExpressions& system) const;

  int speed_count() const { return speeds_; }
  int unknown_count() const { return unknowns_; }
  int row_count() const { return rows_; }
  int size() const { return speeds_ + unknowns_ + rows_; }
  /// K is the mass matrix alone.
  bool is_plain() const { return unknowns_ + rows_ + auxiliary_ == 0; }
  /// For each row of K the columns that are not identically zero.
  const std::vector<EntryPlace>& places() const { return K_; }

 private:
  void add(const Expr& e, int row, int column, double factor);
  void drop_empty_rows(MotionNumbers* numbers) const;
  bool solve_plain(MotionNumbers* numbers) const;

  int speeds_ = 0, unknowns_ = 0, rows_ = 0, auxiliary_ = 0;
  std::vector<Expr> entries_;
  std::vector<EntryPlace> K_, rhs_;
};

}  // namespace visviva
