#include "visviva/equations/loads/absorbed_unknowns.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/kinematics/constraint_rows.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/least_change.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

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
    constexpr double rounding = 1e-9;
    std::vector<bool> is_shared(static_cast<std::size_t>(row_count()), false);
    for (const Matrix& K : try_configurations(forces)) {
      const Eigen::MatrixXd open = compute_null_space(K, rounding);
      for (Eigen::Index i = 0; i < row_count(); ++i) {
        if (open.row(i).cwiseAbs().sum() > rounding) is_shared[static_cast<std::size_t>(i)] = true;
      }
    }
    return is_shared;
  }

 private:
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
