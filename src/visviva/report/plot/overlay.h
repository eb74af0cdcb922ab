// Several runs in one figure: what they all plot, with a curve for each.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"

namespace visviva {

struct RunPlots {
  std::string name;  ///< of the run
  std::vector<Plot> plots;
};

/// One plot for each title, unit and abscissa, in order of appearance; every series of every run is in one of them, called by
/// its run, and by its own name where the plot has more than one.
std::vector<Plot> overlay_runs(const std::vector<RunPlots>& runs);

}  // namespace visviva
