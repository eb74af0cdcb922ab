// Printing vectors for people: -omega*q1*B.z.
#pragma once

#include <string>

#include "visviva/model/frame.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {

/// A vector as text: its components, simplified as print() does, in the frames in which it was
/// written or in the one where it is shortest.
std::string print_vector(const Vector& v, Notation notation = Notation::language);

}  // namespace visviva
