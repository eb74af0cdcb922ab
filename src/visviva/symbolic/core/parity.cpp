#include "visviva/symbolic/core/parity.h"

namespace visviva {

Parity parity_of(Op op) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sign:
      return Parity::odd;
    case Op::cos:
    case Op::cosh:
    case Op::abs:
      return Parity::even;
    default:
      return Parity::none;
  }
}

}  // namespace visviva
