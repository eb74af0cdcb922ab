// What is asked about series of values, some of which may be missing, and of plots made of them.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"

namespace visviva {

bool has_values(const PlotSeries& series);             ///< one that is finite
bool has_small(const Plot& plot);                      ///< values that a log plot cannot show
double range_of(const PlotSeries& series);             ///< largest - smallest
double largest_of(const std::vector<double>& values);  ///< of the absolute values
double largest_of(const Plot& plot);
/// A plot in parts: series that range farthest come first, in their own order; the rest in further plots, folded.
std::vector<Plot> split_plot(Plot plot, std::size_t most_series);
/// The text, with "..." at its end when it has more than so many letters.
std::string cut_text(const std::string& text, std::size_t letters);
/// a + factor * b; `a` where b is empty.
std::vector<double> sum(std::vector<double> a, const std::vector<double>& b, double factor = 1.0);

}  // namespace visviva
