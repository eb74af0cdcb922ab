// Values: where each value of a program is while its code is emitted, in a register or in memory.
#pragma once

#include "visviva/codegen/jit/support.h"

#if VISVIVA_CAN_EMIT

#include <array>
#include <cstdint>
#include <vector>

#include "visviva/codegen/jit/instructions.h"
#include "visviva/codegen/jit/registers.h"
#include "visviva/codegen/jit/schedule.h"

namespace visviva::jit {

/// Entry 0 is for one number, or one of each state; others are null where there is none so wide.
using InstructionsByWidth = std::array<Instructions*, 5>;

/// A value is stored at most once, when its register is needed for another; from then on it is read
/// from memory.
class Values {
 public:
  using Value = std::uint32_t;

  /// `instructions`: by width, those for values of several lanes.
  Values(const Program& program, const Schedule& schedule, const InstructionsByWidth& instructions);

  Instructions& instructions(Value v) const {
    return *in_[program_.widths.empty() ? 0 : program_.widths[v]];
  }

  // ---- While one operation is emitted, the registers of its operands and results are pinned

  /// Operands that cannot be read from memory come into registers.
  void begin_step(const Value* operands, int count);
  int register_of(Value v) const { return registers_of_[v]; }  ///< -1 when there is none
  asmjit::Operand operand(Value v) const;
  void bring_in(Value v);
  int take_register();
  void give_back(int r) { registers_.release(r); }
  void load(int r, Value v) { instructions(v).load(r, places_[v]); }
  /// After a use of v: v is used again at step `later`, or never. Register `to` is now another's.
  void settle(Value v, std::uint32_t later, int to);
  /// Register r has the new value v; outputs are written at once.
  void define(Value v, int r);

  // ---- Across function blocks all is in memory

  void store_all();
  const Place& place(Value v) const { return places_[v]; }
  void set_place(Value v, Place place) { places_[v] = place; }
  /// Reserves slots that are never used for anything else; before the first operation.
  std::uint32_t reserve_slots(std::size_t count);

  /// Copies outputs that are inputs, parameters, constants or values of functions.
  void copy_outputs();
  std::size_t scratch_slots() const { return slot_count_; }

 private:
  void store(Value v);
  std::uint32_t take_slot(Value v);
  std::size_t width(Value v) const { return program_.widths.empty() ? 1 : program_.widths[v]; }

  const Program& program_;
  const Schedule& schedule_;
  InstructionsByWidth in_;
  Registers registers_;
  Registers::Set pinned_ = 0;
  std::vector<Place> places_;
  std::vector<std::int8_t> registers_of_;
  std::vector<std::uint32_t> next_uses_;
  std::vector<std::uint32_t> first_outputs_, next_outputs_;  // the outputs of a value, as a list
  std::array<std::vector<std::uint32_t>, 5> free_slots_;     // by width
  std::uint32_t slot_count_ = 0, reserved_count_ = 0;
};

}  // namespace visviva::jit

#endif
