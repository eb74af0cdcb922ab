// A derivation written out for people: as text for a terminal, as LaTeX for a paper.
#pragma once

#include <string>

#include "visviva/report/derivation/derivation.h"

namespace visviva {

/// The derivation as a person would write it: speeds, constraints, one line an equation, and where
/// each term came from.
std::string write_derivation_text(const Derivation& derivation);
/// A fragment for a document that uses amsmath.
std::string write_derivation_latex(const Derivation& derivation);

}  // namespace visviva
