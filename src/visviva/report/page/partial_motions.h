// Partial velocities and partial angular velocities as tables of the page.
#pragma once

#include <string>

#include "visviva/report/derivation/derivation.h"
#include "visviva/report/page/html.h"
#include "visviva/symbolic/print/printed_forms.h"

namespace visviva {

/// HTML with headings of level 3, folded when it is long. `written` has printed every component.
Html make_partial_motions(const Derivation& derivation, const PrintedForms& written);

}  // namespace visviva
