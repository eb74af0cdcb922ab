// `visviva prove MODEL --variation ...`: Hamilton's principle, to look at.
#pragma once

#include <iosfwd>

#include "visviva/app/cli/commands.h"

namespace visviva {

/// The action along the motion, and its first and second slope towards the paths beside it.
int run_variation(const CommandOptions& options, const ProveOptions& given, std::ostream& out,
                  std::ostream& err);

}  // namespace visviva
