// LaTeX of small motions: matrices with their states, eigenvalues, modes.
#pragma once

#include <string>

#include "visviva/equations/small_motion/linearize.h"

namespace visviva {

/// A fragment for a document that uses amsmath; there is no failure. Wide matrices are written by some columns at a time.
std::string write_linearization_latex(const Linearization& l, const ModelData& model,
                                      bool is_about_equilibrium);

}  // namespace visviva
