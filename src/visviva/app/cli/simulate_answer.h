// What `simulate` says about a run, in words.
#pragma once

#include <iosfwd>

#include "visviva/app/cli/run_recorder.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// How it ended, the last state, energies, events, the certificate, files.
void print_run(const Trajectory& run, const Kinematics& motion, const RunRecorder& recorder,
               std::ostream& out);

}  // namespace visviva
