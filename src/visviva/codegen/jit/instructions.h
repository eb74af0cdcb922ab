// Instructions: the forms of each operation for one width and one instruction set, and where numbers
// lie in memory.
//
//   width 1: xmm registers, scalar instructions; 2: xmm; 4: ymm; 8: zmm
//   avx512: 32 registers, numbers broadcast by the instruction that reads them, results blended by
//   mask registers; avx2: 16 registers, numbers broadcast by a load, results blended by vectors
#pragma once

#include "visviva/codegen/jit/support.h"

#if VISVIVA_CAN_EMIT

#include <asmjit/x86.h>

#include <cstdint>

#include "visviva/codegen/jit/instruction_set.h"

namespace visviva::jit {

/// The place of a value in memory. Scratch is counted in slots: one number for each state that the code evaluates at once.
struct Place {
  enum class Base : std::uint8_t { none, input, parameter, constant, scratch, output };
  Base base = Base::none;
  bool is_ready = false;  ///< the value has been written there
  bool is_own =
      false;  ///< of constants and parameters: a number for each lane, one after the other
  std::uint32_t index = 0;

  bool is_shared() const { return !is_own && (base == Base::constant || base == Base::parameter); }
};

/// Constants of the emitter itself, four times each, at the beginning of the constants in memory.
enum class Fixed : std::uint8_t {
  sign_bit,
  magnitude,  ///< all but the sign bit
  one,
  zero,
  basic_count,
  // of sincos.cpp
  half = basic_count,
  two_over_pi,
  rounder,
  limit,
  pi_1,
  pi_2,
  pi_3,
  sine,  ///< six coefficients
  cosine = sine + 6,
  count = cosine + 6,
};
inline constexpr int fixed_size = 32;  // bytes

class Instructions {
 public:
  using Assembler = asmjit::x86::Assembler;
  using Vec = asmjit::x86::Vec;
  using Mem = asmjit::x86::Mem;
  using Gp = asmjit::x86::Gp;

  /// The five pointers; callee-saved registers when C functions are called.
  struct Pointers {
    Gp inputs, parameters, outputs, scratch, constants;
  };

  /// `states`: evaluated at once; `width` of them, or else lanes of one.
  Instructions(Assembler& assembler, int width, int states, InstructionSet set, bool calls);

  /// The same for values of several lanes.
  Instructions with_width(int width) const;

  int width() const { return width_; }
  bool has_masks() const { return has_masks_; }
  int register_count() const { return has_masks_ ? 32 : 16; }
  Assembler& assembler() { return a_; }
  const Pointers& pointers() const { return pointers_; }
  /// Fixed constants that the program has; its own begin after them.
  void set_fixed_count(int count) { fixed_count_ = count; }

  Vec reg(int r) const { return Vec::fromTypeAndId(type_, static_cast<std::uint32_t>(r)); }
  /// A place as an operand of an instruction that needs all lanes; a shared place only where `reads_directly`.
  Mem memory(Place place) const;
  bool reads_directly(Place place) const { return has_masks_ || width_ == 1 || !place.is_shared(); }
  Mem lane(Place place, int k) const;
  Mem fixed(Fixed which) const;                      ///< for bitwise operations
  Mem fixed_at(Fixed which, int byte_offset) const;  ///< without broadcast

  // ---- Lanes; numbers in registers or memory

  void join(int to, int a, const asmjit::Operand_& b);
  void broadcast(int to, const asmjit::Operand_& a);
  void take_lane(int to, int a, int k) const;
  void sum_lanes(int to, int a, int t) const;
  void load_lane(int to, Place place, int k);

  void load(int r, Place place);
  void store(Place place, int r);
  void move(int to, int from);

  void add(int to, int a, const asmjit::Operand_& b) { emit3(ids_.add, to, a, b); }
  void subtract(int to, int a, const asmjit::Operand_& b) { emit3(ids_.subtract, to, a, b); }
  void multiply(int to, int a, const asmjit::Operand_& b) { emit3(ids_.multiply, to, a, b); }
  void divide(int to, int a, const asmjit::Operand_& b) { emit3(ids_.divide, to, a, b); }
  void square_root(int to, int a);
  void negate(int to, int a);
  void absolute(int to, int a);

  /// Fused forms; `order` is 132, 213 or 231: which of (to, a, b) are multiplied, which is added.
  void multiply_add(int order, int signs, int to, int a, const asmjit::Operand_& b);

  // What follows needs scratch registers where there are no masks: `t`, and `to` differs from all
  // sources.
  void sign(int to, int a, int t);
  void step(int to, int a, int t);
  void minimum(int to, int a, int b, int t);
  void maximum(int to, int a, int b, int t);

 private:
  struct Ids {
    std::uint32_t add, subtract, multiply, divide, root, min, max, compare, load;
    std::uint32_t fused[3][4];  // by order, by signs
  };
  static Ids scalar_ids();
  static Ids packed_ids();

  void emit3(std::uint32_t id, int to, int a, const asmjit::Operand_& b) {
    if (b.isMem()) shorten(b.as<Mem>());
    a_.emit(id, reg(to), reg(a), b);
  }
  void shorten(const Mem& m);
  Mem compared(Fixed which) const;
  void extreme(std::uint32_t id, int to, int first, int second, int t);

  Assembler& a_;
  int width_, states_;
  bool has_masks_;
  asmjit::RegType type_;
  asmjit::x86::Mem::Broadcast broadcast_, wide_broadcast_;
  Ids ids_;
  Pointers pointers_;
  int fixed_count_ = 0;
};

}  // namespace visviva::jit

#endif
