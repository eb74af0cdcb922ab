// The section of a page that shows the runs of a model's cases side by side.
#pragma once

#include <vector>

#include "visviva/report/page/html.h"
#include "visviva/report/page/report_origin.h"

namespace visviva {

/// A panel for each case; nothing without cases.
Html make_cases_section(const std::vector<CasePanel>& cases);

}  // namespace visviva
