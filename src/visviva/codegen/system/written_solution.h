// The solution of the equations of motion as expressions: M u' = f + A'λ with A u' = b, written out.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "visviva/codegen/system/run_expressions.h"
#include "visviva/equations/methods/tree_rates.h"

namespace visviva {

/// u' and λ. They are right where all margins are positive; elsewhere the equations are to be solved
/// as numbers.
struct WrittenSolution {
  std::vector<Expr> speed_rates, multipliers, margins;
};

/// The solution by recursions along the trees (before put()), if there is one and it takes fewer operations than
/// elimination; by elimination where that takes no more than `most` multiplications. Nothing for equations that
/// hold unknown forces or auxiliary speeds, and where the rank is always in question.
std::optional<WrittenSolution> write_solution(RunExpressions& system,
                                              const std::optional<TreeRates>& recursion,
                                              std::size_t most);

}  // namespace visviva
