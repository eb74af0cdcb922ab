#include "visviva/codegen/jit/emitter.h"

#if VISVIVA_CAN_EMIT

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/codegen/jit/functions.h"
#include "visviva/codegen/jit/schedule.h"
#include "visviva/codegen/jit/sincos.h"
#include "visviva/codegen/jit/values.h"

namespace visviva::jit {

using asmjit::Operand;
namespace x86 = asmjit::x86;

namespace {

using Value = std::uint32_t;

class Emitter {
 public:
  Emitter(const Program& program, const Schedule& schedule, Instructions& instructions,
          asmjit::Label sincos)
      : program_(program),
        schedule_(schedule),
        in_(instructions),
        two_(instructions.with_width(2)),
        four_(instructions.with_width(4)),
        values_(program, schedule, {&in_, &in_, &two_, nullptr, &four_}),
        rows_(instructions.width() > 1
                  ? values_.reserve_slots(program.input_count + program.outputs.size() + 1)
                  : 0),
        functions_(program, schedule, instructions, values_, sincos) {}

  void run() {
    std::size_t p = 0;
    for (std::size_t phase = 0; phase < schedule_.phase_ends.size(); ++phase) {
      for (; p < schedule_.phase_ends[phase]; ++p) emit(schedule_.order[p]);
      if (phase < schedule_.blocks.size()) emit_block(phase);
    }
    values_.copy_outputs();
  }
  std::size_t scratch_slots() const { return values_.scratch_slots(); }
  /// Several states: slots for the rows of inputs, of outputs, and for what the exit needs.
  std::uint32_t rows() const { return rows_; }

 private:
  // ---- One operation: its operands are values v_[0..n); later_[j] is when v_[j] is used again

  void emit(Value i) {
    const Operation& o = program_.operations[i];
    count_ = 0;
    for_each_use(o, [&](Value v) {
      v_[count_] = v;
      later_[count_++] = schedule_.later_uses[use_++];
    });
    values_.begin_step(v_, count_);
    op_ = &values_.instructions(i);
    const int to = emit_code(o);
    for (int j = 0; j < count_; ++j) values_.settle(v_[j], later_[j], to);
    values_.define(i, to);
  }

  int emit_code(const Operation& o) {
    switch (o.code) {
      case Code::add:
        return emit_add(o);
      case Code::multiply:
        order_for_memory();
        return emit_binary([&](int to, int a, const Operand& b) { op_->multiply(to, a, b); });
      case Code::divide:
        return emit_binary([&](int to, int a, const Operand& b) { op_->divide(to, a, b); });
      case Code::multiply_add:
        return emit_multiply_add(o);
      case Code::min:
        return emit_choice([&](int to, int t) { op_->minimum(to, reg(0), reg(1), t); });
      case Code::max:
        return emit_choice([&](int to, int t) { op_->maximum(to, reg(0), reg(1), t); });
      case Code::sign:
        return emit_choice([&](int to, int t) { op_->sign(to, reg(0), t); });
      case Code::step:
        return emit_choice([&](int to, int t) { op_->step(to, reg(0), t); });
      case Code::join:
        return emit_join();
      case Code::broadcast:
        return emit_broadcast();
      case Code::lane:
        return emit_lane(static_cast<int>(o.b));
      case Code::lane_sum:
        return emit_lane_sum();
      case Code::negate:
        return emit_unary([&](int to, int a) { op_->negate(to, a); });
      case Code::square_root:
        return emit_unary([&](int to, int a) { op_->square_root(to, a); });
      case Code::absolute:
        return emit_unary([&](int to, int a) { op_->absolute(to, a); });
      default:
        throw InternalError("emit_program: not an operation of the processor");
    }
  }

  int reg(int j) const { return values_.register_of(v_[j]); }
  bool is_in_memory(int j) const { return reg(j) < 0; }
  bool dies(int j) const { return later_[j] == nothing; }
  Operand operand(int j) const { return values_.operand(v_[j]); }

