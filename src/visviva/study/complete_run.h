// Columns that a run did not put out, computed afterwards from its samples.
#pragma once

#include <vector>

#include "visviva/codegen/system/output_expressions.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The run with a column for each of these outputs. Those that its samples cannot give, such as an
/// orientation that it did not follow, come from a second run from the same start; they are left out
/// where that does not get to the same times.
Trajectory complete_run(const Trajectory& run, const Equations& equations, const Energies& energies,
                        const std::vector<ExtraOutput>& outputs);

}  // namespace visviva
