#include "visviva/codegen/system/motion_system.h"

#include <Eigen/Cholesky>

#include "visviva/base/sequence.h"
#include "visviva/equations/state/open_solve.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding_level = 1e-14;  // of the largest entry of all constraint rows
constexpr double numerical_pivot = 1e-14;  // of the diagonal it comes from

}  // namespace

MotionSystem::MotionSystem(const SystemExpressions& system)
    : speeds_(to_int(system.forcing.size())),
      unknowns_(to_int(system.unknowns.size())),
      rows_(to_int(system.rows.size())),
      auxiliary_(to_int(system.auxiliary.size())) {
  const int first_multiplier = speeds_ + unknowns_;
  const auto add_rhs = [&](const Expr& e, int row) {
    if (e.is_zero()) return;
    rhs_.push_back({to_int(entries_.size()), row, 0, 1.0});
    entries_.push_back(e);
  };
  for (int r = 0; r < speeds_; ++r) {
    const std::size_t R = static_cast<std::size_t>(r);
    for (int s = r; s < speeds_; ++s) {
      add(system.mass_matrix[R][static_cast<std::size_t>(s)], r, s, 1.0);
      if (s > r && !system.mass_matrix[R][static_cast<std::size_t>(s)].is_zero())
        K_.push_back({to_int(entries_.size() - 1), s, r, 1.0});
    }
    for (int j = 0; j < unknowns_; ++j)
      add(system.unknown_forces[R][static_cast<std::size_t>(j)], r, speeds_ + j, -1.0);
    add_rhs(system.forcing[R], r);
  }
  for (int i = 0; i < rows_; ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    for (int s = 0; s < speeds_; ++s) {
      const Expr& a = system.rows[I][static_cast<std::size_t>(s)];
      if (a.is_zero()) continue;
      add(a, speeds_ + i, s, 1.0);
      K_.push_back({to_int(entries_.size() - 1), s, first_multiplier + i, -1.0});
    }
    add_rhs(system.row_forcing[I], speeds_ + i);
  }
  for (int a = 0; a < auxiliary_; ++a) {
    const AuxiliaryLine& line = system.auxiliary[static_cast<std::size_t>(a)];
    const int row = speeds_ + rows_ + a;
    for (int s = 0; s < speeds_; ++s) add(line.mass[static_cast<std::size_t>(s)], row, s, 1.0);
    for (int j = 0; j < unknowns_; ++j)
      add(line.unknowns[static_cast<std::size_t>(j)], row, speeds_ + j, -1.0);
    for (int i = 0; i < rows_; ++i)
      add(line.rows[static_cast<std::size_t>(i)], row, first_multiplier + i, -1.0);
    add_rhs(line.forcing, row);
  }
}

void MotionSystem::add(const Expr& e, int row, int column, double factor) {
  if (e.is_zero()) return;
  K_.push_back({to_int(entries_.size()), row, column, factor});
  entries_.push_back(e);
}

// A row that is zero but for rounding says nothing; scaling must not bring it to life.
void MotionSystem::drop_empty_rows(MotionNumbers* numbers) const {
  if (rows_ == 0 || speeds_ == 0) return;
  MatrixXd& K = numbers->K;
  const double largest = K.block(speeds_, 0, rows_, speeds_).cwiseAbs().maxCoeff();
  for (int i = 0; i < rows_; ++i) {
    if (K.row(speeds_ + i).head(speeds_).cwiseAbs().maxCoeff() > rounding_level * largest) continue;
    K.row(speeds_ + i).setZero();
    K.col(speeds_ + unknowns_ + i).setZero();
  }
}

// A regular mass matrix. The pivots of a matrix with ones on its diagonal are these, over the
// diagonal.
bool MotionSystem::solve_plain(MotionNumbers* numbers) const {
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

void MotionSystem::solve(const double* values, MotionNumbers* numbers) const {
  numbers->K.setZero(speeds_ + rows_ + auxiliary_, size());
  numbers->rhs.setZero(speeds_ + rows_ + auxiliary_);
  for (const EntryPlace& p : K_) numbers->K(p.row, p.column) = p.factor * values[p.value];
  for (const EntryPlace& p : rhs_) numbers->rhs(p.row) = values[p.value];
  numbers->is_finite = numbers->K.allFinite() && numbers->rhs.allFinite();
  numbers->is_regular = numbers->is_consistent = numbers->is_finite;
  numbers->is_determined.clear();
  if (!numbers->is_finite) {
    numbers->x.setConstant(size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (is_plain() && solve_plain(numbers)) return;
  numbers->L.resize(0, 0);
  drop_empty_rows(numbers);
  OpenSolution solution = solve_openly(numbers->K, numbers->rhs);
  numbers->x = std::move(solution.x);
  numbers->is_regular = solution.open.cols() == 0;
  numbers->is_consistent = solution.is_consistent;
  if (numbers->is_regular) return;
  numbers->is_determined = std::move(solution.is_determined);
  numbers->open = std::move(solution.open);
}

void MotionSystem::solve_again(const MotionNumbers& numbers, MatrixXd* columns) const {
  if (columns->cols() == 0) return;
  if (numbers.L.size() > 0) {
    numbers.L.triangularView<Eigen::Lower>().solveInPlace(*columns);
    numbers.L.triangularView<Eigen::Lower>().transpose().solveInPlace(*columns);
    return;
  }
  *columns = OpenSystem(numbers.K).solve(*columns);
}

std::vector<Expr> MotionSystem::make_residuals(const SystemExpressions& system) const {
  std::vector<Expr> x = system.speed_rates;
  x.insert(x.end(), system.unknowns.begin(), system.unknowns.end());
  x.insert(x.end(), system.multipliers.begin(), system.multipliers.end());
  std::vector<Expr> residuals(static_cast<std::size_t>(speeds_ + rows_ + auxiliary_),
                              system.pool.zero());
  for (const EntryPlace& p : K_)
    residuals[static_cast<std::size_t>(p.row)] += p.factor *
                                                  entries_[static_cast<std::size_t>(p.value)] *
                                                  x[static_cast<std::size_t>(p.column)];
  for (const EntryPlace& p : rhs_)
    residuals[static_cast<std::size_t>(p.row)] -= entries_[static_cast<std::size_t>(p.value)];
  return residuals;
}

}  // namespace visviva
