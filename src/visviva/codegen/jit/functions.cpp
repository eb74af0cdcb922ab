#include "visviva/codegen/jit/functions.h"

#if VISVIVA_CAN_EMIT

#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"

namespace visviva::jit {

using asmjit::imm;
namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

template <typename Pointer>
std::uintptr_t address(Pointer function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

// What apply_operation() calls.
std::uintptr_t function_address(Op function) {
  using Lookup = double (*)(const BoundTable*, double, double);
  switch (function) {
    case Op::call:
      return address<Lookup>([](const BoundTable* t, double a, double b) { return (*t)(a, b); });
    case Op::exp:
      return address<Unary>([](double a) { return std::exp(a); });
    case Op::log:
      return address<Unary>([](double a) { return std::log(a); });
    case Op::tan:
      return address<Unary>([](double a) { return std::tan(a); });
    case Op::asin:
      return address<Unary>([](double a) { return std::asin(a); });
    case Op::acos:
      return address<Unary>([](double a) { return std::acos(a); });
    case Op::atan:
      return address<Unary>([](double a) { return std::atan(a); });
    case Op::sinh:
      return address<Unary>([](double a) { return std::sinh(a); });
    case Op::cosh:
      return address<Unary>([](double a) { return std::cosh(a); });
    case Op::tanh:
      return address<Unary>([](double a) { return std::tanh(a); });
    case Op::atan2:
      return address<Binary>([](double a, double b) { return std::atan2(a, b); });
    case Op::power:
      return address<Binary>([](double a, double b) { return std::pow(a, b); });
    default:
      throw InternalError("emit_program: not a function of the C library");
  }
}

}  // namespace

FunctionEmitter::FunctionEmitter(const Program& program, const Schedule& schedule,
                                 Instructions& instructions, Values& values, asmjit::Label sincos)
    : program_(program),
      schedule_(schedule),
      in_(instructions),
      values_(values),
      sincos_(sincos),
      lanes_(angles_at_once(schedule, instructions)) {
  if (schedule.blocks.empty()) return;
  ranks_.resize(program.operations.size());
  wanted_.resize(program.operations.size());
  for (const FunctionBlock& block : schedule.blocks) arrange(block);
}

int FunctionEmitter::angles_at_once(const Schedule& schedule, const Instructions& instructions) {
  if (instructions.width() > 1) return instructions.width();
  const bool are_few = std::all_of(schedule.blocks.begin(), schedule.blocks.end(),
                                   [](const FunctionBlock& b) { return b.angles.size() <= 4; });
  return instructions.has_masks() && !are_few ? 8 : 4;
}

// ---- Places

void FunctionEmitter::arrange(const FunctionBlock& block) {
  const auto lanes = static_cast<std::size_t>(lanes_);
  const std::size_t n = block.angles.size();
  const std::size_t room = in_.width() > 1 ? n : (n + lanes - 1) / lanes * lanes;
  Layout layout;
  layout.sines = values_.reserve_slots(room);
  layout.cosines = values_.reserve_slots(room);
  layouts_.push_back(layout);

  for (std::size_t j = 0; j < n; ++j) ranks_[block.angles[j]] = static_cast<std::uint32_t>(j);
  for (const std::uint32_t i : block.trigonometric) {
    const Operation& o = program_.operations[i];
    const bool is_sine = o.code == Code::sin;
    wanted_[o.a] = static_cast<std::uint8_t>(wanted_[o.a] | (is_sine ? 1 : 2));
    values_.set_place(i, {Place::Base::scratch, true, false,
                          (is_sine ? layout.sines : layout.cosines) + ranks_[o.a]});
  }
  for (const std::uint32_t i : block.calls)
    values_.set_place(i, {Place::Base::scratch, true, false, values_.reserve_slots(1)});
}

// ---- Code

void FunctionEmitter::emit(std::size_t number) {
  const FunctionBlock& block = schedule_.blocks[number];
  if (!block.angles.empty()) emit_angles(block, layouts_[number]);
  if (block.calls.empty()) return;
  in_.assembler().vzeroupper();
  for (const std::uint32_t i : block.calls) emit_call(i);
}

asmjit::x86::Vec FunctionEmitter::angle_register(int r) const {
  const auto type = lanes_ == 8 ? asmjit::RegType::kX86_Zmm : asmjit::RegType::kX86_Ymm;
  return Instructions::Vec::fromTypeAndId(type, static_cast<std::uint32_t>(r));
}

void FunctionEmitter::emit_angles(const FunctionBlock& block, const Layout& layout) {
  const auto slot = [](std::uint32_t index) {
    return Place{Place::Base::scratch, true, false, index};
  };
  const std::size_t n = block.angles.size();
  const std::size_t at_once = in_.width() > 1 ? 1 : static_cast<std::size_t>(lanes_);
  for (std::size_t begin = 0; begin < n; begin += at_once) {
    const std::size_t end = std::min(n, begin + at_once);
    const auto offset = static_cast<std::uint32_t>(begin);
    if (in_.width() > 1)
      in_.load(0, values_.place(block.angles[begin]));
    else
      gather(&block.angles[begin], static_cast<int>(end - begin));
    in_.assembler().call(sincos_);
    std::uint8_t wanted = 0;
    for (std::size_t j = begin; j < end; ++j) wanted |= wanted_[block.angles[j]];
    const auto store = [&](std::uint32_t index, int r) {
      in_.assembler().emit(Inst::kIdVmovupd, in_.lane(slot(index), 0), angle_register(r));
    };
    if ((wanted & 1) != 0) store(layout.sines + offset, 0);
    if ((wanted & 2) != 0) store(layout.cosines + offset, 1);
  }
}

// One angle a lane, the lanes after the last are zero. Each is loaded by itself: a load of several
// that were just stored one by one would have to wait until they have reached the cache.
void FunctionEmitter::gather(const std::uint32_t* angles, int count) {
  asmjit::x86::Assembler& a = in_.assembler();
  const auto at = [&](int j) { return in_.lane(values_.place(angles[j]), 0); };
  for (int j = 0; j < count; j += 2) {
    const auto pair = x86::xmm(static_cast<std::uint32_t>(j / 2));
    a.vmovsd(pair, at(j));
    if (j + 1 < count) a.vmovhpd(pair, pair, at(j + 1));
  }
  if (count > 2) a.vinsertf128(x86::ymm0, x86::ymm0, x86::xmm1, 1);
  if (count > 6) a.vinsertf128(x86::ymm2, x86::ymm2, x86::xmm3, 1);
  if (count > 4) a.vinsertf64x4(x86::zmm0, x86::zmm0, x86::ymm2, 1);
}

void FunctionEmitter::emit_call(std::uint32_t i) {
  asmjit::x86::Assembler& a = in_.assembler();
  const Operation& o = program_.operations[i];
  const std::uintptr_t function = function_address(o.function);
  for (int k = 0; k < in_.width(); ++k) {
    a.vmovsd(x86::xmm0, in_.lane(values_.place(o.a), k));
    if (operand_count(o) > 1) a.vmovsd(x86::xmm1, in_.lane(values_.place(o.b), k));
    if (o.function == Op::call) a.mov(x86::rdi, imm(program_.tables[o.c].get()));
    a.mov(x86::rax, imm(function));
    a.call(x86::rax);
    a.vmovsd(in_.lane(values_.place(i), k), x86::xmm0);
  }
}

}  // namespace visviva::jit

#endif
