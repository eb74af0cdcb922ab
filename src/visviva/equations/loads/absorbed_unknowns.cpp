#include "visviva/equations/loads/absorbed_unknowns.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/linear_solve.h"
#include "visviva/numeric/choose_columns.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/least_change.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double rounding = 1e-9;      // of numbers between rows scaled to 1
constexpr int tries = 12, enough = 4;  // configurations, of which some may have no values

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

// (1) at configurations chosen at random.
class AbsorptionTest {
 public:
  explicit AbsorptionTest(const Kinematics& motion)
      : n_(std::ssize(motion.speeds())), pool_(*motion.model().pool) {
    for (const ConstraintRow& row : make_constraint_rows(motion)) {
      std::vector<Expr> line(static_cast<std::size_t>(n_), pool_.zero());
      for (const auto& [r, a] : row.velocity.coefficients) line[static_cast<std::size_t>(r)] = a;
      rows_.insert(rows_.end(), line.begin(), line.end());
    }
  }

  bool is_taken_up(const std::vector<Expr>& forces) const {
    const std::vector<Matrix> tried = try_configurations(forces);
    return std::ssize(tried) == enough &&
           std::all_of(tried.begin(), tried.end(), [&](const Matrix& K) {
             return find_contradicting_rows(K.leftCols(row_count()), K.rightCols(1)).empty();
           });
  }

  // The rows whose multipliers change, while all forces of one taken up do.
  std::vector<bool> find_shared(const std::vector<Expr>& forces) const {
    std::vector<bool> is_shared(static_cast<std::size_t>(row_count()), false);
    for (const Matrix& K : try_configurations(forces)) {
      const Eigen::MatrixXd open = compute_null_space(K, rounding);
      for (Eigen::Index i = 0; i < row_count(); ++i) {
        if (open.row(i).cwiseAbs().sum() > rounding) is_shared[static_cast<std::size_t>(i)] = true;
      }
    }
    return is_shared;
  }

  // y of (1) for a force that is taken up, by as few rows as its direction needs.
  std::vector<Expr> find_shares(const std::vector<Expr>& forces) const {
    std::vector<Expr> shares(static_cast<std::size_t>(row_count()), pool_.zero());
    const Matrix K = try_configurations(forces).front();
    const std::vector<int> rows = find_support(K);
    Matrix taken(n_, std::ssize(rows));
    for (std::size_t i = 0; i < rows.size(); ++i)
      taken.col(static_cast<Eigen::Index>(i)) = K.col(rows[i]);
    const std::vector<int> speeds = choose_regular(taken.transpose());
    std::vector<std::vector<Expr>> matrix;
    std::vector<std::vector<double>> values;
    for (const int r : speeds) {
      matrix.emplace_back();
      values.emplace_back();
      for (const int i : rows) {
        matrix.back().push_back(rows_[static_cast<std::size_t>(i * n_ + r)]);
        values.back().push_back(K(r, i));
      }
    }
    const auto inverse = invert(matrix, values);
    for (std::size_t i = 0; inverse && i < rows.size(); ++i) {
      for (std::size_t r = 0; r < speeds.size(); ++r)
        shares[static_cast<std::size_t>(rows[i])] +=
            (*inverse)[i][r] * forces[static_cast<std::size_t>(speeds[r])];
    }
    return shares;
  }

