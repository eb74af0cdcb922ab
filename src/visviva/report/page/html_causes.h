// Causes of an element, so that a page can light up what belongs together.
#pragma once

#include <vector>

#include "visviva/report/page/html.h"

namespace visviva {

/// The attributes, then data-cause="3 7" where there are causes, numbers of Causes::list(); page.js lights up all
/// elements that share a number.
HtmlAttributes with_causes(HtmlAttributes attributes, const std::vector<int>& causes);

}  // namespace visviva
