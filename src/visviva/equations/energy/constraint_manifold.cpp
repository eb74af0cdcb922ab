#include "visviva/equations/energy/constraint_manifold.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/equations/state/solve.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr int wanted_states = 8, most_attempts = 64, most_steps = 60;
constexpr double spread = 0.4;         // of random configurations about the start
constexpr double on_manifold = 1e-13;  // largest g
constexpr std::uint64_t seed = 20240607;

void normalize(const std::vector<std::array<int, 4>>& quaternions, std::vector<double>* x) {
  for (const std::array<int, 4>& group : quaternions) {
    double square = 0;
    for (const int i : group) square += (*x)[i] * (*x)[i];
    for (const int i : group) (*x)[i] /= std::sqrt(square);
  }
}

bool is_of_configuration(const ModelData& model, const Expr& e) {
  const std::vector<Expr> symbols = free_symbols(e);
  return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const SymbolRole* role = model.role(s);
    return role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden);
  });
}

}  // namespace

Replacements solve_positions(const Equations& equations) {
  const Workspace work = Workspace::continued(*equations.pool());
  const ModelData& model = equations.motion.model();
  ExprPool& pool = *model.pool;
  Replacements solved;
  for (const ConstraintRow& row : equations.rows) {
    if (!row.position) continue;
    const Expr g = substitute(*row.position, solved);
    // The last declared first, as with dependent speeds.
    for (auto c = model.coordinates.rbegin(); c != model.coordinates.rend(); ++c) {
      if (c->quaternion >= 0 || !depends_on(g, c->q)) continue;
      const Expr slope = differentiate(g, c->q);
      if (slope.is_zero() || is_of_configuration(model, slope)) continue;
      const Replacements own = {{c->q, -substitute(g, {{c->q, pool.zero()}}) / slope}};
      for (auto& entry : solved) entry.second = substitute(entry.second, own);
      solved.push_back(own[0]);
      break;
    }
  }
  return solved;
}

StateSamples sample_constraints(const Energies& energies, const Replacements& values) {
  StateSamples samples;
  samples.tolerance = 1e-11;  // g is at most on_manifold
  const Kinematics& motion = energies.equations.motion;
  const ModelData& model = motion.model();
  Substitution put(*model.pool, values);
  std::vector<Expr> g;
  for (const ConstraintRow& row : energies.equations.rows) {
    const bool is_lock = model.constraints[row.constraint].kind == ConstraintData::Kind::lock;
    if (row.position && !is_lock) g.push_back(put(*row.position));
  }
  if (g.empty()) return {};

  std::vector<double> start;
  const StartState state = make_state(motion, make_consistent_start(motion));
  std::vector<Expr> coordinates;
  for (const CoordinateData& c : model.coordinates) {
    coordinates.push_back(c.q);
    start.push_back(state.value(c.q));
  }
  samples.symbols = coordinates;
  const auto add = [&](const Expr& symbol) {
    samples.symbols.push_back(symbol);
    start.push_back(state.value(symbol));
  };
  for (const int r : energies.embedded.independent) add(motion.speeds()[r].u);
  for (const FrameData& f : model.frames) {
    if (f.hidden.size() > 1) return {};
    for (const Expr& h : f.hidden) add(h);
  }
  add(model.time);
  for (const Expr& s : free_symbols(g)) {
    if (std::find(samples.symbols.begin(), samples.symbols.end(), s) == samples.symbols.end())
      return {};
  }

  const std::size_t n = coordinates.size(), m = g.size();
  std::vector<Expr> outputs = g;
  for (const std::vector<Expr>& row : jacobian(g, coordinates))
    outputs.insert(outputs.end(), row.begin(), row.end());
  const Evaluator evaluator(samples.symbols, outputs);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(-spread, spread);
  for (int attempt = 0; attempt < most_attempts && samples.states.size() < wanted_states;
       ++attempt) {
    std::vector<double> x = start;
    for (double& v : x) v += any(random);
    normalize(model.quaternions, &x);
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<double> v = evaluator(x);
      Eigen::MatrixXd J(m, n), r(m, 1);
      double largest = 0;
      for (std::size_t i = 0; i < m; ++i) {
        largest = std::max(largest, std::abs(v[i]));
        r(static_cast<Eigen::Index>(i), 0) = -v[i];
        for (std::size_t j = 0; j < n; ++j)
          J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = v[m + i * n + j];
      }
      if (!std::isfinite(largest)) break;
      if (largest < on_manifold) {
        samples.states.push_back(x);
        break;
      }
      const Eigen::MatrixXd dx = solve_least_squares(J, r);
      for (std::size_t j = 0; j < n; ++j) x[j] += dx(static_cast<Eigen::Index>(j), 0);
      normalize(model.quaternions, &x);
    }
  }
  if (samples.states.size() < wanted_states) return {};
  return samples;
}

}  // namespace visviva
