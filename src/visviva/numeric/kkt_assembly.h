// KktAssembly: the linear equations for accelerations, unknown forces and multipliers, put together
// from a list of values.
//
//   | M  -W  -A' | | u' |   | f |
//   | A   0   0  | | τ  | = | b |        K x = rhs                                              (1)
//   | C  -V  -L' | | λ  |   | d |
// M is the mass matrix, W what the unknown forces τ do, A the constraints' rows with multipliers λ;
// C, V, L and d are the auxiliary equations.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace visviva {

/// The place of a list's value in a matrix: entry = factor * value.
struct EntryPlace {
  int value;  ///< its number in the list
  int row, column;
  double factor;
};

/// How many speeds, unknown forces, constraint rows and auxiliary equations (1) has.
struct KktSizes {
  int speeds = 0, unknowns = 0, rows = 0, auxiliary = 0;
};

/// The places of all values in (1). Equations and columns are counted through: speeds, rows and
/// auxiliary equations; u', τ and λ. What is placed nowhere is zero.
class KktAssembly {
 public:
  explicit KktAssembly(const KktSizes& sizes) : sizes_(sizes) {}

  const KktSizes& sizes() const { return sizes_; }
  int equation_count() const { return sizes_.speeds + sizes_.rows + sizes_.auxiliary; }
  int column_count() const { return sizes_.speeds + sizes_.unknowns + sizes_.rows; }
  int row_equation(int i) const { return sizes_.speeds + i; }
  int auxiliary_equation(int a) const { return sizes_.speeds + sizes_.rows + a; }
  int unknown_column(int j) const { return sizes_.speeds + j; }
  int multiplier_column(int i) const { return sizes_.speeds + sizes_.unknowns + i; }

  /// An entry of M, W, C, V or L: forces come over to the left side with the opposite sign.
  void place(int equation, int column, int value);
  /// A_is, in the constraint's row and as a force on the speed.
  void place_row(int i, int s, int value);
  /// An entry of f, b or d.
  void place_right(int equation, int value);

  const std::vector<EntryPlace>& places() const { return places_; }              ///< in K
  const std::vector<EntryPlace>& right_places() const { return right_places_; }  ///< in rhs

  void assemble(const double* values, Eigen::MatrixXd* K, Eigen::VectorXd* rhs) const;
  /// Rows of A that are zero but for rounding say nothing: they and their forces become zero, so
  /// that scaling does not bring them to life.
  void drop_empty_rows(Eigen::MatrixXd* K) const;

 private:
  KktSizes sizes_;
  std::vector<EntryPlace> places_, right_places_;
};

}  // namespace visviva
