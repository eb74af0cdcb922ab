// Specified functions as functions of t alone, so that equations can be evaluated at any time.
#pragma once

#include <optional>
#include <vector>

#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {

class TimeFunctions {
 public:
  /// The functions of a model whose parameters have the values of `state`.
  TimeFunctions(const ModelData& model, const StartState& state);

  /// The symbols x, x', x'', x''' of all specified functions.
  const std::vector<Expr>& symbols() const { return symbols_; }
  /// Their values; not finite outside of a table.
  std::vector<double> operator()(double t) const;
  /// An expression with all but tables written in t and parameters.
  Expr in_time(const Expr& expr) const;

 private:
  struct Table {
    const Spline* spline;
    int derivative;
  };

  // What an input of the evaluator is.
  struct Source {
    bool is_time = false;
    std::optional<Table> table{};
    double constant = 0;
  };

  std::vector<Expr> symbols_;
  std::vector<std::pair<Expr, Expr>> replacements_;
  std::vector<std::optional<Table>> tables_;  // by symbol
  std::vector<Source> sources_;
  std::optional<Evaluator> evaluator_;
};

}  // namespace visviva