 private:
  // Columns of a matrix that form a regular set.
  static std::vector<int> choose_regular(const Eigen::MatrixXd& matrix) {
    std::vector<int> all(static_cast<std::size_t>(matrix.cols())), chosen;
    std::iota(all.begin(), all.end(), 0);
    for (const ChosenColumn& c : choose_columns(matrix, all, {rounding}))
      chosen.push_back(c.column);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  // The rows that a solution of (1) by independent rows needs.
  std::vector<int> find_support(const Matrix& K) const {
    const std::vector<int> regular = choose_regular(K.leftCols(row_count()));
    Matrix taken(n_, std::ssize(regular) + 1);
    for (std::size_t i = 0; i < regular.size(); ++i)
      taken.col(static_cast<Eigen::Index>(i)) = K.col(regular[i]);
    taken.rightCols(1) = K.rightCols(1);
    const Eigen::MatrixXd open = compute_null_space(taken, rounding);
    std::vector<int> support;
    for (std::size_t i = 0; i < regular.size(); ++i) {
      if (open.row(static_cast<Eigen::Index>(i)).cwiseAbs().sum() > rounding)
        support.push_back(regular[i]);
    }
    return support;
  }

  Eigen::Index row_count() const { return std::ssize(rows_) / n_; }

  // [A' c] with values.
  std::vector<Matrix> try_configurations(const std::vector<Expr>& forces) const {
    std::vector<Expr> all = rows_;
    all.insert(all.end(), forces.begin(), forces.end());
    const std::vector<Expr> symbols = free_symbols(all);
    const Evaluator evaluator(symbols, all);
    std::mt19937_64 random(20261116);
    std::uniform_real_distribution<double> somewhere(0.3, 1.7);
    std::vector<Matrix> tried;
    for (int i = 0; i < tries && std::ssize(tried) < enough; ++i) {
      std::vector<double> values(symbols.size());
      for (double& value : values) value = somewhere(random);
      const std::vector<double> numbers = evaluator(values);
      if (std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
        tried.emplace_back(Eigen::Map<const Matrix>(numbers.data(), n_, std::ssize(all) / n_));
    }
    return tried;
  }

  Eigen::Index n_;
  ExprPool& pool_;
  std::vector<Expr> rows_;  // A, one row after the other
};

// Calls use(test, unknown, c) for every unknown force that has generalized forces c and (1), where some constraint could take it up.
template <class Use>
void for_each_absorbed(const Kinematics& motion, const std::vector<std::vector<Expr>>& loads,
                       const Use& use) {
  const ModelData& model = motion.model();
  if (model.unknowns.empty() || model.constraints.empty() || !model.auxiliaries.empty()) return;
  const Workspace work = Workspace::continued(*motion.pool());
  const AbsorptionTest test(motion);
  for (const UnknownData& unknown : model.unknowns) {
    std::vector<Expr> c(motion.speeds().size(), model.pool->zero());
    for (const std::vector<Expr>& load : loads) {
      for (std::size_t r = 0; r < c.size(); ++r) c[r] += differentiate(load[r], unknown.symbol);
    }
    const bool is_absent =
        std::all_of(c.begin(), c.end(), [](const Expr& e) { return e.is_zero(); });
    if (!is_absent && test.is_taken_up(c)) use(test, unknown.symbol, c);
  }
}

}  // namespace

std::vector<Expr> find_absorbed_unknowns(const Kinematics& motion,
                                         const std::vector<std::vector<Expr>>& loads) {
  std::vector<Expr> absorbed;
  for_each_absorbed(motion, loads, [&](const AbsorptionTest&, const Expr& unknown, const auto&) {
    absorbed.push_back(unknown);
  });
  return absorbed;
}

std::vector<AbsorbedUnknown> find_absorbed_shares(const Kinematics& motion,
                                                  const std::vector<std::vector<Expr>>& loads) {
  std::vector<AbsorbedUnknown> absorbed;
  for_each_absorbed(motion, loads,
                    [&](const AbsorptionTest& test, const Expr& unknown, const auto& c) {
                      absorbed.push_back({unknown, test.find_shares(c)});
                    });
  return absorbed;
}

std::vector<bool> find_shared_rows(const Kinematics& motion,
                                   const std::vector<std::vector<Expr>>& loads) {
  std::vector<bool> all;
  for_each_absorbed(motion, loads, [&](const AbsorptionTest& test, const Expr&, const auto& c) {
    const std::vector<bool> shared = test.find_shared(c);
    all.resize(shared.size(), false);
    for (std::size_t i = 0; i < shared.size(); ++i) all[i] = all[i] || shared[i];
  });
  return all;
}

}  // namespace visviva
