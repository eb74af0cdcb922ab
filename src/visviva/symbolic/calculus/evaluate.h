// Evaluating many expressions at once by walking their shared nodes: the interpreter, and the
// oracle of faster ways.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// What functions with a table are worth.
enum class FunctionValues {
  by_tables,
  stand_ins  ///< those of some smooth function, everywhere: for what is to hold whatever the samples are
};

/// A list of expressions made ready for repeated evaluation. Evaluating is const and may be done
/// from many threads.
class Evaluator {
 public:
  /// `inputs` are the symbols that get values, in the order in which values are given.
  /// UsageError when an output contains another symbol, and names it.
  Evaluator(const std::vector<Expr>& inputs, const std::vector<Expr>& outputs,
            FunctionValues functions = FunctionValues::by_tables);

  /// Values of the outputs; a value outside a function's domain is NaN, as in C.
  std::vector<double> operator()(const std::vector<double>& inputs) const;
  std::vector<long double> operator()(const std::vector<long double>& inputs) const;

  std::size_t input_count() const { return input_count_; }

 private:
  struct Step {
    Op op;
    std::uint32_t a;  // slot << 1 | negated; for constants and inputs an index
    std::uint32_t b;
    std::uint32_t c = no_table;  // of a call: the index of its table; a and b are its arguments
  };
  static constexpr std::uint32_t no_table = ~0u;
  template <class Real>
  std::vector<Real> run(const std::vector<Real>& inputs) const;

  std::size_t input_count_ = 0;
  std::vector<Step> steps_;  // step i fills slot i
  struct Constant {
    double nearest;
    long double value;
  };
  std::vector<Constant> constants_;
  std::vector<std::shared_ptr<const BoundTable>> tables_;
  std::vector<std::uint32_t> outputs_;
};

/// The value of one expression, for tests and small things: symbols and values in matching order.
double evaluate(const Expr& expr, const std::vector<Expr>& symbols,
                const std::vector<double>& values);

}  // namespace visviva