  // A dying operand's register, else a new one.
  int take_destination() {
    for (int j = 0; j < count_; ++j) {
      if (!is_in_memory(j) && dies(j)) return reg(j);
    }
    return values_.take_register();
  }

  // Only the second operand may be in memory.
  void order_for_memory() {
    if (is_in_memory(0) && !is_in_memory(1)) swap_operands();
  }

  void swap_operands() {
    std::swap(v_[0], v_[1]);
    std::swap(later_[0], later_[1]);
  }

  template <typename Write>
  int emit_binary(Write write) {
    values_.bring_in(v_[0]);
    const int to = take_destination();
    write(to, reg(0), operand(1));
    return to;
  }

  int emit_add(const Operation& o) {
    if ((o.signs & 3) == 3) throw InternalError("emit_program: a sum of two negated terms");
    if ((o.signs & 3) == 0) {
      order_for_memory();
      return emit_binary([&](int to, int a, const Operand& b) { op_->add(to, a, b); });
    }
    if ((o.signs & 1) != 0) swap_operands();
    return emit_binary([&](int to, int a, const Operand& b) { op_->subtract(to, a, b); });
  }

  template <typename Write>
  int emit_unary(Write write) {
    values_.bring_in(v_[0]);
    const int to = take_destination();
    write(to, reg(0));
    return to;
  }

  // The result is written before the operands are read for the last time.
  template <typename Write>
  int emit_choice(Write write) {
    for (int j = 0; j < count_; ++j) values_.bring_in(v_[j]);
    const int to = values_.take_register();
    const int t = op_->has_masks() ? -1 : values_.take_register();
    write(to, t);
    if (t >= 0) values_.give_back(t);
    return to;
  }

  // One of the three operands is overwritten, one may be in memory:
  //   213: to = to * x + y,  132: to = to * y + x,  231: to = x * y + to, with y in memory perhaps
  int emit_multiply_add(const Operation& o) {
    int place[3] = {reg(0), reg(1), reg(2)};
    const int target = find_target();
    int to = reg(target);
    if (to < 0 || !dies(target)) {
      to = values_.take_register();
      if (is_in_memory(target))
        values_.load(to, v_[target]);
      else
        op_->move(to, reg(target));
      // Other operands with this value may read it there, too.
      for (int j = 0; j < 3; ++j) {
        if (place[j] < 0 && v_[j] == v_[target]) place[j] = to;
      }
      place[target] = to;
    }
    const int x = target == 2 ? 0 : 2, y = target == 2 ? 1 : 1 - target;  // the other two
    if (place[x] < 0 && place[y] < 0) {
      const int nearer = later_[x] < later_[y] ? x : y;
      values_.bring_in(v_[nearer]);
      for (const int j : {x, y}) {
        if (place[j] < 0) place[j] = reg(j);
      }
    }
    const auto source = [&](int j) {
      return place[j] >= 0 ? Operand(op_->reg(place[j])) : operand(j);
    };
    if (target == 2) {
      const bool swaps = place[x] < 0;
      op_->multiply_add(231, o.signs, to, swaps ? place[y] : place[x], source(swaps ? x : y));
    } else if (place[y] < 0) {
      op_->multiply_add(132, o.signs, to, place[x], source(y));
    } else {
      op_->multiply_add(213, o.signs, to, place[y], source(x));
    }
    return to;
  }

  // What is overwritten: a dying register, else a copy of what is in memory, else of the addend.
  int find_target() const {
    for (const int j : {2, 0, 1}) {
      if (!is_in_memory(j) && dies(j)) return j;
    }
    for (const int j : {2, 0, 1}) {
      if (is_in_memory(j)) return j;
    }
    return 2;
  }

  // ---- Lanes

  // What lies side by side in memory is loaded at once.
  int emit_join() {
    const Place &a = values_.place(v_[0]), &b = values_.place(v_[1]);
    const auto half = static_cast<std::uint32_t>(op_->width() / 2);
    const bool is_one = is_in_memory(0) && is_in_memory(1) && a.base == b.base && !a.is_shared() &&
                        b.index == a.index + half;
    if (!is_one) return emit_binary([&](int to, int x, const Operand& y) { op_->join(to, x, y); });
    const int to = values_.take_register();
    op_->load(to, a);
    return to;
  }

