// A derivation as JSON, for scripts: every expression is a string of the model language.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/report/derivation/derivation.h"

namespace visviva {

/// The fields are described in docs/language.md. Expressions may use the `intermediates`, which are
/// ordered. The short form leaves out what follows from the rest, and says what: partial velocities, inertia forces, and the
/// equations before constraints where there are none.
nlohmann::ordered_json make_derivation_json(const Derivation& derivation, bool is_short = false);

}  // namespace visviva
