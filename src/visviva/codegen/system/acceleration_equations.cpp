#include "visviva/codegen/system/acceleration_equations.h"

#include <Eigen/Cholesky>

#include "visviva/base/sequence.h"
#include "visviva/numeric/solve_any_rank.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double numerical_pivot = 1e-14;  // of the diagonal it comes from

}  // namespace

AccelerationEquations::AccelerationEquations(const RunExpressions& system)
    : kkt_({.speeds = to_int(system.forcing.size()),
            .unknowns = to_int(system.unknowns.size()),
            .rows = to_int(system.rows.size()),
            .auxiliary = to_int(system.auxiliary.size())}) {
  add_motion(system);
  add_rows(system);
  add_auxiliary(system);
  if (row_count() > 0 && has_motion_alone()) list_schur_places();
}

// M is symmetric: one entry for two places.
void AccelerationEquations::add_motion(const RunExpressions& system) {
  for (int r = 0; r < speed_count(); ++r) {
    for (int s = r; s < speed_count(); ++s) {
      const Expr& m = system.mass_matrix[r][s];
      if (m.is_zero()) continue;
      const int value = add(m);
      kkt_.place(r, s, value);
      if (s > r) kkt_.place(s, r, value);
    }
    for (int j = 0; j < unknown_count(); ++j)
      add(system.unknown_forces[r][j], r, kkt_.unknown_column(j));
    add_right(system.forcing[r], r);
  }
}

void AccelerationEquations::add_rows(const RunExpressions& system) {
  for (int i = 0; i < row_count(); ++i) {
    for (int s = 0; s < speed_count(); ++s) {
      const Expr& a = system.rows[i][s];
      if (!a.is_zero()) kkt_.place_row(i, s, add(a));
    }
    add_right(system.row_forcing[i], kkt_.row_equation(i));
  }
}

void AccelerationEquations::add_auxiliary(const RunExpressions& system) {
  for (int a = 0; a < kkt_.sizes().auxiliary; ++a) {
    const AuxiliaryLine& line = system.auxiliary[a];
    const int equation = kkt_.auxiliary_equation(a);
    for (int s = 0; s < speed_count(); ++s) add(line.mass[s], equation, s);
    for (int j = 0; j < unknown_count(); ++j)
      add(line.unknowns[j], equation, kkt_.unknown_column(j));
    for (int i = 0; i < row_count(); ++i) add(line.rows[i], equation, kkt_.multiplier_column(i));
    add_right(line.forcing, equation);
  }
}

// M on and above its diagonal, A' from its rows, and the right side.
void AccelerationEquations::list_schur_places() {
  for (const EntryPlace& p : kkt_.places()) {
    if (p.row >= speed_count())
      schur_places_.push_back({p.value, p.column, p.row, 1.0});
    else if (p.row <= p.column && p.column < speed_count())
      schur_places_.push_back({p.value, p.row, p.column, 1.0});
  }
  for (const EntryPlace& p : kkt_.right_places())
    schur_places_.push_back({p.value, p.row, kkt_.column_count(), 1.0});
}

int AccelerationEquations::add(const Expr& e) {
  entries_.push_back(e);
  return to_int(entries_.size()) - 1;
}

void AccelerationEquations::add(const Expr& e, int equation, int column) {
  if (!e.is_zero()) kkt_.place(equation, column, add(e));
}

void AccelerationEquations::add_right(const Expr& e, int equation) {
  if (!e.is_zero()) kkt_.place_right(equation, add(e));
}

// A regular mass matrix. The pivots of a matrix with ones on its diagonal are these, over the
// diagonal.
bool AccelerationEquations::solve_plain(MotionNumbers* numbers) const {
  numbers->L = numbers->K;
  Eigen::LLT<Eigen::Ref<MatrixXd>> cholesky(numbers->L);
  if (cholesky.info() != Eigen::Success) return false;
  for (Index k = 0; k < numbers->L.rows(); ++k) {
    if (!(numbers->L(k, k) * numbers->L(k, k) > numerical_pivot * numbers->K(k, k))) return false;
  }
  numbers->x = numbers->rhs;
  numbers->L.triangularView<Eigen::Lower>().solveInPlace(numbers->x);
  numbers->L.triangularView<Eigen::Lower>().transpose().solveInPlace(numbers->x);
  return true;
}

void AccelerationEquations::solve(const double* values, MotionNumbers* numbers) const {
  kkt_.assemble(values, &numbers->K, &numbers->rhs);
  numbers->is_finite = numbers->K.allFinite() && numbers->rhs.allFinite();
  numbers->is_regular = numbers->is_consistent = numbers->is_finite;
  numbers->is_determined.clear();
  if (!numbers->is_finite) {
    numbers->x.setConstant(size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (is_plain() && solve_plain(numbers)) return;
  numbers->L.resize(0, 0);
  kkt_.drop_empty_rows(&numbers->K);
  AnyRankSolution solution = solve_any_rank(numbers->K, numbers->rhs);
  numbers->x = std::move(solution.x);
  numbers->is_regular = solution.open.cols() == 0;
  numbers->is_consistent = solution.is_consistent;
  if (numbers->is_regular) return;
  numbers->is_determined = std::move(solution.is_determined);
  numbers->open = std::move(solution.open);
}

bool AccelerationEquations::solve_regular(const double* values, MotionNumbers* numbers) const {
  if (schur_places_.empty()) return false;
  SchurLines& lines = numbers->schur;
  lines.begin(static_cast<std::size_t>(speed_count()), static_cast<std::size_t>(row_count()));
  for (const EntryPlace& p : schur_places_)
    lines(static_cast<std::size_t>(p.row), static_cast<std::size_t>(p.column)) = values[p.value];
  if (!lines.solve(&numbers->x)) return false;
  numbers->is_finite = numbers->is_regular = numbers->is_consistent = true;
  numbers->is_determined.clear();
  return true;
}

void AccelerationEquations::solve_again(const MotionNumbers& numbers, MatrixXd* columns) const {
  if (columns->cols() == 0) return;
  if (numbers.L.size() > 0) {
    numbers.L.triangularView<Eigen::Lower>().solveInPlace(*columns);
    numbers.L.triangularView<Eigen::Lower>().transpose().solveInPlace(*columns);
    return;
  }
  *columns = AnyRankSystem(numbers.K).solve(*columns);
}

std::vector<Expr> AccelerationEquations::make_residuals(const RunExpressions& system) const {
  std::vector<Expr> x = system.speed_rates;
  x.insert(x.end(), system.unknowns.begin(), system.unknowns.end());
  x.insert(x.end(), system.multipliers.begin(), system.multipliers.end());
  std::vector<Expr> residuals(kkt_.equation_count(), system.pool.zero());
  for (const EntryPlace& p : kkt_.places())
    residuals[p.row] += p.factor * entries_[p.value] * x[p.column];
  for (const EntryPlace& p : kkt_.right_places()) residuals[p.row] -= entries_[p.value];
  return residuals;
}

}  // namespace visviva
