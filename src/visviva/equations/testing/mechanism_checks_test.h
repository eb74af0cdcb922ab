// What must hold for the equations of every mechanism, by every method: checked on one, reported as
// a list of what failed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "visviva/equations/prove/prove.h"
#include "visviva/equations/testing/random_mechanism_test.h"

namespace visviva::mechanisms {

struct MechanismReport {
  std::vector<std::string> failures;
  std::vector<std::string> refusals;  ///< methods that do not apply, and why
  std::vector<ProofRemark> remarks;
  int methods = 0, rows = 0, speeds = 0, states = 0;
  bool is_undecided = false;
};

/// Checks the mechanism of a seed, at its start and at so many random states.
MechanismReport check_mechanism(std::uint64_t seed, const Features& features = {}, int states = 1);

}  // namespace visviva::mechanisms
