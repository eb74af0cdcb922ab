// Spline: a curve through samples, C2 or of straight pieces, for functions given as tables.
#pragma once

#include <vector>

namespace visviva {

/// What a table is outside of its samples.
enum class TableRange {
  error,    ///< nothing: NaN
  hold,     ///< its first and last value
  periodic  ///< itself again, with the period last() - first()
};

/// "error", "hold" or "periodic", as the language has it.
const char* name_of(TableRange range);

/// What a table is between its samples.
enum class TableShape {
  smooth,  ///< cubic pieces, C2
  linear   ///< straight pieces
};

/// The spline through (times[i], values[i]). Immutable: threads may share one.
///
/// | samples    | curve                                                                         |
/// |------------|-------------------------------------------------------------------------------|
/// | 2          | the straight line                                                             |
/// | 3          | the parabola                                                                  |
/// | 4 and more | cubic pieces with not-a-knot ends: the first two pieces are one cubic, and so |
/// |            | are the last two                                                              |
/// | periodic   | cubic pieces whose slope and curvature are the same at both ends              |
/// | linear     | straight pieces, whatever their number                                        |
class Spline {
 public:
  /// Takes O(n). UsageError, naming the index, unless there are as many times as values, two or
  /// more, all finite, the times strictly increasing, and no slope or curvature overflows; and
  /// unless the first and last value of a periodic one agree but for rounding.
  Spline(std::vector<double> times, std::vector<double> values,
         TableRange range = TableRange::error, TableShape shape = TableShape::smooth);

  /// The derivative of this order at t (order 0: the curve itself; -1: its integral from integral_start()), in
  /// O(log n).
  ///
  /// Outside [first(), last()] the range decides. With `error` the answer is NaN for every order: a
  /// simulation that runs past its data stops there, it does not follow an extrapolated cubic. Only
  /// what rounding does to an end (8 units in the last place) still counts as that end. At a sample
  /// the value is exactly the sample. Order 3 jumps at samples, where it is the limit from the right
  /// (at last(), from the left); from order 4 on it is 0. So it is with order 1 of straight pieces, and order 2.
  /// UsageError for an order below -1.
  double value(double t, int derivative = 0) const;

  /// Where the integral is 0: at 0 if there is a value, else at first().
  double integral_start() const;
  TableRange range() const { return range_; }
  TableShape shape() const { return shape_; }
  /// Whether the curve has a value at t.
  bool covers(double t) const;

  double first() const { return times_.front(); }
  double last() const { return times_.back(); }
  const std::vector<double>& knots() const { return times_; }
  const std::vector<double>& samples() const { return values_; }
  /// The second derivatives at the knots; zeros of straight pieces.
  const std::vector<double>& curvatures() const { return curvatures_; }
  /// The piece in which t lies, after turns of a periodic curve have been taken off.
  std::size_t find_piece(double t) const;

 private:
  double slack() const;
  double integrate_from_first(double t) const;

  std::vector<double> times_;
  std::vector<double> values_;
  std::vector<double> curvatures_;  // the second derivatives at times_
  std::vector<double> integrals_;   // from first() to times_
  TableRange range_ = TableRange::error;
  TableShape shape_ = TableShape::smooth;
};

}  // namespace visviva
