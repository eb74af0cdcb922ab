#include "visviva/codegen/system/column_derivatives.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {

ColumnDerivatives::ColumnDerivatives(const RunExpressions& system, const std::vector<Expr>& state)
    : pool_(system.pool), time_(to_int(state.size())), symbols_(state) {
  symbols_.push_back(system.time);
  symbols_.insert(symbols_.end(), system.inputs.begin(), system.inputs.end());
  for (std::size_t i = 0; i < symbols_.size(); ++i) numbers_.emplace(symbols_[i].ref(), to_int(i));
  for (const Expr& s : system.signals) numbers_.emplace(s.ref(), time_);
  std::vector<std::pair<Expr, Expr>> clock = system.signal_rates;
  clock.emplace_back(system.time, pool_.one());
  tangents_.emplace(time_, Tangent(pool_, clock));
}

std::vector<int> ColumnDerivatives::list(const std::vector<Expr>& expressions) const {
  std::vector<int> found;
  for (const Expr& s : free_symbols(expressions))
    if (const auto at = numbers_.find(s.ref()); at != numbers_.end()) found.push_back(at->second);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Expr ColumnDerivatives::operator()(const Expr& e, int column) {
  auto at = tangents_.find(column);
  if (at == tangents_.end()) {
    const std::vector<std::pair<Expr, Expr>> seed = {{symbols_[column], pool_.one()}};
    at = tangents_.emplace(column, Tangent(pool_, seed)).first;
  }
  return at->second(e);
}

// Few by tangents, which share what several expressions have in common; many by one sweep back.
std::vector<std::pair<int, Expr>> ColumnDerivatives::list_all(const Expr& e) {
  constexpr std::size_t few = 8;
  std::vector<std::pair<int, Expr>> all;
  const auto add = [&](int column, const Expr& slope) {
    if (!slope.is_zero()) all.emplace_back(column, slope);
  };
  const std::vector<int> columns = list(std::vector<Expr>{e});
  if (columns.size() <= few) {
    for (const int column : columns) add(column, (*this)(e, column));
    return all;
  }
  std::vector<Expr> symbols;
  for (const int column : columns) symbols.push_back(symbols_[column]);
  const std::vector<Expr> slopes = gradient(e, symbols);
  for (std::size_t k = 0; k < columns.size(); ++k)
    add(columns[k], columns[k] == time_ ? (*this)(e, time_) : slopes[k]);
  return all;
}

}  // namespace visviva
