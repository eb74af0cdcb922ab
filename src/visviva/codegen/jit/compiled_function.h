// CompiledFunction: expressions made ready to be evaluated fast, for one state or for many.
//
//   const CompiledFunction f({x, y}, {a}, {a*x + sin(y)});
//   const std::vector<double> prepared = f.prepare({2.0});    // once for a set of parameters
//   f(inputs, prepared.data(), outputs);                      // one state
// Machine code is emitted at the first call. Where none can be emitted the interpreter runs the same program; `backend` says so.
// All of it is const and may be used from many threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/codegen/program/program.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

struct CompileOptions {
  ProgramOptions program{};
  bool interpret = false;     ///< interpret the program: emit nothing
  bool avoid_avx512 = false;  ///< emit as for a processor that has AVX2 only
  bool lanes = true;          ///< limbs of equal shape side by side in one register, for one state
};

class CompiledFunction {
 public:
  CompiledFunction(const std::vector<Expr>& inputs, const std::vector<Expr>& parameters,
                   const std::vector<Expr>& outputs, const CompileOptions& options = {});
  ~CompiledFunction();
  CompiledFunction(CompiledFunction&&) noexcept;
  CompiledFunction& operator=(CompiledFunction&&) noexcept;

  std::size_t input_count() const;
  std::size_t parameter_count() const;
  std::size_t output_count() const;

  /// The values that the parameters alone determine; every call takes them.
  std::vector<double> prepare(const std::vector<double>& parameters) const;

  /// Evaluates one state.
  void operator()(const double* inputs, const double* prepared, double* outputs) const;
  std::vector<double> operator()(const std::vector<double>& inputs,
                                 const std::vector<double>& parameters) const;

  /// Evaluates many states as a structure of arrays: input i of state k is inputs[i * stride + k], outputs
  /// likewise. UsageError when stride < count.
  void evaluate_batch(const double* inputs, std::size_t count, std::size_t stride,
                      const double* prepared, double* outputs) const;
  /// The same with a pointer to each row: input i of state k is inputs[i][k].
  void evaluate_batch(const double* const* inputs, std::size_t count, const double* prepared,
                      double* const* outputs) const;

  /// "avx512", "avx2", or "interpreter: " and why.
  const std::string& backend() const;
  const Program& program() const;  ///< the program without its prologue
  std::size_t code_size() const;   ///< bytes of the code for one state

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace visviva
