// The certificate of a run in words: what E_Z did, what that shows and what it does not.
#pragma once

#include <string>

#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Paragraphs in lines that fit a terminal, each indented by two blanks. Empty when the run did not
/// begin.
std::string write_certificate_text(const Trajectory& run);

}  // namespace visviva
