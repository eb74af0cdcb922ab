// Text in LaTeX: characters that mean something there, and those beyond ASCII, so that any engine
// sets them, pdflatex with its plain fonts included.
//
// A Greek letter becomes its command, a letter with an accent stays, dashes and quotes take their
// ASCII forms, and others are given by their code, [U+6F22].
#pragma once

#include <string>
#include <string_view>

namespace visviva {

/// Plain words, safe in LaTeX outside a formula.
std::string escape_latex_words(std::string_view text);
/// Plain words, safe in a formula: letters with accents and codes stand in \text.
std::string escape_latex_formula(std::string_view text);

}  // namespace visviva
