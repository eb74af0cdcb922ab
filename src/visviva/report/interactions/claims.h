// Claims: what the author of a model says is true of it, proved or refuted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/equations/equations.h"
#include "visviva/equations/interactions/decision.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

struct ClaimVerdict {
  Decision holds = Decision::yes;
  /// Where it does not hold: an error (E-claim-false) with what shows it, or a warning (W-claim-undecided) where neither a
  /// proof nor a counterexample was found.
  std::optional<Diagnostic> problem{};
};

/// One verdict for each claim of the model. ModelError when the equations cannot be analyzed.
std::vector<ClaimVerdict> judge_claims(const Equations& equations, const ConsistentStart& start);

/// "constant H", "invariant dipoles".
std::string claim_text(const ClaimData& claim);

}  // namespace visviva
