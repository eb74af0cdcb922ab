#include "visviva/equations/evaluation/state_matrices.h"

#include <map>

#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// The equations of the independent speeds; without constraints those of all.
struct IndependentEquations {
  std::vector<int> speeds;
  std::vector<std::vector<Expr>> mass_matrix;
  std::vector<Expr> forcing;
  std::shared_ptr<ExprPool> pool;
};

Result<IndependentEquations, NotEmbedded> take_independent(const Equations& equations) {
  if (equations.rows.empty()) {
    IndependentEquations all{{}, equations.mass_matrix, equations.forcing, equations.pool()};
    for (std::size_t r = 0; r < equations.forcing.size(); ++r)
      all.speeds.push_back(static_cast<int>(r));
    return all;
  }
  const auto embedded = try_embed_constraints(equations);
  if (!embedded) return embedded.why();
  return IndependentEquations{embedded->independent, embedded->mass_matrix, embedded->forcing,
                              embedded->pool};
}

std::vector<std::vector<double>> evaluate_rows(const std::vector<std::vector<Expr>>& rows,
                                               const StartState& state) {
  std::vector<Expr> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  const std::vector<double> numbers = Evaluator(state.symbols, all)(state.values);
  std::vector<std::vector<double>> result;
  auto next = numbers.begin();
  for (const auto& row : rows) {
    const auto end = next + static_cast<std::ptrdiff_t>(row.size());
    result.emplace_back(next, end);
    next = end;
  }
  return result;
}

}  // namespace

Result<StateMatrices, NotEmbedded> compute_matrices(const Equations& equations,
                                                    const ConsistentStart& at) {
  const auto independent = take_independent(equations);
  if (!independent) return independent.why();
  const StartState state = make_state(equations.motion, at);
  StateMatrices result;
  for (const int r : independent->speeds)
    result.speeds.push_back(equations.motion.speeds()[static_cast<std::size_t>(r)].name);
  result.mass_matrix = evaluate_rows(independent->mass_matrix, state);
  return result;
}

std::vector<PointJacobian> compute_jacobians(const Equations& equations,
                                             const ConsistentStart& at) {
  const Workspace work(equations.pool());
  const Kinematics& motion = equations.motion;
  const ModelData& model = motion.model();
  const Frame N = motion.frames().front();
  const std::size_t speeds = motion.speeds().size();

  // All at once, since they share most of their parts: coefficients in their own frames, and the axes of those.
  std::vector<VectorMotion> velocities;
  std::vector<std::vector<Expr>> rows;
  std::map<int, std::size_t> axes;  // rows of a frame's x, y, z in N
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    velocities.push_back(motion.point_motion(Point(model, static_cast<int>(p))));
    std::vector<Expr> row;
    for (const auto& [speed, column] : velocities.back().coefficients)
      row.insert(row.end(), column.begin(), column.end());
    rows.push_back(std::move(row));
  }
  for (const VectorMotion& v : velocities) {
    if (!axes.emplace(v.frame, rows.size()).second) continue;
    const Frame F(model, v.frame);
    for (const Vector& axis : {F.x(), F.y(), F.z()}) {
      const Column3 c = axis.in(N);
      rows.push_back({c[0], c[1], c[2]});
    }
  }
  const auto numbers = evaluate_rows(rows, make_state(motion, at));

  std::vector<PointJacobian> result;
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    const std::size_t R = axes.at(velocities[p].frame);
    PointJacobian J{model.points[p].name, {}};
    J.rows.fill(std::vector<double>(speeds, 0.0));
    for (std::size_t k = 0; k < velocities[p].coefficients.size(); ++k) {
      const auto speed = static_cast<std::size_t>(velocities[p].coefficients[k].first);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          J.rows[i][speed] += numbers[R + j][i] * numbers[p][3 * k + j];
    }
    result.push_back(std::move(J));
  }
  return result;
}

Result<std::vector<double>, NotEmbedded> compute_inverse(const Equations& equations,
                                                         const ConsistentStart& at,
                                                         const std::vector<double>& speed_rates) {
  if (!equations.unknowns.empty())
    throw ModelError({{Severity::error,
                       "E-unknown-remains",
                       "accelerations do not tell unknown forces from those that they ask for",
                       "give the unknown forces values, or leave them out",
                       {}}});
  const auto independent = take_independent(equations);
  if (!independent) return independent.why();
  std::vector<std::vector<Expr>> rows = independent->mass_matrix;
  rows.push_back(independent->forcing);
  const auto numbers = evaluate_rows(rows, make_state(equations.motion, at));
  std::vector<double> forces;
  for (std::size_t r = 0; r < speed_rates.size(); ++r) {
    double force = -numbers.back()[r];
    for (std::size_t s = 0; s < speed_rates.size(); ++s) force += numbers[r][s] * speed_rates[s];
    forces.push_back(force);  // (1)
  }
  return forces;
}

}  // namespace visviva
