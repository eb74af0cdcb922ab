// A start value that may be a guess: `about -60 deg`.
#pragma once

#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// True for `about VALUE`.
inline bool is_guess(const Expression& e) {
  return e.kind == Expression::Kind::phrase && e.text == "about";
}
/// The value itself, of a guess too.
inline const Expression& without_about(const Expression& e) {
  return is_guess(e) ? e.operands[0] : e;
}

}  // namespace visviva
