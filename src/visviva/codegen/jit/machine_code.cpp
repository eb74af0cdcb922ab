#include "visviva/codegen/jit/machine_code.h"

#include <cstring>
#include <utility>

#include "visviva/base/error.h"
#include "visviva/codegen/jit/support.h"

#if VISVIVA_CAN_EMIT
#include <sys/mman.h>

#include "visviva/codegen/jit/emitter.h"
#endif

namespace visviva {

#if VISVIVA_CAN_EMIT

/// Written first, executable afterwards, never both.
struct MachineCode::Memory {
  void* start = MAP_FAILED;
  std::size_t size = 0;

  Memory(const void* code, std::size_t code_size) : size(code_size) {
    start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    std::memcpy(start, code, size);
    if (mprotect(start, size, PROT_READ | PROT_EXEC) != 0) {
      munmap(start, size);
      throw UsageError("MachineCode", "this system does not let memory become executable");
    }
  }
  ~Memory() { munmap(start, size); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

namespace {

// The encoder refuses an instruction only when we ask for a wrong one.
struct Refusal : asmjit::ErrorHandler {
  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter*) override {
    if (error == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    throw InternalError(std::string("emit_program: ") + message);
  }
};

}  // namespace

MachineCode::MachineCode(const Program& program, int width, InstructionSet instructions)
    : width_(width) {
  if (instructions == InstructionSet::none)
    throw UsageError("MachineCode", "no machine code can be emitted: " + explain_no_instructions());
  if (instructions > detect_instructions())
    throw UsageError("MachineCode", "this processor does not have the instructions asked for");
  const bool is_known = width == 1 || width == 4 || width == 8;
  if (!is_known || (width == 8 && instructions != InstructionSet::avx512))
    throw UsageError("MachineCode", "no code for " + std::to_string(width) + " states at once");

  asmjit::CodeHolder code;
  Refusal refusal;
  code.init(asmjit::Environment::host());
  code.setErrorHandler(&refusal);
  asmjit::x86::Assembler assembler(&code);
  const jit::Emitted emitted = jit::emit_program(program, assembler, width, instructions);
  const asmjit::CodeBuffer& buffer = code.textSection()->buffer();
  memory_ = std::make_unique<Memory>(buffer.data(), buffer.size());
  code_size_ = buffer.size();
  scratch_size_ = emitted.scratch_slots * static_cast<std::size_t>(width);
  entry_ = reinterpret_cast<Entry>(static_cast<char*>(memory_->start) + emitted.entry);
}

#else

struct MachineCode::Memory {};

MachineCode::MachineCode(const Program&, int, InstructionSet) {
  throw UsageError("MachineCode", "no machine code can be emitted: " + explain_no_instructions());
}

#endif

MachineCode::~MachineCode() = default;
MachineCode::MachineCode(MachineCode&&) noexcept = default;
MachineCode& MachineCode::operator=(MachineCode&&) noexcept = default;

}  // namespace visviva
