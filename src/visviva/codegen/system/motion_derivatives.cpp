#include "visviva/codegen/system/motion_derivatives.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "visviva/base/sequence.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {
namespace {

using Matrix = std::vector<std::vector<Expr>>;

MotionDerivatives collect(const Matrix& by_rates, const Matrix& by_residuals, std::size_t columns) {
  MotionDerivatives d;
  d.columns = to_int(columns);
  const auto add = [&](const Matrix& matrix, std::vector<EntryPlace>* places) {
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (matrix[i][j].is_zero()) continue;
        places->push_back({to_int(d.entries.size()), to_int(i), to_int(j), 1.0});
        d.entries.push_back(matrix[i][j]);
      }
    }
  };
  add(by_rates, &d.rates);
  add(by_residuals, &d.residuals);
  std::vector<bool> is_solved(columns);
  for (const EntryPlace& place : d.residuals)
    is_solved[static_cast<std::size_t>(place.column)] = true;
  for (std::size_t j = 0; j < columns; ++j) {
    if (is_solved[j]) d.solved.push_back(to_int(j));
  }
  return d;
}

// Rows and columns of K in the parts that it falls into.
class ConnectedParts {
 public:
  explicit ConnectedParts(const AccelerationEquations& motion) : columns_(motion.size()) {
    int rows = 0;
    for (const EntryPlace& place : motion.places()) rows = std::max(rows, place.row + 1);
    part_.resize(static_cast<std::size_t>(columns_ + rows));
    std::iota(part_.begin(), part_.end(), 0);
    for (const EntryPlace& place : motion.places())
      part_[static_cast<std::size_t>(find(columns_ + place.row))] = find(place.column);
  }

  int of_column(int column) const { return find(column); }
  std::optional<int> of_row(int row) const {
    if (static_cast<std::size_t>(columns_ + row) >= part_.size()) return {};
    return find(columns_ + row);
  }

 private:
  int find(int i) const {
    while (part_[static_cast<std::size_t>(i)] != i) i = part_[static_cast<std::size_t>(i)];
    return i;
  }

  int columns_;
  std::vector<int> part_;  // of columns, then of rows
};

}  // namespace

MotionDerivatives differentiate_by_state(const RunExpressions& system,
                                         const AccelerationEquations& motion) {
  const std::vector<Expr> residuals = motion.make_residuals(system);
  Matrix by_rates = jacobian(system.configuration_rates, system.state),
         by_residuals = jacobian(residuals, system.state);
  std::vector<std::pair<Expr, Expr>> clock = system.signal_rates;
  clock.emplace_back(system.time, system.pool.one());
  Tangent by_time(system.pool, clock);
  for (std::size_t i = 0; i < by_rates.size(); ++i)
    by_rates[i].push_back(by_time(system.configuration_rates[i]));
  for (std::size_t i = 0; i < residuals.size(); ++i)
    by_residuals[i].push_back(by_time(residuals[i]));
  return collect(by_rates, by_residuals, system.state.size() + 1);
}

MotionDerivatives differentiate_by_values(const RunExpressions& system,
                                          const AccelerationEquations& motion) {
  std::vector<Expr> symbols = system.inputs;
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  return collect(jacobian(system.configuration_rates, symbols),
                 jacobian(motion.make_residuals(system), symbols), symbols.size());
}

// A column of the residuals moves every acceleration that K connects with it.
std::vector<std::pair<int, int>> list_pattern(const std::vector<EntryPlace>& rates,
                                              const std::vector<EntryPlace>& residuals,
                                              const RunExpressions& system,
                                              const AccelerationEquations& motion) {
  const ConnectedParts parts(motion);
  const int states = to_int(system.state.size()), first = to_int(system.configuration_count);
  std::map<int, std::vector<int>> speeds;  // of each part
  for (int s = 0; s < motion.speed_count(); ++s) speeds[parts.of_column(s)].push_back(s);
  std::vector<std::pair<int, int>> pattern;
  for (const EntryPlace& place : rates)
    if (place.column < states) pattern.emplace_back(place.row, place.column);
  std::set<std::pair<int, int>> moved;  // parts and columns
  for (const EntryPlace& place : residuals)
    if (const auto part = parts.of_row(place.row); part && place.column < states)
      moved.emplace(*part, place.column);
  for (const auto& [part, column] : moved)
    if (const auto found = speeds.find(part); found != speeds.end())
      for (const int s : found->second) pattern.emplace_back(first + s, column);
  std::sort(pattern.begin(), pattern.end());
  pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());
  return pattern;
}

}  // namespace visviva
