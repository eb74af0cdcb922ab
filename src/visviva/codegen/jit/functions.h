// FunctionEmitter: blocks of sines, cosines and calls of the C library.
#pragma once

#include "visviva/codegen/jit/support.h"

#if VISVIVA_CAN_EMIT

#include <cstdint>
#include <vector>

#include "visviva/codegen/jit/instructions.h"
#include "visviva/codegen/jit/schedule.h"
#include "visviva/codegen/jit/values.h"

namespace visviva::jit {

/// The emitter of functions, sines and cosines in blocks. For one state the angles of a block lie
/// side by side, so that one evaluation does eight or four of them; for several states an
/// evaluation does one angle of all.
class FunctionEmitter {
 public:
  /// Gives functions and angles their places in memory.
  FunctionEmitter(const Program& program, const Schedule& schedule, Instructions& instructions,
                  Values& values, asmjit::Label sincos);

  /// Emits block `number`, blocks in their order; all values are in memory.
  void emit(std::size_t number);

  /// How many angles the sincos subroutine takes: no more than needed.
  static int angles_at_once(const Schedule& schedule, const Instructions& instructions);

 private:
  /// The slots where a block's sines and cosines begin.
  struct Layout {
    std::uint32_t sines = 0, cosines = 0;
  };

  void arrange(const FunctionBlock& block);
  void emit_angles(const FunctionBlock& block, const Layout& layout);
  void gather(const std::uint32_t* angles, int count);
  void emit_call(std::uint32_t i);
  asmjit::x86::Vec angle_register(int r) const;

  const Program& program_;
  const Schedule& schedule_;
  Instructions& in_;
  Values& values_;
  asmjit::Label sincos_;
  int lanes_;
  std::vector<Layout> layouts_;
  std::vector<std::uint32_t> ranks_;  // of values that are angles, in their block
  std::vector<std::uint8_t> wanted_;  // bit 0: the sine, bit 1: the cosine
};

}  // namespace visviva::jit

#endif
