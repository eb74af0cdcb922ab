#include "visviva/codegen/jit/instructions.h"

#if VISVIVA_CAN_EMIT

namespace visviva::jit {

using asmjit::imm;
namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

namespace {

// Comparison predicates; the quiet ones.
enum Predicate { unordered = 3, ordered = 7, not_equal = 0x0C, greater_equal = 0x1D };

}  // namespace

Instructions::Ids Instructions::scalar_ids() {
  return {
      Inst::kIdVaddsd,
      Inst::kIdVsubsd,
      Inst::kIdVmulsd,
      Inst::kIdVdivsd,
      Inst::kIdVsqrtsd,
      Inst::kIdVminsd,
      Inst::kIdVmaxsd,
      Inst::kIdVcmpsd,
      Inst::kIdVmovsd,
      {{Inst::kIdVfmadd132sd, Inst::kIdVfnmadd132sd, Inst::kIdVfmsub132sd, Inst::kIdVfnmsub132sd},
       {Inst::kIdVfmadd213sd, Inst::kIdVfnmadd213sd, Inst::kIdVfmsub213sd, Inst::kIdVfnmsub213sd},
       {Inst::kIdVfmadd231sd, Inst::kIdVfnmadd231sd, Inst::kIdVfmsub231sd, Inst::kIdVfnmsub231sd}}};
}

Instructions::Ids Instructions::packed_ids() {
  return {
      Inst::kIdVaddpd,
      Inst::kIdVsubpd,
      Inst::kIdVmulpd,
      Inst::kIdVdivpd,
      Inst::kIdVsqrtpd,
      Inst::kIdVminpd,
      Inst::kIdVmaxpd,
      Inst::kIdVcmppd,
      Inst::kIdVmovupd,
      {{Inst::kIdVfmadd132pd, Inst::kIdVfnmadd132pd, Inst::kIdVfmsub132pd, Inst::kIdVfnmsub132pd},
       {Inst::kIdVfmadd213pd, Inst::kIdVfnmadd213pd, Inst::kIdVfmsub213pd, Inst::kIdVfnmsub213pd},
       {Inst::kIdVfmadd231pd, Inst::kIdVfnmadd231pd, Inst::kIdVfmsub231pd, Inst::kIdVfnmsub231pd}}};
}

Instructions::Instructions(Assembler& assembler, int width, int states, InstructionSet set,
                           bool calls)
    : a_(assembler), width_(width), states_(states), has_masks_(set == InstructionSet::avx512) {
  using asmjit::RegType;
  using Broadcast = x86::Mem::Broadcast;
  type_ = width <= 2 ? RegType::kX86_Xmm : width == 4 ? RegType::kX86_Ymm : RegType::kX86_Zmm;
  // Arithmetic on one lane reads one number; bitwise operations are packed for any width.
  wide_broadcast_ = width <= 2   ? Broadcast::k1To2
                    : width == 4 ? Broadcast::k1To4
                                 : Broadcast::k1To8;
  broadcast_ = width == 1 ? Broadcast::kNone : wide_broadcast_;
  ids_ = width == 1 ? scalar_ids() : packed_ids();
  pointers_ = calls ? Pointers{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14}
                    : Pointers{x86::rdi, x86::rsi, x86::rdx, x86::rcx, x86::r8};
}

Instructions Instructions::with_width(int width) const {
  const InstructionSet set = has_masks_ ? InstructionSet::avx512 : InstructionSet::avx2;
  Instructions other(a_, width, states_, set, false);
  other.pointers_ = pointers_;
  other.fixed_count_ = fixed_count_;
  return other;
}

// ---- Memory

Instructions::Mem Instructions::lane(Place place, int k) const {
  const auto at = [&](const Gp& base, std::int64_t number) {
    return x86::ptr(base, static_cast<std::int32_t>(number * 8));
  };
  const std::int64_t index = place.index, wide = index * states_ + k;
  switch (place.base) {
    case Place::Base::input:
      return at(pointers_.inputs, wide);
    case Place::Base::output:
      return at(pointers_.outputs, wide);
    case Place::Base::parameter:
      return at(pointers_.parameters, index + (place.is_own ? k : 0));
    case Place::Base::constant:
      return at(pointers_.constants,
                index + (place.is_own ? k : 0) + fixed_count_ * (fixed_size / 8));
    default:
      return at(pointers_.scratch, wide);
  }
}

Instructions::Mem Instructions::memory(Place place) const {
  Mem m = lane(place, 0);
  if (place.is_shared()) m.setBroadcast(broadcast_);
  return m;
}

Instructions::Mem Instructions::fixed_at(Fixed which, int byte_offset) const {
  return x86::ptr(pointers_.constants, static_cast<int>(which) * fixed_size + byte_offset);
}

Instructions::Mem Instructions::fixed(Fixed which) const {
  Mem m = fixed_at(which, 0);
  if (has_masks_) m.setBroadcast(wide_broadcast_);
  return m;
}

// A scalar comparison reads one number.
Instructions::Mem Instructions::compared(Fixed which) const {
  Mem m = fixed_at(which, 0);
  if (has_masks_) m.setBroadcast(broadcast_);
  return m;
}

// One number farther than 128 bytes from its pointer takes a byte of the longer prefix, whose displacements count in numbers,
// where the shorter one takes four: code of ten thousand operations is a tenth shorter, and has to fit into a cache.
void Instructions::shorten(const Mem& m) {
  if (!has_masks_ || width_ != 1) return;
  const std::int64_t offset = m.offset();
  if (offset >= 128 && offset < 1024 && offset % 8 == 0) a_.evex();
}

void Instructions::load(int r, Place place) {
  shorten(lane(place, 0));
  if (place.is_shared() && width_ > 1) return broadcast(r, lane(place, 0));
  a_.emit(ids_.load, reg(r), lane(place, 0));
}

void Instructions::store(Place place, int r) {
  shorten(lane(place, 0));
  a_.emit(ids_.load, lane(place, 0), reg(r));
}

// ---- Lanes

void Instructions::broadcast(int to, const asmjit::Operand_& a) {
  a_.emit(width_ == 2 ? Inst::kIdVmovddup : Inst::kIdVbroadcastsd, reg(to), a);
}

// Halves of this width.
void Instructions::join(int to, int a, const asmjit::Operand_& b) {
  const auto half = [&](int r) { return x86::xmm(static_cast<std::uint32_t>(r)); };
  if (width_ == 2)
    a_.emit(b.isMem() ? Inst::kIdVmovhpd : Inst::kIdVunpcklpd, half(to), half(a), b);
  else
    a_.emit(has_masks_ ? Inst::kIdVinsertf64x2 : Inst::kIdVinsertf128, reg(to), reg(a), b, imm(1));
}

// Of a value of this width.
void Instructions::take_lane(int to, int a, int k) const {
  const auto half = [&](int r) { return x86::xmm(static_cast<std::uint32_t>(r)); };
  if (k >= 2) {
    a_.emit(has_masks_ ? Inst::kIdVextractf64x2 : Inst::kIdVextractf128, half(to), reg(a), imm(1));
    if (k == 3) a_.emit(Inst::kIdVunpckhpd, half(to), half(to), half(to));
  } else if (k == 1) {
    a_.emit(Inst::kIdVunpckhpd, half(to), half(a), half(a));
  } else if (to != a) {
    a_.emit(Inst::kIdVmovapd, half(to), half(a));
  }
}

void Instructions::load_lane(int to, Place place, int k) {
  a_.emit(ids_.load, reg(to), lane(place, place.is_shared() ? 0 : k));
}

void Instructions::sum_lanes(int to, int a, int t) const {
  const auto half = [&](int r) { return x86::xmm(static_cast<std::uint32_t>(r)); };
  int pair = a;
  if (width_ == 4) {
    a_.emit(has_masks_ ? Inst::kIdVextractf64x2 : Inst::kIdVextractf128, half(t), reg(a), imm(1));
    a_.emit(Inst::kIdVaddpd, half(to), half(a), half(t));
    pair = to;
  }
  a_.emit(Inst::kIdVunpckhpd, half(t), half(pair), half(pair));
  a_.emit(Inst::kIdVaddsd, half(to), half(pair), half(t));
}

void Instructions::move(int to, int from) { a_.emit(Inst::kIdVmovapd, reg(to), reg(from)); }

// ---- Operations

void Instructions::square_root(int to, int a) {
  if (width_ == 1)
    a_.emit(ids_.root, reg(to), reg(a), reg(a));
  else
    a_.emit(ids_.root, reg(to), reg(a));
}

void Instructions::negate(int to, int a) {
  a_.emit(Inst::kIdVxorpd, reg(to), reg(a), fixed(Fixed::sign_bit));
}

void Instructions::absolute(int to, int a) {
  a_.emit(Inst::kIdVandpd, reg(to), reg(a), fixed(Fixed::magnitude));
}

void Instructions::multiply_add(int order, int signs, int to, int a, const asmjit::Operand_& b) {
  const int row = order == 132 ? 0 : order == 213 ? 1 : 2;
  emit3(ids_.fused[row][signs & 3], to, a, b);
}

// The number one with the sign of a where a is neither zero nor NaN, else a.
void Instructions::sign(int to, int a, int t) {
  const Mem zero = compared(Fixed::zero);
  if (has_masks_) {
    move(to, a);
    a_.emit(ids_.compare, x86::k1, reg(a), zero, imm(not_equal));
    a_.k(x86::k1).emit(Inst::kIdVandpd, reg(to), reg(to), fixed(Fixed::sign_bit));
    a_.k(x86::k1).emit(Inst::kIdVorpd, reg(to), reg(to), fixed(Fixed::one));
    return;
  }
  a_.emit(ids_.compare, reg(t), reg(a), zero, imm(not_equal));
  a_.emit(Inst::kIdVandpd, reg(to), reg(a), fixed(Fixed::sign_bit));
  a_.emit(Inst::kIdVorpd, reg(to), reg(to), fixed(Fixed::one));
  a_.emit(Inst::kIdVblendvpd, reg(to), reg(a), reg(to), reg(t));
}

// a where it is NaN, else one where a >= 0 and zero elsewhere.
void Instructions::step(int to, int a, int t) {
  const Mem zero = compared(Fixed::zero);
  if (has_masks_) {
    move(to, a);
    a_.emit(ids_.compare, x86::k1, reg(a), reg(a), imm(ordered));
    a_.k(x86::k1).emit(Inst::kIdVxorpd, reg(to), reg(to), reg(to));
    a_.emit(ids_.compare, x86::k1, reg(a), zero, imm(greater_equal));
    a_.k(x86::k1).emit(Inst::kIdVorpd, reg(to), reg(to), fixed(Fixed::one));
    return;
  }
  a_.emit(ids_.compare, reg(to), reg(a), zero, imm(greater_equal));
  a_.emit(Inst::kIdVandpd, reg(to), reg(to), fixed(Fixed::one));
  a_.emit(ids_.compare, reg(t), reg(a), reg(a), imm(unordered));
  a_.emit(Inst::kIdVblendvpd, reg(to), reg(to), reg(a), reg(t));
}

// The processor takes the second operand where one is NaN or both are zero: min(a, b) and max(b, a)
// are right but for a NaN in the first.
void Instructions::minimum(int to, int a, int b, int t) { extreme(ids_.min, to, a, b, t); }
void Instructions::maximum(int to, int a, int b, int t) { extreme(ids_.max, to, b, a, t); }

void Instructions::extreme(std::uint32_t id, int to, int first, int second, int t) {
  emit3(id, to, first, reg(second));
  if (has_masks_) {
    a_.emit(ids_.compare, x86::k1, reg(first), reg(first), imm(unordered));
    a_.k(x86::k1).emit(Inst::kIdVmovapd, reg(to), reg(first));
    return;
  }
  a_.emit(ids_.compare, reg(t), reg(first), reg(first), imm(unordered));
  a_.emit(Inst::kIdVblendvpd, reg(to), reg(to), reg(first), reg(t));
}

}  // namespace visviva::jit

#endif
