#include "visviva/codegen/system/tree_derivatives.h"

#include <algorithm>
#include <map>

#include "visviva/base/sequence.h"
#include "visviva/codegen/system/column_derivatives.h"

namespace visviva {
namespace {

constexpr int vector_size = 15;  // numbers of an entry, and of a change

LinkProducts make_products(const RunExpressions& system, const TreeSlopes& slopes,
                           LaneWidth lanes) {
  const auto list = [](const std::vector<SlopeEntry>& entries) {
    std::vector<LinkProducts::Item> items;
    for (const SlopeEntry& e : entries) items.push_back({e.link, e.number});
    return items;
  };
  const auto find_kept = [](const std::vector<Expr>& numbers) {
    std::vector<bool> kept(vector_size);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!numbers[i].is_zero()) kept[i % vector_size] = true;
    return kept;
  };
  std::vector<int> others;
  for (const SlopeTerm& term : slopes.terms) others.push_back(term.column);
  LinkProducts products(slopes.parents, list(slopes.speeds), list(slopes.changes), others,
                        to_int(system.forcing.size()), lanes);
  products.keep(find_kept(slopes.speed_vectors), find_kept(slopes.change_vectors));
  return products;
}

void add_numbers(const std::vector<Expr>& vectors, const std::vector<VectorPlace>& layout,
                 const Expr& zero, std::vector<Expr>* outputs) {
  for (const VectorPlace& p : layout)
    outputs->push_back(
        p.number < 0 ? zero
                     : vectors[static_cast<std::size_t>(vector_size * p.number + p.component)]);
}

}  // namespace

TreeDerivatives make_tree_derivatives(RunExpressions& system, const TreeSlopes& slopes,
                                      LaneWidth lanes) {
  TreeDerivatives d{make_products(system, slopes, lanes), slopes.state, {}};
  const Expr zero = system.pool.zero();
  add_numbers(slopes.speed_vectors, d.products.entry_layout(), zero, &d.outputs);
  add_numbers(slopes.change_vectors, d.products.change_layout(), zero, &d.outputs);
  d.first_term = d.outputs.size();
  std::map<std::pair<int, int>, Expr> sums;
  for (const SlopeTerm& term : slopes.terms) {
    const auto [at, is_new] = sums.try_emplace({term.speed, term.column}, term.value);
    if (!is_new) at->second += term.value;
  }
  for (const auto& [place, value] : sums) {
    const auto row = static_cast<std::size_t>(d.products.row_of(place.first)),
               column = static_cast<std::size_t>(d.products.place_of(place.second));
    d.term_places.push_back(row * d.products.row_stride() + column);
    d.outputs.push_back(value);
    d.residuals.push_back({0, place.first, place.second, 1.0});
  }
  for (const auto& [speed, column] : d.products.list_related())
    d.residuals.push_back({0, speed, column, 1.0});

  Replacements own;
  for (std::size_t i = 0; i < system.state.size(); ++i)
    if (slopes.state[i] != system.state[i]) own.emplace_back(system.state[i], slopes.state[i]);
  const std::vector<Expr> rates = Substitution(system.pool, own)(system.configuration_rates);
  ColumnDerivatives columns(system, slopes.state);
  const std::size_t first = d.outputs.size();
  for (std::size_t i = 0; i < rates.size(); ++i)
    for (const auto& [column, slope] : columns.list_all(rates[i])) {
      d.rates.push_back({to_int(d.outputs.size() - first), to_int(i), column, 1.0});
      d.outputs.push_back(slope);
    }
  const std::vector<int>& all = d.products.columns();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] <= columns.time_column()) d.state_columns = k + 1;
  system.avoid({});
  return d;
}

}  // namespace visviva
