// Plots of the tables of a model: what was measured, as the model reads it.
#pragma once

#include <vector>

#include "visviva/model/model_data.h"
#include "visviva/report/plot/plot.h"

namespace visviva {

/// One for each table over one quantity, folded; no motion.
std::vector<Plot> make_table_plots(const ModelData& model);

}  // namespace visviva
