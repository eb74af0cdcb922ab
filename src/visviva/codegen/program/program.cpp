#include "visviva/codegen/program/program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/apply_operation.h"

namespace visviva {
namespace {

constexpr std::uint32_t not_made = std::numeric_limits<std::uint32_t>::max();

}  // namespace

bool is_leaf(Code code) {
  return code == Code::constant || code == Code::input || code == Code::parameter;
}

int operand_count(const Operation& operation) {
  switch (operation.code) {
    case Code::constant:
    case Code::input:
    case Code::parameter:
      return 0;
    case Code::add:
    case Code::multiply:
    case Code::divide:
    case Code::min:
    case Code::max:
    case Code::join:
      return 2;
    case Code::multiply_add:
      return 3;
    case Code::call:
      return operand_count(operation.function);
    default:
      return 1;
  }
}

std::size_t Program::arithmetic_count() const {
  return static_cast<std::size_t>(
             std::count_if(operations.begin(), operations.end(),
                           [](const Operation& o) { return !is_leaf(o.code); })) -
         function_count();
}

std::size_t Program::function_count() const {
  return static_cast<std::size_t>(
      std::count_if(operations.begin(), operations.end(), [](const Operation& o) {
        return o.code == Code::sin || o.code == Code::cos || o.code == Code::call;
      }));
}

StagedProgram split_prologue(const Program& program) {
  StagedProgram staged;
  Program &first = staged.prologue, &main = staged.main;
  first.tables = main.tables = program.tables;
  first.input_count = program.parameter_count;
  main.input_count = program.input_count;
  const std::size_t n = program.operations.size();
  std::vector<bool> is_early(n);
  std::vector<std::uint32_t> in_first(n, not_made), in_main(n, not_made);

  const auto push = [](Program& to, const Operation& o) {
    to.operations.push_back(o);
    return static_cast<std::uint32_t>(to.operations.size() - 1);
  };
  const auto copy_constant = [&](Program& to, std::uint32_t a) {
    to.constants.push_back(program.constants[a]);
    return push(
        to, {Code::constant, Op::constant, 0, static_cast<std::uint32_t>(to.constants.size() - 1)});
  };
  // A value in the main program: early ones are handed over.
  const auto main_value = [&](std::uint32_t v) {
    if (in_main[v] != not_made) return in_main[v];
    const Operation& o = program.operations[v];
    if (o.code == Code::constant) return in_main[v] = copy_constant(main, o.a);
    first.outputs.push_back(in_first[v]);
    return in_main[v] = push(main, {Code::parameter, Op::constant, 0,
                                    static_cast<std::uint32_t>(first.outputs.size() - 1)});
  };
  const auto first_value = [&](std::uint32_t v) {
    if (in_first[v] == not_made) in_first[v] = copy_constant(first, program.operations[v].a);
    return in_first[v];
  };
  for (std::size_t i = 0; i < n; ++i) {
    Operation o = program.operations[i];
    if (o.code == Code::constant) {
      is_early[i] = true;
      continue;
    }
    if (o.code == Code::input || o.code == Code::parameter) {
      is_early[i] = o.code == Code::parameter;
      (is_early[i] ? in_first : in_main)[i] =
          push(is_early[i] ? first : main, {Code::input, Op::constant, 0, o.a});
      continue;
    }
    const int operands = operand_count(o);
    is_early[i] =
        is_early[o.a] && (operands < 2 || is_early[o.b]) && (operands < 3 || is_early[o.c]);
    std::uint32_t* const uses[] = {&o.a, &o.b, &o.c};
    for (int k = 0; k < operands; ++k)
      *uses[k] = is_early[i] ? first_value(*uses[k]) : main_value(*uses[k]);
    (is_early[i] ? in_first : in_main)[i] = push(is_early[i] ? first : main, o);
  }
  for (const std::uint32_t v : program.outputs) main.outputs.push_back(main_value(v));
  main.parameter_count = first.outputs.size();
  return staged;
}

void run_program(const Program& program, const double* inputs, const double* parameters,
                 double* outputs, std::vector<double>* values) {
  values->resize(program.operations.size());
  double* const v = values->data();
  const auto signed_term = [](double x, bool is_negative) { return is_negative ? -x : x; };
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& o = program.operations[i];
    const bool first = (o.signs & 1) != 0, second = (o.signs & 2) != 0;
    switch (o.code) {
      case Code::constant:
        v[i] = program.constants[o.a];
        break;
      case Code::input:
        v[i] = inputs[o.a];
        break;
      case Code::parameter:
        v[i] = parameters[o.a];
        break;
      case Code::add:
        v[i] = signed_term(v[o.a], first) + signed_term(v[o.b], second);
        break;
      case Code::multiply:
        v[i] = v[o.a] * v[o.b];
        break;
      case Code::divide:
        v[i] = v[o.a] / v[o.b];
        break;
      case Code::multiply_add:
        v[i] = std::fma(signed_term(v[o.a], first), v[o.b], signed_term(v[o.c], second));
        break;
      case Code::negate:
        v[i] = -v[o.a];
        break;
      case Code::square_root:
        v[i] = std::sqrt(v[o.a]);
        break;
      case Code::absolute:
        v[i] = std::fabs(v[o.a]);
        break;
      case Code::sign:
        v[i] = apply_operation(Op::sign, v[o.a], 0.0);
        break;
      case Code::step:
        v[i] = apply_operation(Op::step, v[o.a], 0.0);
        break;
      case Code::min:
        v[i] = apply_operation(Op::min, v[o.a], v[o.b]);
        break;
      case Code::max:
        v[i] = apply_operation(Op::max, v[o.a], v[o.b]);
        break;
      case Code::join:
      case Code::broadcast:
      case Code::lane:
      case Code::lane_sum:
        throw InternalError("run_program: a value of several lanes");
      case Code::sin:
        v[i] = std::sin(v[o.a]);
        break;
      case Code::cos:
        v[i] = std::cos(v[o.a]);
        break;
      case Code::call:
        if (o.function == Op::call) {
          v[i] = (*program.tables[o.c])(v[o.a], v[o.b]);
          break;
        }
        v[i] = apply_operation(o.function, v[o.a], operand_count(o) > 1 ? v[o.b] : 0.0);
        break;
    }
  }
  for (std::size_t k = 0; k < program.outputs.size(); ++k) outputs[k] = v[program.outputs[k]];
}

}  // namespace visviva
