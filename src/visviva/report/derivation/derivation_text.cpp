#include "visviva/report/derivation/derivation_text.h"

#include "visviva/report/derivation/outline_text.h"

namespace visviva {

std::string write_derivation_text(const Derivation& derivation) {
  const Outline outline = make_outline(derivation, Notation::language);
  std::string text = outline.title + "\n";
  for (const OutlineSection& s : outline.sections) text += write_section_text(s);
  return text;
}

}  // namespace visviva
