// Plots as SVG: a panel of axes and curves, as a page uses it; its script reads the numbers back.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"
#include "visviva/report/plot/plot_axis.h"

namespace visviva {

constexpr int plot_colours = 10;

/// The place of a panel in its picture, and the room around its curves.
struct PanelLayout {
  double x = 0.0, y = 0.0, width = 720.0, height = 260.0;
  double left = 64.0, right = 14.0, top = 24.0, bottom = 40.0;
  std::size_t samples = 1500;  ///< of a series at most
};

/// The axis of the values: all that is finite, and the limits.
PlotAxis make_value_axis(const Plot& plot);

/// The axis of the places of a plot over another quantity.
PlotAxis make_place_axis(const Plot& plot);

struct PlotAxes {
  PlotAxis across, up;
};
/// Both axes of a panel of this size; one unit is as long on both where both are lengths.
PlotAxes make_axes(const Plot& plot, double width, double height);

/// Groups of elements for an <svg>. Colours are classes (c0 ... c9 and those that begin with plot-), with
/// those of a light page as fallback.
std::string write_panel(const Plot& plot, const PanelLayout& layout);

/// The colour of series i on a light page.
const char* series_colour(std::size_t i);
/// `class="c3" stroke="#..."` of series i; those beyond the tenth are dashed.
std::string series_stroke(std::size_t i);
/// Both axes are lengths: their units are drawn equally long.
bool is_path(const Plot& plot);
/// "in rad"; empty when there is no unit worth naming.
std::string unit_words(const Plot& plot);

}  // namespace visviva
