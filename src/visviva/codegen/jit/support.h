// Whether this build can emit machine code: asmjit, 64-bit x86 and the System V calling convention.
#pragma once

#if defined(VISVIVA_HAS_ASMJIT) && defined(__x86_64__) && defined(__unix__)
#define VISVIVA_CAN_EMIT 1
#else
#define VISVIVA_CAN_EMIT 0
#endif
