// Sentences for the reasons that equations give: loads without effect, constraints that cannot be
// embedded, identities of energy.
#pragma once

#include <string>

#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/energy/energy_claim.h"
#include "visviva/equations/loads/loads.h"

namespace visviva {

/// Why a load has no effect on any speed, as a clause without a full stop.
std::string write_noncontributing_reason(const Noncontributing& load);

/// Why constraints cannot be embedded, as a clause without a full stop.
std::string write_not_embedded(const NotEmbedded& why);

/// An identity of energy as a formula, after the method whose equations it is about.
std::string write_energy_claim(const EnergyClaim& claim);

}  // namespace visviva
