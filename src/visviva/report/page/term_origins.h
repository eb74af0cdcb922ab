// Which loads and bodies act on which speed: a way to every term of the equations that needs no
// pointer.
#pragma once

#include <string>

#include "visviva/report/derivation/causes.h"
#include "visviva/report/derivation/derivation.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// A heading of level 3 and a table whose names are links to statements; "" when nothing acts.
Html make_term_origins(const Derivation& derivation, const Causes& causes);

}  // namespace visviva
