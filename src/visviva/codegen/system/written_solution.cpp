#include "visviva/codegen/system/written_solution.h"

#include <algorithm>

#include "visviva/codegen/program/unrolled_solve.h"
#include "visviva/numeric/schur_solve.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr double positive_pivot =
    1e-14;  // of the diagonal it comes from, as numerical_pivot in acceleration_equations.cpp

// The smallest number in a list, as a tree: a chain would be waited for.
Expr find_smallest(std::vector<Expr> list) {
  while (list.size() > 1) {
    std::vector<Expr> half;
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) half.push_back(min(list[i], list[i + 1]));
    if (list.size() % 2 == 1) half.push_back(list.back());
    list = std::move(half);
  }
  return list.front();
}

// schur_solve.h (3) and (4), as what must be positive.
class RowMargins {
 public:
  RowMargins(const RunExpressions& system, const UnrolledSolution& solution)
      : system_(system), solution_(solution), all_(system.pool.zero()) {
    for (const Expr& size : solution.row_sizes) all_ += size;
  }

  void add_to(std::vector<Expr>* margins) const {
    for (std::size_t i = 0; i < solution_.row_pivots.size(); ++i) {
      const Expr& size = solution_.row_sizes[i];
      Expr needed = sure_row_pivot * size;
      if (solution_.row_pivots.size() > 1) needed += sure_row_size * all_;
      margins->push_back(solution_.row_pivots[i] - needed);
      if (count_entries(i) > 1) margins->push_back(keep_digits(i));
    }
  }

 private:
  std::size_t count_entries(std::size_t i) const {
    const std::vector<Expr>& row = system_.rows[i];
    return static_cast<std::size_t>(
        std::count_if(row.begin(), row.end(), [](const Expr& a) { return !a.is_zero(); }));
  }

  Expr keep_digits(std::size_t i) const {
    const Expr& size = solution_.row_sizes[i];
    std::vector<Expr> rests;
    for (const Expr& share : solution_.row_shares[i]) rests.push_back(sure_share * size - share);
    Expr sum = abs(system_.row_forcing[i]);
    for (std::size_t s = 0; s < solution_.x.size(); ++s) {
      if (!system_.rows[i][s].is_zero()) sum += abs(system_.rows[i][s] * solution_.x[s]);
    }
    return max(find_smallest(std::move(rests)),
               sum - sure_cancellation * size * abs(solution_.multipliers[i]));
  }

  const RunExpressions& system_;
  const UnrolledSolution& solution_;
  Expr all_;
};

// Operations of elimination: of the entries on and above the diagonal, of the right side, and of the solution.
std::size_t count_elimination(const RunExpressions& system, std::size_t solve) {
  std::vector<Expr> all = system.forcing;
  for (std::size_t r = 0; r < system.mass_matrix.size(); ++r)
    all.insert(all.end(), system.mass_matrix[r].begin() + static_cast<std::ptrdiff_t>(r),
               system.mass_matrix[r].end());
  return count_operations(all).total() + 2 * solve;
}

void add_margins(const std::vector<Expr>& pivots, const RunExpressions& system, double sure,
                 std::vector<Expr>* margins) {
  for (std::size_t k = 0; k < pivots.size(); ++k)
    margins->push_back(pivots[k] - sure * system.mass_matrix[k][k]);
}

}  // namespace

std::optional<WrittenSolution> write_solution(RunExpressions& system,
                                              const std::optional<TreeRates>& recursion,
                                              std::size_t most) {
  if (!system.unknowns.empty() || !system.auxiliary.empty()) return {};
  if (system.rows.size() > system.forcing.size()) return {};
  const std::size_t solve = count_solve_operations(system.mass_matrix, system.rows, most);
  if (recursion) {
    WrittenSolution result{system.put(recursion->rates), {}, {}};
    const std::vector<Expr> pivots = system.put(recursion->pivots),
                            sizes = system.put(recursion->sizes);
    for (std::size_t k = 0; k < pivots.size(); ++k)
      result.margins.push_back(pivots[k] - positive_pivot * sizes[k]);
    std::vector<Expr> all = result.speed_rates;
    all.insert(all.end(), result.margins.begin(), result.margins.end());
    if (count_operations(all).total() < count_elimination(system, solve)) return result;
  }
  if (solve > most) return {};
  const auto solution =
      solve_unrolled(system.mass_matrix, system.forcing, system.rows, system.row_forcing);
  if (!solution) return {};
  WrittenSolution result{solution->x, solution->multipliers, {}};
  add_margins(solution->pivots, system, system.rows.empty() ? positive_pivot : sure_mass_pivot,
              &result.margins);
  RowMargins(system, *solution).add_to(&result.margins);
  return result;
}

}  // namespace visviva