  int emit_broadcast() {
    const int to = take_destination();
    const Operand a = is_in_memory(0) ? operand(0) : Operand(in_.reg(reg(0)));
    op_->broadcast(to, a);
    return to;
  }

  int emit_lane(int k) {
    const Instructions& wide = values_.instructions(v_[0]);
    const int to = take_destination();
    if (is_in_memory(0))
      in_.load_lane(to, values_.place(v_[0]), k);
    else
      wide.take_lane(to, reg(0), k);
    return to;
  }

  int emit_lane_sum() {
    values_.bring_in(v_[0]);
    const int to = values_.take_register(), t = values_.take_register();
    values_.instructions(v_[0]).sum_lanes(to, reg(0), t);
    values_.give_back(t);
    return to;
  }

  void emit_block(std::size_t number) {
    values_.store_all();
    functions_.emit(number);
    for_each_use(program_, schedule_.blocks[number],
                 [&](Value v) { values_.settle(v, schedule_.later_uses[use_++], -1); });
  }

  const Program& program_;
  const Schedule& schedule_;
  Instructions& in_;
  Instructions two_, four_;     // for values of several lanes
  Instructions* op_ = nullptr;  // for the operation that is emitted
  Values values_;
  std::uint32_t rows_;
  FunctionEmitter functions_;
  Value v_[3] = {};
  std::uint32_t later_[3] = {};
  int count_ = 0;
  std::size_t use_ = 0;
};

// ---- Around the program

bool has_calls(const Schedule& schedule) {
  return std::any_of(schedule.blocks.begin(), schedule.blocks.end(),
                     [](const FunctionBlock& b) { return !b.calls.empty(); });
}

bool has_angles(const Schedule& schedule) {
  return std::any_of(schedule.blocks.begin(), schedule.blocks.end(),
                     [](const FunctionBlock& b) { return !b.angles.empty(); });
}

void emit_constants(const Program& program, int fixed_count, asmjit::x86::Assembler& a) {
  const auto fixed = fixed_constants();
  for (int k = 0; k < fixed_count; ++k) {
    for (int lane = 0; lane < fixed_size / 8; ++lane)
      a.embed(&fixed[static_cast<std::size_t>(k)], sizeof(double));
  }
  if (!program.constants.empty())
    a.embed(program.constants.data(), program.constants.size() * sizeof(double));
}

// Five registers keep the stack aligned for calls.
constexpr Instructions::Gp saved[] = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14};

void emit_entry(const Instructions& in, bool calls, asmjit::x86::Assembler& a) {
  if (!calls) return;
  for (const auto& g : saved) a.push(g);
  a.mov(in.pointers().inputs, x86::rdi);
  a.mov(in.pointers().parameters, x86::rsi);
  a.mov(in.pointers().outputs, x86::rdx);
  a.mov(in.pointers().scratch, x86::rcx);
}

void emit_exit(bool calls, bool has_wide, asmjit::x86::Assembler& a) {
  if (has_wide) a.vzeroupper();
  if (calls) {
    for (int k = 4; k >= 0; --k) a.pop(saved[k]);
  }
  a.ret();
}

// Several states come as rows, each where its pointer in a table says. They are copied into rows side by side, where
// instructions can address them, and results out of such: by whole registers, because what was stored
// in pieces cannot be loaded as a whole before it has reached the cache.
class RowCopies {
 public:
  RowCopies(const Program& program, std::uint32_t first, Instructions& in, x86::Assembler& a)
      : program_(program), first_(first), in_(in), a_(a) {}

