// Who acts on whom, on the page: a table of all interactions, and for each its forces and moments with what holds of them.
#pragma once

#include "visviva/report/derivation/causes.h"
#include "visviva/report/interactions/interaction_report.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// HTML with headings of level 3; empty where nothing acts.
Html make_interactions_section(const InteractionReport& report, const Causes& causes);

}  // namespace visviva
