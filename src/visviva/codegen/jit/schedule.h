// Schedule: in which order the operations of a program are emitted, and when each value is used next.
//
// Functions are evaluated in blocks: block d has those whose arguments depend on no function outside
// blocks 0 to d-1. Before block d come only the operations that its arguments need; what no later block needs comes after the last one. Dead operations are left out.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "visviva/codegen/program/program.h"

namespace visviva::jit {

/// No step, no value, no slot.
inline constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

inline bool is_function(Code code) { return code >= Code::sin; }

/// operand_count() where it is asked for often.
inline int count_operands(const Operation& operation) {
  static_assert(static_cast<int>(Code::call) == 20, "the counts are in the order of Code");
  constexpr std::int8_t counts[] = {0, 0, 0, 2, 2, 2, 3, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1};
  const auto k = static_cast<std::size_t>(operation.code);
  return k < 20 ? counts[k] : operand_count(operation);
}

/// Sines, cosines and calls evaluated together.
struct FunctionBlock {
  std::vector<std::uint32_t> angles;         ///< values, each once; inputs first, in their order
  std::vector<std::uint32_t> trigonometric;  ///< operations
  std::vector<std::uint32_t> calls;          ///< operations
};

/// Steps are counted over all phases: one for each operation, one for each block.
struct Schedule {
  std::vector<std::uint32_t> order;       ///< operations that are neither leaves nor functions
  std::vector<std::size_t> phase_ends;    ///< positions in `order`; block d follows phase d
  std::vector<FunctionBlock> blocks;      ///< one fewer than phases
  std::vector<std::uint32_t> first_uses;  ///< first use of each value: a step, or nothing
  std::vector<std::uint32_t>
      later_uses;  ///< for each use in turn: the next step that uses it again
};

/// `interleaved`: chains side by side (interleave.h). Several states at once need that less than they need registers.
Schedule make_schedule(const Program& program, bool interleaved = true);

/// Calls take(value) for every use of an operation, or of a block, in the order of `later_uses`.
template <typename Take>
void for_each_use(const Operation& operation, Take take) {
  const int n = count_operands(operation);
  if (n > 0) take(operation.a);
  if (n > 1) take(operation.b);
  if (n > 2) take(operation.c);
}
template <typename Take>
void for_each_use(const Program& program, const FunctionBlock& block, Take take) {
  for (const std::uint32_t v : block.angles) take(v);
  for (const std::uint32_t i : block.calls) for_each_use(program.operations[i], take);
}

}  // namespace visviva::jit
