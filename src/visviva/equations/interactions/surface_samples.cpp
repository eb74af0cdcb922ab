#include "visviva/equations/interactions/surface_samples.h"

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

constexpr int tries = 20, most_steps = 40;
constexpr double on_surface = 1e-12;  // of g, where values are about one
constexpr double rounding = 1e-7;     // of (1), where the surface is met so closely

}  // namespace

SurfaceSamples::SurfaceSamples(const ModelData& model, std::vector<Expr> g)
    : model_(model), g_(std::move(g)) {
  for (const auto& members : model.quaternions) {
    Expr norm = -model.pool->one();
    for (const int i : members) norm += model.coordinates[i].q * model.coordinates[i].q;
    g_.push_back(norm);
  }
}

SurfaceSamples::Look SurfaceSamples::look_at(const Expr& value) const {
  const std::vector<Expr> terms = expand_sum(value).value_or(std::vector<Expr>{value});
  std::vector<Expr> all = g_;
  all.insert(all.end(), terms.begin(), terms.end());
  const std::vector<Expr> symbols = free_symbols(all);
  std::vector<Eigen::Index> moving;  // among the symbols
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const SymbolRole* role = model_.role(symbols[i]);
    if (role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden ||
                            role->role == Role::rate || role->role == Role::speed))
      moving.push_back(static_cast<Eigen::Index>(i));
  }
  for (const Expr& g : g_) {
    for (const Eigen::Index i : moving)
      all.push_back(differentiate(g, symbols[static_cast<std::size_t>(i)]));
  }
  const Evaluator evaluator(symbols, all, FunctionValues::stand_ins);
  const auto m = std::ssize(g_), n = std::ssize(moving), k = std::ssize(terms);
  Look found = Look::unseen;
  std::mt19937_64 random(20261118);
  std::uniform_real_distribution<double> somewhere(0.3, 1.7);
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::vector<double> at(symbols.size());
    for (double& x : at) x = somewhere(random);
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<double> numbers = evaluator(at);
      const Eigen::VectorXd g = Eigen::Map<const Eigen::VectorXd>(numbers.data(), m);
      if (!g.allFinite()) break;
      if (m == 0 || g.cwiseAbs().maxCoeff() < on_surface) {
        const Eigen::VectorXd t = Eigen::Map<const Eigen::VectorXd>(numbers.data() + m, k);
        if (!t.allFinite()) break;
        if (std::abs(t.sum()) > rounding * t.cwiseAbs().sum()) return Look::differs;
        found = Look::vanishes;
        break;
      }
      using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      const Eigen::MatrixXd A = Eigen::Map<const Rows>(numbers.data() + m + k, m, n);
      if (!A.allFinite()) break;
      const Eigen::VectorXd change = solve_least_squares(A, -g);
      for (Eigen::Index i = 0; i < n; ++i)
        at[static_cast<std::size_t>(moving[static_cast<std::size_t>(i)])] += change[i];
    }
  }
  return found;
}

}  // namespace visviva
