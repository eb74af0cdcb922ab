// A method's trouble in the messages of tests that fail.
#pragma once

#include <ostream>

#include "visviva/simulation/reason.h"

namespace visviva {

inline std::ostream& operator<<(std::ostream& out, const MethodTrouble& trouble) {
  return out << "trouble " << static_cast<int>(trouble.kind) << " at t = " << trouble.time
             << ", step " << trouble.step << " " << trouble.words;
}

}  // namespace visviva
