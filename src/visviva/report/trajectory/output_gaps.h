// What is said about the model's outputs that have no finite value at a state, or in some rows of a run.
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
/// The sentence of an output that has no finite value at `place`, such as "at this state".
std::string write_gap(const std::string& output, const std::string& place);

}  // namespace visviva
