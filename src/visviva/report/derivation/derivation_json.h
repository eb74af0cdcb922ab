// A derivation as JSON, for scripts: every expression is a string of the model language.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/report/derivation/derivation.h"

namespace visviva {

/// The fields are described in docs/language.md. Expressions may use the `intermediates`, which are
/// ordered.
nlohmann::ordered_json make_derivation_json(const Derivation& derivation);

}  // namespace visviva
