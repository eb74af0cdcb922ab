// Plots as one SVG file that stands alone: panels below one another, light and dark, no script.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"

namespace visviva {

/// An XML document. Programs without style sheets show its light colours.
std::string write_plot_file(const std::vector<Plot>& plots, const std::string& title);

}  // namespace visviva
