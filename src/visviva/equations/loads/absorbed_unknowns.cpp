#include "visviva/equations/loads/absorbed_unknowns.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/kinematics/constraint_rows.h"
#include "visviva/numeric/least_change.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr int tries = 12, enough = 4;  // configurations, of which some may have no values

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

  bool operator()(const std::vector<Expr>& forces) const {
    std::vector<Expr> all = rows_;
    all.insert(all.end(), forces.begin(), forces.end());
    const std::vector<Expr> symbols = free_symbols(all);
    const Evaluator evaluator(symbols, all);
    std::mt19937_64 random(20261116);
    std::uniform_real_distribution<double> somewhere(0.3, 1.7);
    int good = 0;
    for (int i = 0; i < tries && good < enough; ++i) {
      std::vector<double> values(symbols.size());
      for (double& value : values) value = somewhere(random);
      const std::vector<double> numbers = evaluator(values);
      if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
        continue;
      using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
      const Eigen::Index m = std::ssize(rows_) / n_;
      const Matrix columns = Eigen::Map<const Matrix>(numbers.data(), n_, m);  // A'
      const Eigen::VectorXd c =
          Eigen::Map<const Eigen::VectorXd>(numbers.data() + rows_.size(), n_);
      if (!find_contradicting_rows(columns, c).empty()) return false;
      ++good;
    }
    return good == enough;
  }

 private:
  Eigen::Index n_;
  ExprPool& pool_;
  std::vector<Expr> rows_;  // A, one row after the other
};

}  // namespace

std::vector<Expr> find_absorbed_unknowns(const Kinematics& motion,
                                         const std::vector<std::vector<Expr>>& loads) {
  const ModelData& model = motion.model();
  if (model.unknowns.empty() || model.constraints.empty() || !model.auxiliaries.empty()) return {};
  const Workspace work = Workspace::continued(*motion.pool());
  const AbsorptionTest is_taken_up(motion);
  std::vector<Expr> absorbed;
  for (const UnknownData& unknown : model.unknowns) {
    std::vector<Expr> c(motion.speeds().size(), model.pool->zero());
    for (const std::vector<Expr>& load : loads) {
      for (std::size_t r = 0; r < c.size(); ++r) c[r] += differentiate(load[r], unknown.symbol);
    }
    const bool is_absent =
        std::all_of(c.begin(), c.end(), [](const Expr& e) { return e.is_zero(); });
    if (!is_absent && is_taken_up(c)) absorbed.push_back(unknown.symbol);
  }
  return absorbed;
}

}  // namespace visviva
