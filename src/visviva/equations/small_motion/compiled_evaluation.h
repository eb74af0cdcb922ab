// CompileEvaluation: how callers above this layer lend it machine code. Without it expressions are
// interpreted, which is as good for a state and slow for a motion that is followed.
#pragma once

#include <functional>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// Values of some expressions, by values of the symbols that vary.
using CompiledEvaluation = std::function<std::vector<double>(const std::vector<double>& varying)>;

/// Expressions to be evaluated many times; constants keep their values.
struct EvaluationRequest {
  std::vector<Expr> varying, constants;
  std::vector<double> constant_values;
  std::vector<Expr> outputs;
};

using CompileEvaluation = std::function<CompiledEvaluation(const EvaluationRequest&)>;

}  // namespace visviva
