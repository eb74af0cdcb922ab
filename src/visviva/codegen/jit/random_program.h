// Random programs and how emitted code is run beside the interpreter: for the tests of this folder.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "visviva/codegen/jit/machine_code.h"
#include "visviva/codegen/program/program.h"

namespace visviva::jit {

/// A width and an instruction set that this processor has.
struct Target {
  int width;
  InstructionSet set;
  std::string name() const {
    return std::string(set == InstructionSet::avx512 ? "avx512" : "avx2") + " x " +
           std::to_string(width);
  }
};

inline std::vector<Target> all_targets() {
  std::vector<Target> targets;
  const InstructionSet best = detect_instructions();
  if (best >= InstructionSet::avx2) {
    targets.push_back({1, InstructionSet::avx2});
    targets.push_back({4, InstructionSet::avx2});
  }
  if (best >= InstructionSet::avx512) {
    for (const int width : {1, 4, 8}) targets.push_back({width, InstructionSet::avx512});
  }
  return targets;
}

/// Equal bit for bit, or both NaN.
inline bool is_same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Memory of which a multiple of 64 is an address; written over its end it says so.
class GuardedArray {
 public:
  explicit GuardedArray(std::size_t size) : size_(size), storage_(size + 24, guard) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data() + 8);
    offset_ = 8 + (64 - address % 64) % 64 / 8;
  }
  double* data() { return storage_.data() + offset_; }
  double& operator[](std::size_t i) { return data()[i]; }
  bool is_intact() const {
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      const bool is_inside = i >= offset_ && i < offset_ + size_;
      if (!is_inside && storage_[i] != guard) return false;
    }
    return true;
  }

 private:
  static constexpr double guard = 1.25e300;
  std::size_t size_, offset_ = 0;
  std::vector<double> storage_;
};

/// A call with the lanes of each input side by side, and so those of each output.
inline void call_code(const MachineCode& code, const Program& program, const double* inputs,
                      const double* parameters, double* outputs, double* scratch) {
  const auto width = static_cast<std::size_t>(code.width());
  if (width == 1) return code(inputs, parameters, outputs, scratch);
  std::vector<const double*> from;
  std::vector<double*> to;
  for (std::size_t i = 0; i < program.input_count; ++i) from.push_back(inputs + i * width);
  for (std::size_t j = 0; j < program.outputs.size(); ++j) to.push_back(outputs + j * width);
  code(from.data(), parameters, to.data(), scratch, 0);
}

/// Outputs of lane k are result[k]. Each lane has inputs of its own.
inline std::vector<std::vector<double>> run_code(const MachineCode& code, const Program& program,
                                                 const std::vector<std::vector<double>>& inputs,
                                                 const std::vector<double>& parameters) {
  const auto width = static_cast<std::size_t>(code.width());
  std::vector<double> in(program.input_count * width);
  for (std::size_t i = 0; i < program.input_count; ++i) {
    for (std::size_t k = 0; k < width; ++k) in[i * width + k] = inputs[k][i];
  }
  GuardedArray out(program.outputs.size() * width), scratch(code.scratch_size());
  call_code(code, program, in.data(), parameters.data(), out.data(), scratch.data());
  if (!out.is_intact() || !scratch.is_intact()) return {};
  std::vector<std::vector<double>> result(width);
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t j = 0; j < program.outputs.size(); ++j)
      result[k].push_back(out[j * width + k]);
  }
  return result;
}

inline std::vector<double> interpret(const Program& program, const std::vector<double>& inputs,
                                     const std::vector<double>& parameters) {
  std::vector<double> outputs(program.outputs.size()), values;
  run_program(program, inputs.data(), parameters.data(), outputs.data(), &values);
  return outputs;
}

/// Writes programs, one operation after the other, and numbers to run them on.
class RandomPrograms {
 public:
  explicit RandomPrograms(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }

  struct Options {
    std::size_t size = 100;      ///< operations
    std::size_t reach = 40;      ///< operands come from that many values before
    bool keeps_all = false;      ///< no operation is dead: what nobody uses is an output
    bool calls = false;          ///< functions of the C library
    bool is_tame = false;        ///< no comparisons, divisions or roots: small changes stay small
    bool trigonometric = false;  ///< only together with is_tame
  };

  Program make(const Options& options) {
    Program p;
    p.input_count = 5;
    p.parameter_count = 4;
    for (std::uint32_t i = 0; i < 5; ++i) p.operations.push_back({Code::input, Op::constant, 0, i});
    while (p.operations.size() < options.size) {
      if (options.is_tame)
        push_tame(p, options);
      else
        push_any(p, options);
    }
    const std::size_t n = p.operations.size();
    for (int k = 0; k < 12; ++k) p.outputs.push_back(below(n));
    if (options.keeps_all) push_unused(p);
    p.outputs.push_back(p.outputs.front());
    p.outputs.push_back(static_cast<std::uint32_t>(n - 1));
    return p;
  }

