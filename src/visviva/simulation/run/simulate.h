// simulate(): from a CompiledSystem to a Trajectory with its certificate.
//
//   const Trajectory run = simulate(system, {.until = 10.0, .energy = 1e-9});
//   if (run.status != RunStatus::done) ... run.reason
//   run["theta"], run.certificate.max_deviation
#pragma once

#include "visviva/codegen/system/compiled_system.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// A run from the model's own start and values.
Trajectory simulate(const CompiledSystem& system, const RunOptions& options);
/// A run from a given start. UsageError when a list has neither the size that the system asks for
/// nor none. All else that can go wrong is in the trajectory.
Trajectory simulate(const CompiledSystem& system, const RunStart& start, const RunOptions& options);

}  // namespace visviva
