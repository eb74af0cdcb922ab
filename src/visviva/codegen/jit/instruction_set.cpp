#include "visviva/codegen/jit/instruction_set.h"

#include "visviva/codegen/jit/support.h"

namespace visviva {

#if VISVIVA_CAN_EMIT

InstructionSet detect_instructions() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return InstructionSet::none;
  const bool has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl");
  return has_512 ? InstructionSet::avx512 : InstructionSet::avx2;
}

std::string explain_no_instructions() {
  return detect_instructions() == InstructionSet::none ? "this processor has no AVX2 and FMA" : "";
}

#else

InstructionSet detect_instructions() { return InstructionSet::none; }

std::string explain_no_instructions() {
#ifdef VISVIVA_HAS_ASMJIT
  return "code is emitted for 64-bit x86 only";
#else
  return "this build has no asmjit (Debian: libasmjit-dev)";
#endif
}

#endif

}  // namespace visviva
