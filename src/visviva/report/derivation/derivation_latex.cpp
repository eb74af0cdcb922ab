// LaTeX of a derivation: a fragment for a document that uses amsmath.
#include "visviva/report/derivation/derivation_text.h"
#include "visviva/report/derivation/outline_latex.h"

namespace visviva {

std::string write_derivation_latex(const Derivation& derivation) {
  const Outline outline = make_outline(derivation, Notation::latex);
  std::string text =
      "% Needs \\usepackage{amsmath}.\n"
      "\\begingroup\\allowdisplaybreaks  % long lists of equations go over pages\n"
      "\\paragraph{" +
      outline.title + "}\n";
  for (const OutlineSection& s : outline.sections) text += write_section_latex(s);
  return text + "\\endgroup\n";
}

}  // namespace visviva
