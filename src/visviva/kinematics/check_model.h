// Checks that need velocities: what a model must satisfy before equations are formed, and what is
// suspicious about it.
#pragma once

#include <vector>

#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// Errors and warnings about forces, inertias, constraints, unused declarations and the start
/// state, each with its place.
std::vector<Diagnostic> check_model(const Kinematics& motion, const ConsistentStart& start);

}  // namespace visviva
