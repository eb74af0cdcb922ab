// The derivation on the page: from the speeds to the equations of motion, every term with what
// brought it.
#pragma once

#include <string>

#include "visviva/report/derivation/causes.h"
#include "visviva/report/derivation/derivation.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// HTML that starts with a paragraph; headings are of level 3. The derivation holds partial motions
/// and terms. `command` is how the program was called for this model, "visviva derive FILE", for
/// what has no room here.
Html make_derivation_section(const Derivation& derivation, const Causes& causes,
                             const std::string& command);

}  // namespace visviva
