// Coordinates that a reader of the model wants to follow curves: the motors that keep them there, and what is asked of
// these.
#pragma once

#include "visviva/text/build/model_reading.h"
#include "visviva/text/build/name_table.h"

namespace visviva {

/// Drives coordinates, with outputs motor(q) and power(q) that are drawn.
void read_followed(ModelDraft& draft, NameTable& names, const ReadOptions& options);

}  // namespace visviva