  /// Ordinary numbers of many magnitudes, now and then a zero, an infinity, NaN or a denormal: more of
  /// them would make all results NaN.
  double number() {
    const double inf = std::numeric_limits<double>::infinity();
    const double special[] = {
        0.0,    -0.0,    inf,   -inf, std::numeric_limits<double>::quiet_NaN(),
        5e-324, -2e-310, 1e308, 1.0,  -1.0};
    const std::uint32_t k = below(60);
    if (k < 10) return special[k];
    return std::ldexp(uniform(-1, 1), static_cast<int>(below(40)) - 20);
  }

  std::vector<double> numbers(std::size_t n, bool is_tame) {
    std::vector<double> v(n);
    for (double& x : v) x = is_tame ? uniform(-1, 1) : number();
    return v;
  }

 private:
  std::uint32_t operand(const Program& p, const Options& options) {
    const std::size_t n = p.operations.size(), reach = std::min(n, options.reach);
    return static_cast<std::uint32_t>(n - 1 - below(reach));
  }

  static void push_unused(Program& p) {
    std::vector<bool> is_used(p.operations.size());
    for (const Operation& o : p.operations) {
      const int n = operand_count(o);
      if (n > 0) is_used[o.a] = true;
      if (n > 1) is_used[o.b] = true;
      if (n > 2) is_used[o.c] = true;
    }
    for (std::uint32_t v = 0; v < p.operations.size(); ++v) {
      if (!is_used[v]) p.outputs.push_back(v);
    }
  }

  void push_leaf(Program& p, bool is_tame) {
    const std::uint32_t kind = below(3);
    if (kind == 0) {
      p.operations.push_back({Code::input, Op::constant, 0, below(p.input_count)});
    } else if (kind == 1) {
      p.operations.push_back({Code::parameter, Op::constant, 0, below(p.parameter_count)});
    } else {
      p.constants.push_back(is_tame ? uniform(-1, 1) : number());
      p.operations.push_back(
          {Code::constant, Op::constant, 0, static_cast<std::uint32_t>(p.constants.size() - 1)});
    }
  }

  Operation random_call(const Program& p, const Options& options) {
    const Op all[] = {Op::exp,  Op::log,  Op::tan,  Op::asin,  Op::acos, Op::atan,
                      Op::sinh, Op::cosh, Op::tanh, Op::atan2, Op::power};
    const Op tame[] = {Op::atan, Op::tanh};
    const Op op = options.is_tame || below(2) == 0 ? tame[below(2)] : all[below(11)];
    return {Code::call, op, 0, operand(p, options), operand(p, options)};
  }

  void push_any(Program& p, const Options& options) {
    const Code codes[] = {Code::add,          Code::add,          Code::multiply,
                          Code::multiply,     Code::divide,       Code::negate,
                          Code::absolute,     Code::multiply_add, Code::multiply_add,
                          Code::multiply_add, Code::square_root,  Code::sign,
                          Code::step,         Code::min,          Code::max};
    const std::uint32_t k = below(options.calls ? 19 : 17);
    if (k >= 17) return p.operations.push_back(random_call(p, options));
    if (k >= 15) return push_leaf(p, false);
    // Most roots are of positive numbers.
    if (codes[k] == Code::square_root && below(4) != 0) {
      const auto positive = static_cast<std::uint32_t>(p.operations.size());
      p.operations.push_back({Code::absolute, Op::constant, 0, operand(p, options)});
      return p.operations.push_back({Code::square_root, Op::constant, 0, positive});
    }
    const auto signs = static_cast<std::uint8_t>(codes[k] == Code::add            ? below(3)
                                                 : codes[k] == Code::multiply_add ? below(4)
                                                                                  : 0);
    p.operations.push_back({codes[k], Op::constant, signs, operand(p, options), operand(p, options),
                            operand(p, options)});
  }

  // All values stay in [-1, 1]; no operation makes a difference larger.
  void push_tame(Program& p, const Options& options) {
    const std::uint32_t a = operand(p, options), b = operand(p, options);
    const std::uint32_t k = below(options.trigonometric ? 6 : 3);
    if (k == 0) return push_leaf(p, true);
    if (k == 1 && options.calls) return p.operations.push_back(random_call(p, options));
    if (k >= 4) return p.operations.push_back({k == 4 ? Code::sin : Code::cos, Op::constant, 0, a});
    // half a b, or half a plus or minus half b
    p.constants.push_back(0.5);
    const auto half = static_cast<std::uint32_t>(p.operations.size());
    p.operations.push_back(
        {Code::constant, Op::constant, 0, static_cast<std::uint32_t>(p.constants.size() - 1)});
    p.operations.push_back({Code::multiply, Op::constant, 0, half, a});
    const auto signs = static_cast<std::uint8_t>(below(4));
    if (k == 2)
      p.operations.push_back({Code::multiply, Op::constant, 0, half + 1, b});
    else
      p.operations.push_back({Code::multiply_add, Op::constant, signs, half, b, half + 1});
  }

  std::mt19937_64 random_;
};

/// Inputs for each lane.
inline std::vector<std::vector<double>> make_lanes(RandomPrograms& random, const Program& program,
                                                   int width, bool is_tame) {
  std::vector<std::vector<double>> lanes;
  for (int k = 0; k < width; ++k) lanes.push_back(random.numbers(program.input_count, is_tame));
  return lanes;
}

}  // namespace visviva::jit
