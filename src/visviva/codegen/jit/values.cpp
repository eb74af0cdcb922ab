#include "visviva/codegen/jit/values.h"

#if VISVIVA_CAN_EMIT

#include "visviva/base/error.h"

namespace visviva::jit {

namespace {

Place place_of_leaf(const Operation& o) {
  switch (o.code) {
    case Code::constant:
      return {Place::Base::constant, true, o.b == 1, o.a};
    case Code::input:
      return {Place::Base::input, true, false, o.a};
    case Code::parameter:
      return {Place::Base::parameter, true, o.b == 1, o.a};
    default:
      return {};
  }
}

}  // namespace

Values::Values(const Program& program, const Schedule& schedule,
               const InstructionsByWidth& instructions)
    : program_(program),
      schedule_(schedule),
      in_(instructions),
      registers_(instructions.front()->register_count()),
      registers_of_(program.operations.size(), -1),
      next_uses_(schedule.first_uses),
      first_outputs_(program.operations.size(), nothing),
      next_outputs_(program.outputs.size(), nothing) {
  places_.reserve(program.operations.size());
  for (const Operation& o : program.operations) places_.push_back(place_of_leaf(o));
  for (std::size_t k = program.outputs.size(); k-- > 0;) {
    next_outputs_[k] = first_outputs_[program.outputs[k]];
    first_outputs_[program.outputs[k]] = static_cast<std::uint32_t>(k);
  }
}

void Values::begin_step(const Value* operands, int count) {
  pinned_ = 0;
  for (int j = 0; j < count; ++j) {
    const int r = registers_of_[operands[j]];
    if (r >= 0) pinned_ |= Registers::bit(r);
  }
  for (int j = 0; j < count; ++j) {
    if (!instructions(operands[j]).reads_directly(places_[operands[j]])) bring_in(operands[j]);
  }
}

asmjit::Operand Values::operand(Value v) const {
  const int r = registers_of_[v];
  if (r >= 0) return instructions(v).reg(r);
  return instructions(v).memory(places_[v]);
}

void Values::bring_in(Value v) {
  if (registers_of_[v] >= 0) return;
  const int r = take_register();
  load(r, v);
  registers_.assign(r, v, next_uses_[v]);
  registers_of_[v] = static_cast<std::int8_t>(r);
}

int Values::take_register() {
  if (!registers_.has_free()) {
    const int r = registers_.find_farthest(pinned_);
    const Value v = registers_.owner(r);
    store(v);
    registers_of_[v] = -1;
    registers_.release(r);
  }
  const int r = registers_.take_free();
  pinned_ |= Registers::bit(r);
  return r;
}

void Values::settle(Value v, std::uint32_t later, int to) {
  const int r = registers_of_[v];
  if (later != nothing) {
    next_uses_[v] = later;
    if (r >= 0) registers_.set_next_use(r, later);
    return;
  }
  if (r >= 0) {
    registers_of_[v] = -1;
    if (r != to) registers_.release(r);
  }
  Place& p = places_[v];
  if (p.base == Place::Base::scratch && p.is_ready && p.index >= reserved_count_) {
    free_slots_[width(v)].push_back(p.index);
    p = {};
  }
}

void Values::define(Value v, int r) {
  for (std::uint32_t k = first_outputs_[v]; k != nothing; k = next_outputs_[k]) {
    const Place out{Place::Base::output, true, false, k};
    in_.front()->store(out, r);
    if (places_[v].base == Place::Base::none) places_[v] = out;
  }
  const std::uint32_t first = schedule_.first_uses[v];
  if (first == nothing) return registers_.release(r);
  registers_.assign(r, v, first);
  registers_of_[v] = static_cast<std::int8_t>(r);
}

void Values::store(Value v) {
  Place& p = places_[v];
  if (p.is_ready) return;
  if (p.base == Place::Base::none) p = {Place::Base::scratch, false, false, take_slot(v)};
  instructions(v).store(p, registers_of_[v]);
  p.is_ready = true;
}

std::uint32_t Values::take_slot(Value v) {
  std::vector<std::uint32_t>& free = free_slots_[width(v)];
  if (free.empty()) {
    const std::uint32_t slot = slot_count_;
    slot_count_ += static_cast<std::uint32_t>(width(v));
    return slot;
  }
  const std::uint32_t slot = free.back();
  free.pop_back();
  return slot;
}

std::uint32_t Values::reserve_slots(std::size_t count) {
  const std::uint32_t begin = reserved_count_;
  reserved_count_ += static_cast<std::uint32_t>(count);
  slot_count_ = reserved_count_;
  return begin;
}

void Values::store_all() {
  for (Registers::Set rest = registers_.used(); rest != 0; rest &= rest - 1) {
    const Value v = registers_.owner(std::countr_zero(rest));
    store(v);
    registers_of_[v] = -1;
  }
  registers_.release_all();
}

void Values::copy_outputs() {
  pinned_ = 0;
  for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
    const Value v = program_.outputs[k];
    const Code code = program_.operations[v].code;
    if (!is_leaf(code) && !is_function(code)) continue;
    store_all();
    load(0, v);
    in_.front()->store({Place::Base::output, true, false, static_cast<std::uint32_t>(k)}, 0);
  }
}

}  // namespace visviva::jit

#endif
