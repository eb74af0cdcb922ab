// Program: expressions as a straight line of operations that a processor has, ready to be emitted,
// printed or interpreted.
//
// Values are numbered; an operation makes the next one from earlier ones. Operations stand in the
// order in which their expressions were built: the algorithm's own order keeps lives short. Negation
// costs nothing where a sign can be carried, sums with products become fused multiply-adds, and long
// sums are chained so that the term that arrives last is added last. Where many quotients have
// one divisor, its reciprocal is taken once.
//
// Parameters change rarely and inputs at every call: what depends on parameters alone is a program of
// its own, the prologue, whose outputs the main program finds among its parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "visviva/base/table_function.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// What one operation does with values a, b, c. The sign bits negate: bit 0 the first term or the
/// product, bit 1 the second term.
enum class Code : std::uint8_t {
  constant,      ///< constants[a]
  input,         ///< inputs[a]
  parameter,     ///< parameters[a], the same for all states of a batch
  add,           ///< (±a) + (±b), not both negated
  multiply,      ///< a * b
  divide,        ///< a / b
  multiply_add,  ///< (±a * b) + (±c)
  negate,        ///< -a
  square_root,
  absolute,
  sign,  ///< -1, 0 or 1; zero and NaN stay
  step,  ///< 0 below zero, 1 from zero on; NaN stays
  min,   ///< NaN when one operand is
  max,
  // of several lanes (jit/lanes.h)
  join,       ///< the lanes of a, then those of b
  broadcast,  ///< a in every lane
  lane,       ///< lane b of a
  lane_sum,   ///< of a
  sin,
  cos,
  call,  ///< `function` of a, or of a and b, by the C library; Op::call: tables[c] of a and b
};

struct Operation {
  Code code;
  Op function = Op::constant;  ///< of a call
  std::uint8_t signs = 0;
  std::uint32_t a = 0, b = 0, c = 0;
};

struct Program {
  std::size_t input_count = 0;
  std::size_t parameter_count = 0;
  std::vector<double> constants;
  std::vector<std::shared_ptr<const BoundTable>> tables;
  std::vector<Operation> operations;  ///< operation i makes value i
  /// Numbers in each value; empty where all have one. A constant or parameter of several has one number for all of them, or,
  /// where b is 1, its own for each, one after the other.
  std::vector<std::uint8_t> widths;
  std::vector<std::uint32_t> outputs;

  /// Additions, multiplications, divisions, roots, comparisons; a fused multiply-add counts once.
  std::size_t arithmetic_count() const;
  /// Sines, cosines and calls.
  std::size_t function_count() const;
};

int operand_count(const Operation& operation);
bool is_leaf(Code code);

struct ProgramOptions {
  bool fuse = true;     ///< products into sums
  bool rechain = true;  ///< sums by the arrival of their terms
  bool share_reciprocals =
      true;  ///< several quotients of one divisor become products with its reciprocal
};

/// Inputs, then parameters, are the symbols that outputs may contain; UsageError names another.
Program make_program(const std::vector<Expr>& inputs, const std::vector<Expr>& parameters,
                     const std::vector<Expr>& outputs, const ProgramOptions& options = {});

/// A program in two parts: the prologue has the parameters as its inputs; its outputs are the
/// parameters of `main`.
struct StagedProgram {
  Program prologue;
  Program main;
};
StagedProgram split_prologue(const Program& program);

/// The interpreter: what emitted code must agree with, and what runs where none can be emitted.
/// `values` has room for all operations.
void run_program(const Program& program, const double* inputs, const double* parameters,
                 double* outputs, std::vector<double>* values);

}  // namespace visviva
