// Paths of plots: a series as whole numbers, a few bytes a sample, from which a reader can get the
// values back.
//
// A sample is (i, j), with t = from + i * time_unit and value = low + j * value_unit. The path is
//   M i j l di dj di dj ... m di dj l ...
// where m begins anew behind a gap. Samples at equal distances in time have equal di.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"

namespace visviva {

struct PlotGrid {
  double from, time_unit, low, value_unit;
};

/// A grid on which samples at equal distances in time are a whole number of units apart, and values
/// are kept to 1e-5 of the series' range, or to 1e-7 of its largest value where that is coarser:
/// rounding errors are not kept. On a log plot heights are logarithms to base ten, and `floor` is the
/// smallest value, which stands for all below it.
PlotGrid choose_grid(const PlotSeries& series, const Plot& plot, double floor);

/// A path over another quantity: its samples are (i, j) with place = from + i * time_unit; equal ones behind one another
/// are one. `times` lists k dk dk ... with t = begin + k * unit, one for each sample of the path.
struct CurvePath {
  std::string d, times;
};
struct TimeGrid {
  double begin, unit;
};
PlotGrid choose_curve_grid(const PlotSeries& series, const Plot& plot);
TimeGrid choose_time_grid(const Plot& plot);
CurvePath write_curve_path(const PlotSeries& series, const PlotGrid& grid, const TimeGrid& times,
                           std::size_t most);

/// The attribute d of a path; `most` samples at most, by thin(). Empty when no value is finite.
std::string write_plot_path(const PlotSeries& series, const PlotGrid& grid, std::size_t most);
/// The attribute d of a path in a log plot.
std::string write_log_path(const PlotSeries& series, const PlotGrid& grid, double floor,
                           std::size_t most);

}  // namespace visviva
