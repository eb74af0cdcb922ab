// Sine and cosine of eight or four angles at once, as machine code.
#pragma once

#include "visviva/codegen/jit/support.h"

#if VISVIVA_CAN_EMIT

#include <array>

#include "visviva/codegen/jit/instructions.h"

namespace visviva::jit {

/// The constants of `Fixed`, one number each.
std::array<double, static_cast<std::size_t>(Fixed::count)> fixed_constants();

/// A subroutine: angles in vector register 0; their sines come back there, their cosines in register
/// 1. Changes registers 0 to 15, k1 and rax. `lanes` is 8 (AVX-512) or 4 (AVX2).
/// Errors are below one unit in the last place up to |x| = 1e5; beyond, and for what is no number,
/// the C library is called.
void emit_sincos(Instructions& instructions, int lanes);

}  // namespace visviva::jit

#endif
