// Claims: what the author of a model says is true of it, proved or refuted.
#pragma once

#include <vector>

#include "visviva/base/error.h"
#include "visviva/equations/equations.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

/// One diagnostic for each claim that does not hold: an error (E-claim-false) with what shows it, a warning (W-claim-undecided)
/// where neither a proof nor a counterexample was found. ModelError when the equations cannot be analyzed.
std::vector<Diagnostic> check_claims(const Equations& equations, const ConsistentStart& start);

}  // namespace visviva
