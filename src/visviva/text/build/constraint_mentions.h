// What the text of a constraint names, in its order: reactions are told for the body named first.
#pragma once

#include "visviva/text/build/name_table.h"

namespace visviva {

/// Points, frames and coordinates in these expressions, from left to right; a `let` stands for what
/// it names.
std::vector<Mention> list_mentions(NameTable& names, const ModelData& model,
                                   const std::vector<const Expression*>& expressions);

}  // namespace visviva
