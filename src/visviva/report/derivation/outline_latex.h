// Equations and sections of an outline as LaTeX.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/derivation/derivation_outline.h"

namespace visviva {

/// An align* environment, long sums on several lines; "" when there are none. Every text is LaTeX.
std::string write_equations_latex(const std::vector<OutlineEquation>& equations);

/// Heading, paragraphs, equations, tables.
std::string write_section_latex(const OutlineSection& section);

}  // namespace visviva
