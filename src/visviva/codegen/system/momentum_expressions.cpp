#include "visviva/codegen/system/momentum_expressions.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

bool has_unknown_forces(const RunExpressions& system) {
  for (const std::vector<Expr>& line : system.unknown_forces) {
    if (std::any_of(line.begin(), line.end(), [](const Expr& e) { return !e.is_zero(); }))
      return true;
  }
  return false;
}

// Nothing when (1) and (2) hold.
std::optional<NoMomenta> find_obstacle(const RunExpressions& s) {
  using Kind = NoMomenta::Kind;
  if (!s.rows.empty()) return NoMomenta{Kind::constrained};
  if (has_unknown_forces(s)) return NoMomenta{Kind::unknown_force};
  const std::size_t n = s.speed_rates.size();
  if (s.configuration_count != n) return NoMomenta{Kind::counts_differ, s.configuration_count, n};
  for (std::size_t i = 0; i < n; ++i) {
    if (s.configuration_rates[i].ref() != s.state[n + i].ref())
      return NoMomenta{Kind::speed_is_not_rate, n, n, s.state_names[i], s.state_names[n + i]};
  }
  return {};
}

}  // namespace

std::vector<Expr> sum_active_forces(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  std::vector<Expr> forces(motion.speeds().size(), motion.model().pool->zero());
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> F = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < F.size(); ++r) forces[r] += F[r];
  }
  return forces;
}

MomentumExpressions make_momentum_expressions(RunExpressions* system, const Expr& K,
                                              const std::vector<Expr>& forces) {
  MomentumExpressions m;
  m.obstacle = find_obstacle(*system);
  if (m.obstacle) return m;
  const std::size_t n = forces.size();
  const std::vector<Expr> slopes = gradient(system->put(K), system->state);
  m.values.assign(slopes.begin() + to_int(n), slopes.end());  // (1)
  for (std::size_t r = 0; r < n; ++r)
    m.values.push_back(slopes[r] + system->put(forces[r]));  // (2)
  const std::vector<std::vector<Expr>> by_state = jacobian(m.values, system->state);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    for (std::size_t j = 0; j < 2 * n; ++j) {
      if (by_state[i][j].is_zero()) continue;
      m.places.push_back({to_int(m.entries.size()), to_int(i), to_int(j), 1.0});
      m.entries.push_back(by_state[i][j]);
    }
  }
  return m;
}

}  // namespace visviva
