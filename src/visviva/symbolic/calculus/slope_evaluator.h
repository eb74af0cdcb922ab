// Values and slopes of many expressions as numbers, without formulas for the slopes: those of each operation are formulas, and
// are multiplied along the shared nodes in numbers, some directions at once. A matrix of slopes costs its columns times the nodes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {

class SlopeEvaluator {
 public:
  /// The slopes of `outputs` in `by`, symbols that are among `inputs`. UsageError as Evaluator has it.
  SlopeEvaluator(const std::vector<Expr>& inputs, const std::vector<Expr>& outputs,
                 const std::vector<Expr>& by);

  struct Values {
    std::vector<double> outputs;
    std::vector<double> slopes;  ///< row by row, a row for each output
  };
  Values operator()(const std::vector<double>& inputs) const;

 private:
  static constexpr std::size_t lanes = 8;
  using Lanes = std::array<double, lanes>;
  struct Term {
    std::uint32_t place;   // whose change it takes
    std::uint32_t factor;  // among the values of `slopes_`, or `one`
    double sign;
  };
  static constexpr std::uint32_t one = ~0u, none = ~0u;
  struct Output {
    std::uint32_t place = none;
    double sign = 1;
  };
  void fill(const std::vector<double>& factors, std::size_t first, std::vector<Lanes>* changes,
            std::vector<double>* slopes) const;

  std::size_t columns_ = 0;
  std::vector<std::uint32_t> seeds_;  // places of `by`, which come first
  std::vector<std::uint32_t> ends_;   // of the terms of each place
  std::vector<Term> terms_;
  std::vector<Output> outputs_;
  std::optional<Evaluator> values_;  // of the outputs, then of the slopes of operations
};

}  // namespace visviva
