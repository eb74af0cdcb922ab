// The certificate of a run in words: what E_Z did, what that shows and what it does not.
#pragma once

#include <string>
#include <vector>

#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Paragraphs. None when the run did not begin.
std::vector<std::string> list_certificate_words(const Trajectory& run);
/// The certificate in lines that fit a terminal, each indented by two blanks. Empty when the run
/// did not begin.
std::string write_certificate_text(const Trajectory& run);

}  // namespace visviva
