// Calls of functions that nobody defined, or that a table gives values, taken apart.
#pragma once

#include <memory>
#include <vector>

#include "visviva/base/table_function.h"
#include "visviva/symbolic/core/function_symbol.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// A call taken apart.
struct FunctionCall {
  FunctionSymbol function;
  std::vector<Ref> arguments;
};
FunctionCall read_call(const ExprPool& pool, const Node& call);

/// What an Op::call asks of a table; null where its function has none.
std::shared_ptr<const BoundTable> bind_table(const ExprPool& pool, const Node& call);

}  // namespace visviva
