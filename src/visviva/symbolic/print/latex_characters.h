// Characters beyond ASCII in LaTeX that any engine sets, pdflatex with its plain fonts included.
#pragma once

#include <string>
#include <string_view>

namespace visviva {

/// Text with every character that is not ASCII replaced by what LaTeX can set: a Greek letter by its
/// command, a letter with an accent by itself, dashes and quotes by their ASCII forms, and others by
/// their code, [U+6F22]. ASCII goes through `ascii`, which may escape it. In a formula (`in_math`)
/// letters with accents and codes stand in \text.
std::string write_latex_characters(std::string_view text, bool in_math,
                                   std::string (*ascii)(char c));

/// Plain words, safe in LaTeX outside a formula.
std::string escape_latex_words(std::string_view text);

}  // namespace visviva
