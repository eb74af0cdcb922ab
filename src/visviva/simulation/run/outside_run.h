// Runs by methods that choose or keep their steps themselves: CVODE and IDA, and the variational one.
#pragma once

#include <string>

#include "visviva/codegen/system/compiled_system.h"
#include "visviva/simulation/run/checkpoints.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Runs by "variational", "variational4", or one of list_sundials_methods(). E_Z is watched at every
/// step. To keep it within options.energy a run of SUNDIALS is repeated with a tenth of the local tolerance
/// until it does; the variational method's steps are given, and its certificate may fail. Systems with
/// switches are refused; constraints are not projected onto: their drift is reported.
Trajectory run_outside(const CompiledSystem& system, const RunStart& start,
                       const RunOptions& options, Checkpoints* checkpoints = nullptr);
bool is_outside_method(const std::string& method);
bool is_variational_method(const std::string& method);

}  // namespace visviva
