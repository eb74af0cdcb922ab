// check_all_paths: one model through every way of getting numbers out of it, and all must say the same.
#pragma once

#include <vector>

#include "visviva/codegen/export/exported_paths_test.h"
#include "visviva/equations/testing/motion_oracle_test.h"

namespace visviva::paths {

using mechanisms::MotionOracle;
using mechanisms::Real;

/// What this machine has.
struct Tools {
  Tools();
  bool has_avx2;
  bool has_avx512;
  bool has_c;
  bool has_python;
  bool has_octave;
};

/// How often each thing was compared.
struct PathTally {
  int models = 0, constrained = 0, states = 0, paths = 0, energies = 0;
};

/// Expects every path to agree at every state; constraints must hold in all of them.
void check_all_paths(const Kinematics& motion, const MotionOracle& oracle, const Tools& tools,
                     const std::vector<std::vector<Real>>& states, PathTally* tally);

}  // namespace visviva::paths
