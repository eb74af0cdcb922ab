// Interactions as JSON, for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/report/interactions/interaction_report.h"

namespace visviva {

nlohmann::ordered_json make_interactions_json(const InteractionReport& report);

}  // namespace visviva
