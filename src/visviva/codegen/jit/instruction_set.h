// InstructionSet: what machine code may use here.
#pragma once

#include <string>

namespace visviva {

/// The instructions that the emitter may use. Less than the processor has can be asked for.
enum class InstructionSet {
  none,    ///< nothing can be emitted
  avx2,    ///< AVX2 and FMA: 16 registers, four states
  avx512,  ///< AVX-512 F, DQ and VL: 32 registers, eight states
};

/// The best instruction set that this processor and this build have.
InstructionSet detect_instructions();
/// Why nothing can be emitted here; empty when something can.
std::string explain_no_instructions();

}  // namespace visviva
