// Axes of plots: where ticks stand and what they say.
#pragma once

#include <string>
#include <vector>

namespace visviva {

struct PlotTick {
  double value;
  std::string label;  ///< empty: a line alone
};

struct PlotAxis {
  double from = 0.0, until = 1.0;  ///< of a log axis: the values, not their logarithms
  bool is_log = false;
  std::vector<PlotTick> ticks;  ///< ascending, inside from ... until

  /// 0 at `from`, 1 at `until`. On a log axis all that is below `from`, zero too, is at 0.
  double place(double value) const;
};

/// Steps of 1, 2 or 5 times a power of ten, `about` of them. UsageError unless from < until and both
/// are finite.
std::vector<PlotTick> make_ticks(double from, double until, int about);

/// An axis on which from ... until fills most: it ends at steps of the ticks. `least` is the
/// smallest length that is worth showing; zero throughout without one is shown on -1 ... 1.
PlotAxis make_linear_axis(double from, double until, double least);
/// Whole decades; `smallest` is above zero. `has_zero` leaves a decade below for zeros.
PlotAxis make_log_axis(double smallest, double largest, bool has_zero);

/// A number as people write it: "0.25", "-3", "2.5e6", "1e-9".
std::string number_label(double value, int digits);

}  // namespace visviva
