// TableFunction: a function of one or two numbers by samples, its derivatives and its integrals.
//
// Of two, it is a spline in y whose values and curvatures at each row are splines in x:
//   f(x, y) = A V_j(x) + B V_{j+1}(x) - h^2/6 A B ((1 + A) W_j(x) + (1 + B) W_{j+1}(x))          (1)
// with A, B, h of y in its piece j as in spline.cpp, V_j the spline through column j of the samples and W_j that
// through their curvatures along y. Splines are linear in their samples: the order of x and y does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "visviva/base/spline.h"

namespace visviva {

/// One axis of a map: its knots, and what is outside of them.
struct TableAxis {
  std::vector<double> knots;
  TableRange range = TableRange::error;
};

class TableFunction {
 public:
  static constexpr std::size_t most_arguments = 2;

  /// A function of one number.
  explicit TableFunction(Spline curve);
  /// A function of two; samples[i][j] is its value at x[i], y[j]. UsageError as Spline's.
  TableFunction(const TableAxis& x, const TableAxis& y,
                const std::vector<std::vector<double>>& samples, TableShape shape);

  std::size_t argument_count() const { return values_.size() == 1 ? 1 : 2; }
  /// A spline with the knots and the range of an argument; of one argument it is the curve.
  const Spline& axis(std::size_t argument) const;
  /// The splines V_j, then W_j of (1); of one argument the curve alone.
  const std::vector<Spline>& values() const { return values_; }
  const std::vector<Spline>& curvatures() const { return curvatures_; }
  TableShape shape() const { return values_.front().shape(); }

  /// The partial derivative of these orders; -1 is the integral from the axis' integral_start(). NaN outside of
  /// an axis whose range is `error`.
  double value(double x, double y, int x_order, int y_order) const;

 private:
  double value_in_y(double x, double y, int x_order, int y_order) const;
  double integral_in_y(double x, double y, int x_order) const;

  std::vector<Spline> values_, curvatures_, sums_;  // V_j, W_j, and the integrals over y up to y_j
  std::vector<Spline> y_axis_;                      // one of two arguments
};

/// What an expression asks of a table: one of its derivatives, or where it has corners.
///
/// A table may have a thousand knots: their numbers in Gray code change by one bit from each piece to the next, and each
/// corner function is zero where one bit changes. So two different pieces differ in the sign of one of them at least,
/// however far apart they are.
struct BoundTable {
  /// The number of a corner function that is zero at both ends of the axis alone.
  static constexpr int ends = -1;

  std::shared_ptr<const TableFunction> table;
  std::array<int, TableFunction::most_arguments> orders{};
  int corner_argument = -1;  ///< of a corner function
  int corner_bit = 0;

  double operator()(double x, double y) const;
  /// How many corner functions all knots of an argument need.
  static int count_corner_bits(const Spline& axis);
};

}  // namespace visviva
