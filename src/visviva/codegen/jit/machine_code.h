// MachineCode: a program as instructions of this processor, for one, four or eight states at once.
#pragma once

#include <cstddef>
#include <memory>

#include "visviva/codegen/jit/instruction_set.h"
#include "visviva/codegen/program/program.h"

namespace visviva {

/// Executable memory and how to call it; calls are const and may come from many threads, each with
/// scratch memory of its own. Never writable and executable at once.
class MachineCode {
 public:
  /// `width` states a call: 1, 4, or 8 (which needs avx512). UsageError for another width or for
  /// InstructionSet::none.
  MachineCode(const Program& program, int width, InstructionSet instructions);
  ~MachineCode();
  MachineCode(MachineCode&&) noexcept;
  MachineCode& operator=(MachineCode&&) noexcept;

  /// One state. `scratch` has room for scratch_size() doubles and is aligned to 64 bytes; outputs may not overlap inputs.
  void operator()(const double* inputs, const double* parameters, double* outputs,
                  double* scratch) const {
    entry_(inputs, parameters, outputs, scratch, 0);
  }
  /// Several: input i of lane k is inputs[i][first + k], outputs likewise; parameters are shared.
  void operator()(const double* const* inputs, const double* parameters, double* const* outputs,
                  double* scratch, std::size_t first) const {
    entry_(inputs, parameters, outputs, scratch, first * sizeof(double));
  }

  int width() const { return width_; }
  std::size_t scratch_size() const { return scratch_size_; }
  std::size_t code_size() const { return code_size_; }

 private:
  using Entry = void (*)(const void*, const double*, const void*, double*, std::size_t);
  struct Memory;
  std::unique_ptr<Memory> memory_;
  Entry entry_ = nullptr;
  int width_ = 1;
  std::size_t scratch_size_ = 0, code_size_ = 0;
};

}  // namespace visviva
