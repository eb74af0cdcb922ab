// What `simulate` says about a run, in words.
#pragma once

#include <iosfwd>

#include "visviva/app/cli/check_file.h"
#include "visviva/app/cli/run_recorder.h"
#include "visviva/codegen/system/compiled_system.h"
#include "visviva/report/interactions/claim_tests.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The claims of a model tested by a run that has list_claim_outputs() among its outputs, with a second run where claim_tests.h
/// (1) needs one.
std::vector<ClaimTest> test_claims_along(const CompiledSystem& system, const RunOptions& options,
                                         const Trajectory& run, const CheckedModel& checked);

/// How it ended, the last state, energies, events, the certificate, claims, files.
void print_run(const Trajectory& run, const Kinematics& motion, const RunRecorder& recorder,
               const std::vector<ClaimTest>& claims, std::ostream& out);

}  // namespace visviva
