#include "visviva/codegen/jit/compiled_function.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>

#include "visviva/base/error.h"
#include "visviva/codegen/jit/lanes.h"
#include "visviva/codegen/jit/machine_code.h"

namespace visviva {
namespace {

constexpr std::size_t alignment = 64;  // bytes: a cache line, and a register of eight states

// Memory of one thread that only grows. One call uses it at a time: functions do not call one
// another.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { release(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  double* reserve(std::size_t count) {
    if (count <= count_) return data_;
    const std::size_t wanted = std::max(count, 2 * count_);
    release();
    data_ =
        static_cast<double*>(::operator new(wanted * sizeof(double), std::align_val_t(alignment)));
    count_ = wanted;
    return data_;
  }

 private:
  void release() {
    if (data_ != nullptr) ::operator delete(data_, std::align_val_t(alignment));
    data_ = nullptr;
    count_ = 0;
  }

  double* data_ = nullptr;
  std::size_t count_ = 0;
};

double* reserve_scratch(std::size_t count) {
  thread_local Scratch scratch;
  return scratch.reserve(count);
}

std::vector<double>& interpreter_values() {
  thread_local std::vector<double> values;
  return values;
}

// Rounded up, so that what comes next is aligned.
std::size_t aligned(std::size_t count) {
  constexpr std::size_t line = alignment / sizeof(double);
  return (count + line - 1) / line * line;
}

InstructionSet choose_instructions(const CompileOptions& options) {
  if (options.interpret) return InstructionSet::none;
  const InstructionSet best = detect_instructions();
  return options.avoid_avx512 ? std::min(best, InstructionSet::avx2) : best;
}

std::string describe(InstructionSet instructions, bool interpret) {
  switch (instructions) {
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::none:
      break;
  }
  return "interpreter: " +
         (interpret ? std::string("no machine code was asked for") : explain_no_instructions());
}

}  // namespace

struct CompiledFunction::Parts {
  std::size_t parameter_count = 0;
  StagedProgram staged;
  std::optional<Program> lanes;  // staged.main for one state, where there are limbs of equal shape
  InstructionSet instructions = InstructionSet::none;
  std::string backend;
  // Emitted when first asked for: much of what a system can compute is never wanted.
  class LateCode {
   public:
    const MachineCode& get(const Program& program, int width, InstructionSet set) const {
      // Faster than std::call_once, where each evaluation asks.
      if (const MachineCode* code = ready_.load(std::memory_order_acquire)) return *code;
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!code_) code_.emplace(program, width, set);
      ready_.store(&*code_, std::memory_order_release);
      return *code_;
    }

   private:
    mutable std::mutex mutex_;
    mutable std::optional<MachineCode> code_;
    mutable std::atomic<const MachineCode*> ready_ = nullptr;
  };
  LateCode single, batch;

  bool has_code() const { return instructions != InstructionSet::none; }
  const MachineCode& single_code() const {
    return single.get(lanes ? *lanes : staged.main, 1, instructions);
  }
  const MachineCode& batch_code() const {
    return batch.get(staged.main, instructions == InstructionSet::avx512 ? 8 : 4, instructions);
  }

  void interpret_batch(const double* const* inputs, std::size_t count, const double* prepared,
                       double* const* outputs) const;
};

CompiledFunction::CompiledFunction(const std::vector<Expr>& inputs,
                                   const std::vector<Expr>& parameters,
                                   const std::vector<Expr>& outputs,
                                   const CompileOptions& options) {
  auto parts = std::make_unique<Parts>();
  parts->parameter_count = parameters.size();
  parts->staged = split_prologue(make_program(inputs, parameters, outputs, options.program));
  parts->instructions = choose_instructions(options);
  if (parts->has_code() && options.lanes) parts->lanes = jit::find_lanes(&parts->staged);
  parts->backend = describe(parts->instructions, options.interpret);
  parts_ = std::move(parts);
}

CompiledFunction::~CompiledFunction() = default;
CompiledFunction::CompiledFunction(CompiledFunction&&) noexcept = default;
CompiledFunction& CompiledFunction::operator=(CompiledFunction&&) noexcept = default;

std::size_t CompiledFunction::input_count() const { return parts_->staged.main.input_count; }
std::size_t CompiledFunction::parameter_count() const { return parts_->parameter_count; }
std::size_t CompiledFunction::output_count() const { return parts_->staged.main.outputs.size(); }
const std::string& CompiledFunction::backend() const { return parts_->backend; }
const Program& CompiledFunction::program() const { return parts_->staged.main; }
std::size_t CompiledFunction::code_size() const {
  return parts_->has_code() ? parts_->single_code().code_size() : 0;
}

