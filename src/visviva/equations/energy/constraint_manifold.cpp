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

Replacements solve_positions(const Equations& equations, Pivot pivot) {
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
      if (pivot == Pivot::never_zero && !slope.is_constant()) continue;
      const Replacements own = {{c->q, -substitute(g, {{c->q, pool.zero()}}) / slope}};
      for (auto& entry : solved) entry.second = substitute(entry.second, own);
      solved.push_back(own[0]);
      break;
    }
  }
  return solved;
}

namespace {

// g of the configuration constraints, locks apart, with `values` put in.
std::vector<Expr> list_positions(const Equations& equations, const Replacements& values) {
  const ModelData& model = equations.motion.model();
  Substitution put(*model.pool, values);
  std::vector<Expr> g;
  for (const ConstraintRow& row : equations.rows) {
    const bool is_lock = model.constraints[row.constraint].kind == ConstraintData::Kind::lock;
    if (row.position && !is_lock) g.push_back(put(*row.position));
  }
  return g;
}

// What samples give values to: coordinates first, then independent speeds, angles of spin frames and
// time. None where a spin frame has a quaternion, which is not kept at length 1.
std::vector<Expr> list_sampled(const Energies& energies) {
  const Kinematics& motion = energies.equations.motion;
  std::vector<Expr> symbols;
  for (const CoordinateData& c : motion.model().coordinates) symbols.push_back(c.q);
  for (const int r : energies.embedded.independent) symbols.push_back(motion.speeds()[r].u);
  for (const FrameData& f : motion.model().frames) {
    if (f.hidden.size() > 1) return {};
    symbols.insert(symbols.end(), f.hidden.begin(), f.hidden.end());
  }
  symbols.push_back(motion.model().time);
  return symbols;
}

bool are_among(const std::vector<Expr>& wanted, const std::vector<Expr>& symbols) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const Expr& s) {
    return std::find(symbols.begin(), symbols.end(), s) != symbols.end();
  });
}

// Newton's method onto g = 0, in the coordinates: the first of the symbols.
class ManifoldSearch {
 public:
  ManifoldSearch(const ModelData& model, const std::vector<Expr>& symbols,
                 const std::vector<Expr>& g)
      : model_(model),
        n_(model.coordinates.size()),
        m_(g.size()),
        evaluate_(symbols, with_slopes(model, g)) {}

  /// False when it does not get there.
  bool move(std::vector<double>* x) const {
    normalize(model_.quaternions, x);
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<double> v = evaluate_(*x);
      const auto g = Eigen::Map<const Eigen::VectorXd>(v.data(), m_);
      const double largest = g.cwiseAbs().maxCoeff();
      if (!g.allFinite()) return false;
      if (largest < on_manifold) return true;
      const Eigen::MatrixXd dx =
          solve_least_squares(Eigen::Map<const Slopes>(v.data() + m_, m_, n_), -g);
      for (std::size_t j = 0; j < n_; ++j) (*x)[j] += dx(j, 0);
      normalize(model_.quaternions, x);
    }
    return false;
  }

 private:
  using Slopes = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  static std::vector<Expr> with_slopes(const ModelData& model, const std::vector<Expr>& g) {
    std::vector<Expr> coordinates, all = g;
    for (const CoordinateData& c : model.coordinates) coordinates.push_back(c.q);
    for (const std::vector<Expr>& row : jacobian(g, coordinates))
      all.insert(all.end(), row.begin(), row.end());
    return all;
  }

  const ModelData& model_;
  std::size_t n_, m_;  // coordinates, constraints
  Evaluator evaluate_;
};

}  // namespace

StateSamples sample_constraints(const Energies& energies, const Replacements& values) {
  const Kinematics& motion = energies.equations.motion;
  const std::vector<Expr> g = list_positions(energies.equations, values);
  if (g.empty()) return {};
  StateSamples samples;
  samples.tolerance = 1e-11;  // g is at most on_manifold
  samples.symbols = list_sampled(energies);
  if (samples.symbols.empty() || !are_among(free_symbols(g), samples.symbols)) return {};

  const StartState state = make_state(motion, make_consistent_start(motion));
  std::vector<double> start;
  for (const Expr& s : samples.symbols) start.push_back(state.value(s));
  const ManifoldSearch search(motion.model(), samples.symbols, g);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(-spread, spread);
  for (int attempt = 0; attempt < most_attempts && samples.states.size() < wanted_states;
       ++attempt) {
    std::vector<double> x = start;
    for (double& v : x) v += any(random);
    if (search.move(&x)) samples.states.push_back(std::move(x));
  }
  if (samples.states.size() < wanted_states) return {};
  return samples;
}

}  // namespace visviva