  /// The place in all rows, in bytes, is in r8. Afterwards the pointers point to rows side by side.
  void emit_entry() {
    const Instructions::Pointers& p = in_.pointers();
    a_.mov(saved(0), p.outputs);
    a_.mov(saved(1), x86::r8);
    a_.lea(x86::rax, in_.lane(slot(0), 0));
    a_.mov(x86::r10, p.inputs);
    emit_loop(program_.input_count, x86::r10, [&] {
      a_.emit(x86::Inst::kIdVmovupd, in_.reg(0), x86::ptr(x86::r9, x86::r8));
      a_.emit(x86::Inst::kIdVmovupd, x86::ptr(x86::rax), in_.reg(0));
    });
    a_.lea(p.inputs, in_.lane(slot(0), 0));
    a_.lea(p.outputs, in_.lane(slot(program_.input_count), 0));
  }

  void emit_exit() {
    a_.mov(x86::r10, saved(0));
    a_.mov(x86::r8, saved(1));
    a_.lea(x86::rax, in_.lane(slot(program_.input_count), 0));
    emit_loop(program_.outputs.size(), x86::r10, [&] {
      a_.emit(x86::Inst::kIdVmovupd, in_.reg(0), x86::ptr(x86::rax));
      a_.emit(x86::Inst::kIdVmovupd, x86::ptr(x86::r9, x86::r8), in_.reg(0));
    });
  }

 private:
  using Gp = Instructions::Gp;

  Place slot(std::size_t k) const {
    return {Place::Base::scratch, true, false, first_ + static_cast<std::uint32_t>(k)};
  }
  Instructions::Mem saved(int k) const {
    return in_.lane(slot(program_.input_count + program_.outputs.size()), k);
  }

  // Over the pointers of a table, each in r9, and the rows side by side at rax.
  template <typename Copy>
  void emit_loop(std::size_t count, const Gp& table, Copy copy) {
    if (count == 0) return;
    const asmjit::Label again = a_.newLabel();
    a_.mov(x86::r11d, asmjit::imm(count));
    a_.bind(again);
    a_.mov(x86::r9, x86::ptr(table));
    copy();
    a_.add(table, asmjit::imm(8));
    a_.add(x86::rax, asmjit::imm(in_.width() * 8));
    a_.dec(x86::r11d);
    a_.jnz(again);
  }

  const Program& program_;
  std::uint32_t first_;
  Instructions& in_;
  x86::Assembler& a_;
};

// Displacements have 32 bits.
void check_size(std::size_t count, int width) {
  if (count > (std::size_t{1} << 30) / 8 / static_cast<std::size_t>(width))
    throw UsageError("MachineCode", "the program is too large");
}

}  // namespace

Emitted emit_program(const Program& program, asmjit::x86::Assembler& a, int width,
                     InstructionSet set) {
  for (const std::size_t n : {program.operations.size(), program.constants.size(),
                              program.input_count, program.outputs.size(), program.parameter_count})
    check_size(n, width);
  const Schedule schedule = make_schedule(program, width == 1);
  const bool calls = has_calls(schedule), angles = has_angles(schedule);
  Instructions in(a, width, width, set, calls);
  const int fixed_count = static_cast<int>(angles ? Fixed::count : Fixed::basic_count);
  in.set_fixed_count(fixed_count);

  const asmjit::Label constants = a.newLabel(), sincos = a.newLabel();
  a.bind(constants);
  emit_constants(program, fixed_count, a);
  if (angles) {
    a.align(asmjit::AlignMode::kCode, 64);
    a.bind(sincos);
    emit_sincos(in, FunctionEmitter::angles_at_once(schedule, in));
  }
  a.align(asmjit::AlignMode::kCode, 64);
  Emitted emitted;
  emitted.entry = a.offset();
  Emitter emitter(program, schedule, in, sincos);
  RowCopies rows(program, emitter.rows(), in, a);
  emit_entry(in, calls, a);
  if (width > 1) rows.emit_entry();
  a.lea(in.pointers().constants, x86::ptr(constants));
  emitter.run();
  if (width > 1) rows.emit_exit();
  emit_exit(calls, width > 1 || angles || !program.widths.empty(), a);
  emitted.scratch_slots = emitter.scratch_slots();
  check_size(emitted.scratch_slots, width);
  return emitted;
}

}  // namespace visviva::jit

#endif