std::vector<double> CompiledFunction::prepare(const std::vector<double>& parameters) const {
  if (parameters.size() != parameter_count())
    throw UsageError("CompiledFunction::prepare", std::to_string(parameter_count()) +
                                                      " parameters are needed, " +
                                                      std::to_string(parameters.size()) + " given");
  const Program& prologue = parts_->staged.prologue;
  std::vector<double> prepared(prologue.outputs.size());
  run_program(prologue, parameters.data(), nullptr, prepared.data(), &interpreter_values());
  return prepared;
}

void CompiledFunction::operator()(const double* inputs, const double* prepared,
                                  double* outputs) const {
  if (parts_->has_code()) {
    const MachineCode& code = parts_->single_code();
    constexpr std::size_t room = 128;
    if (code.scratch_size() <= room) {
      alignas(alignment) double scratch[room];
      code(inputs, prepared, outputs, scratch);
    } else {
      code(inputs, prepared, outputs, reserve_scratch(code.scratch_size()));
    }
  } else {
    run_program(parts_->staged.main, inputs, prepared, outputs, &interpreter_values());
  }
}

std::vector<double> CompiledFunction::operator()(const std::vector<double>& inputs,
                                                 const std::vector<double>& parameters) const {
  if (inputs.size() != input_count())
    throw UsageError("CompiledFunction", std::to_string(input_count()) + " inputs are needed, " +
                                             std::to_string(inputs.size()) + " given");
  std::vector<double> outputs(output_count());
  (*this)(inputs.data(), prepare(parameters).data(), outputs.data());
  return outputs;
}

void CompiledFunction::evaluate_batch(const double* inputs, std::size_t count, std::size_t stride,
                                      const double* prepared, double* outputs) const {
  if (stride < count)
    throw UsageError(
        "CompiledFunction::evaluate_batch",
        "the stride " + std::to_string(stride) + " is below the count " + std::to_string(count));
  const std::size_t in = input_count(), out = output_count();
  thread_local std::vector<const double*> from;
  thread_local std::vector<double*> to;
  from.resize(in);
  to.resize(out);
  for (std::size_t i = 0; i < in; ++i) from[i] = inputs + i * stride;
  for (std::size_t i = 0; i < out; ++i) to[i] = outputs + i * stride;
  evaluate_batch(from.data(), count, prepared, to.data());
}

void CompiledFunction::evaluate_batch(const double* const* inputs, std::size_t count,
                                      const double* prepared, double* const* outputs) const {
  if (count == 0) return;
  if (!parts_->has_code()) return parts_->interpret_batch(inputs, count, prepared, outputs);

  const MachineCode& code = parts_->batch_code();
  const auto width = static_cast<std::size_t>(code.width());
  const std::size_t in = input_count(), out = output_count();
  double* const scratch =
      reserve_scratch(aligned(code.scratch_size()) + aligned(in * width) + aligned(out * width));
  std::size_t first = 0;
  for (; first + width <= count; first += width) code(inputs, prepared, outputs, scratch, first);
  if (first == count) return;

  // Lanes past the end repeat the last state.
  const std::size_t lanes = count - first;
  double* const block = scratch + aligned(code.scratch_size());
  double* const results = block + aligned(in * width);
  thread_local std::vector<const double*> from;
  thread_local std::vector<double*> to;
  from.resize(in);
  to.resize(out);
  for (std::size_t i = 0; i < in; ++i) {
    double* const row = block + i * width;
    std::copy(inputs[i] + first, inputs[i] + count, row);
    std::fill(row + lanes, row + width, inputs[i][count - 1]);
    from[i] = row;
  }
  for (std::size_t i = 0; i < out; ++i) to[i] = results + i * width;
  code(from.data(), prepared, to.data(), scratch, 0);
  for (std::size_t i = 0; i < out; ++i) std::copy(to[i], to[i] + lanes, outputs[i] + first);
}

void CompiledFunction::Parts::interpret_batch(const double* const* inputs, std::size_t count,
                                              const double* prepared,
                                              double* const* outputs) const {
  const Program& main = staged.main;
  double* const state = reserve_scratch(main.input_count + main.outputs.size());
  double* const result = state + main.input_count;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < main.input_count; ++i) state[i] = inputs[i][k];
    run_program(main, state, prepared, result, &interpreter_values());
    for (std::size_t i = 0; i < main.outputs.size(); ++i) outputs[i][k] = result[i];
  }
}

}  // namespace visviva
