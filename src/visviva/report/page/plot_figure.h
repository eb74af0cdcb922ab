// A plot as a figure of the page: caption, legend, picture, and its text for those who cannot see it.
#pragma once

#include <string>

#include "visviva/report/page/html.h"
#include "visviva/report/plot/plot.h"

namespace visviva {

/// The figure; `id` is its own and begins those inside it. plots.js adds cursor, zoom and toggles; without scripts
/// all series are there. A plot of less interest is folded away.
Html write_plot_figure(const Plot& plot, const std::string& id, std::size_t samples = 1500);

}  // namespace visviva
