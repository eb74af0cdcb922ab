// Emitter: a program as machine code in one forward pass, with registers by Belady's rule.
#pragma once

#include "visviva/codegen/jit/support.h"

#if VISVIVA_CAN_EMIT

#include <cstddef>

#include "visviva/codegen/jit/instructions.h"
#include "visviva/codegen/program/program.h"

namespace visviva::jit {

/// The facts that emitted code needs to know of itself.
struct Emitted {
  std::size_t entry = 0;          ///< bytes from the beginning
  std::size_t scratch_slots = 0;  ///< of `width` numbers each
};

/// Writes constants, the sincos subroutine and the code into an empty assembler. The code does not
/// depend on where it lies.
Emitted emit_program(const Program& program, asmjit::x86::Assembler& assembler, int width,
                     InstructionSet set);

}  // namespace visviva::jit

#endif
