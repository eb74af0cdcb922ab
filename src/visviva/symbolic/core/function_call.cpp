#include "visviva/symbolic/core/function_call.h"

#include <utility>

namespace visviva {

FunctionCall read_call(const ExprPool& pool, const Node& call) {
  FunctionCall result{read_function_symbol(pool.symbol_name(call.a)), {}};
  Ref rest = call.b;
  for (std::size_t i = 0; i + 1 < result.function.parameters.size(); ++i) {
    result.arguments.push_back(pool.node(rest).a);
    rest = pool.node(rest).b;
  }
  result.arguments.push_back(rest);
  return result;
}

std::shared_ptr<const BoundTable> bind_table(const ExprPool& pool, const Node& call) {
  const FunctionSymbol function = read_function_symbol(pool.symbol_name(call.a));
  auto table = pool.find_table(function.name);
  if (!table) return nullptr;
  BoundTable bound{std::move(table), {}, -1, 0};
  for (const std::size_t i : function.by) ++bound.orders[i];
  for (const std::size_t i : function.over) --bound.orders[i];
  if (function.corner) {
    bound.corner_argument = static_cast<int>(function.corner->parameter);
    bound.corner_bit = function.corner->bit;
  }
  return std::make_shared<const BoundTable>(std::move(bound));
}

}  // namespace visviva
