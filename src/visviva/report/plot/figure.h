// Figure: a plot as shapes on a sheet, before it becomes SVG, PDF or PNG. Units are those of CSS, y down.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"

namespace visviva {

/// A colour on paper, and the class by which style sheets change it.
struct FigureInk {
  const char* colour;  ///< "#rrggbb"
  const char* kind;    ///< such as "plot-grid"
};

struct FigureRect {
  double x = 0, y = 0, width = 0, height = 0;
};

struct FigureText {
  enum class Anchor { start, middle, end };
  std::string text;
  double x = 0, y = 0;  ///< of the base line
  double size = 12;
  Anchor anchor = Anchor::start;
  FigureInk ink{"#1d2430", "plot-name"};
  bool is_upward = false;  ///< turned by a quarter, to be read from the right
};

/// A polyline; a point that is not finite is a gap.
struct FigureCurve {
  std::vector<std::array<double, 2>> points;
  FigureInk ink;
  double width = 1;
  std::array<double, 2> dashes{};  ///< drawn and left out; zeros: a whole line
  bool is_clipped = false;         ///< to the area
};

struct FigureDot {
  double x, y, radius;
  FigureInk ink;
  bool is_open = false;
};

struct Figure {
  std::string title, words;  ///< for those who cannot see it
  double width = 0, height = 0;
  FigureRect area;                 ///< of the curves
  std::vector<FigureCurve> lines;  ///< below the curves: grid and axes
  std::vector<FigureCurve> curves;
  std::vector<FigureDot> dots;
  std::vector<FigureText> texts;
};

/// What every file says near its beginning.
constexpr const char* plot_mark = "written by visviva simulate";

/// A plot with its title, legend, axes and remark; `heading` is what it is from.
Figure make_figure(const Plot& plot, const std::string& heading);

/// An XML document, light and dark. Programs without style sheets show its light colours.
std::string write_figure_svg(const Figure& figure);
/// One page in vectors, its font embedded.
std::string write_figure_pdf(const Figure& figure);
/// A picture, two pixels for a unit.
std::string write_figure_png(const Figure& figure);

}  // namespace visviva
