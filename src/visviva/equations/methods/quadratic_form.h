// A quadratic form 1/2 x'H x - w'x of many variables, vectors of three among them, that are replaced one after the other.
//
// v = T x, with N = H_vx + H_vv T, gives
//   H_xx += T'N + H_xv T,   H_xy += T'H_vy,   w_x += T'w_v                                       (1)
// for any other variables y. A vector that is another one turned about an axis k, (v_i, v_j) = (c x_i + s x_j, c x_j - s x_i),
// turns blocks B of H by half as much, since B_ii + B_jj and B_ij - B_ji stay as they are:
//   A = B_ii - B_jj,  C = B_ij + B_ji,  d = s s A + c s C,  e = c s A - s s C                    (2)
//   B_ii -= d,  B_jj += d,  B_ij += e,  B_ji += e
// which are four products where R'B R has sixteen.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "visviva/symbolic/core/matrix3.h"

namespace visviva {

/// A turn about a coordinate axis: R has c on the diagonal, s at (i, j) and -s at (j, i), (i, j, axis) in cyclic order.
struct AxisTurn {
  std::size_t i, j, axis;
  Expr c, s;
};
/// Nothing where R is something else; c c + s s = 1 is proved.
std::optional<AxisTurn> find_axis_turn(const Matrix3& R);
/// Entries 0, 1 and -1 alone.
bool is_signed_permutation(const Matrix3& R);

class QuadraticForm {
 public:
  explicit QuadraticForm(ExprPool& pool) : pool_(pool) {}

  /// One that does not move is zero: nothing couples with it.
  int add_variable(bool moves);
  bool moves(int x) const { return moves_[index(x)]; }

  Expr entry(int x, int y) const;
  const Expr& linear(int x) const { return linear_[index(x)]; }
  const std::map<int, Expr>& row(int x) const { return rows_[index(x)]; }

  /// H_xy, and H_yx with it.
  void add(int x, int y, const Expr& value);
  void add_linear(int x, const Expr& value);
  void remove(int x);

  /// (1): three variables from v on become T x, columns of T by variables.
  void replace(int v, const std::map<int, Column3>& columns);
  /// (2): vectors (v, x), all turned alike.
  void turn(const std::vector<std::pair<int, int>>& vectors, const AxisTurn& by);

 private:
  static std::size_t index(int x) { return static_cast<std::size_t>(x); }
  using Gains = std::map<std::pair<int, int>, Expr>;
  void gain(Gains* gains, int x, int y, const Expr& value) const;
  void add_to(int x, int y, const Expr& value);

  ExprPool& pool_;
  std::vector<std::map<int, Expr>> rows_;
  std::vector<Expr> linear_;
  std::vector<bool> moves_;
};

}  // namespace visviva
