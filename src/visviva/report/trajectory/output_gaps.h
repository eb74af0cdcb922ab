// What a run says about the model's outputs that have no value in some of its rows.
#pragma once

#include <string>
#include <vector>

#include "visviva/model/model_data.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The gaps of the outputs that the model declares, components of vectors together.
std::vector<OutputGap> list_output_gaps(const Trajectory& run, const ModelData& model);
/// The same, a sentence for each.
std::vector<std::string> list_gap_words(const Trajectory& run, const ModelData& model);

}  // namespace visviva
