#include "visviva/equations/interactions/integrability_rows.h"

#include <cmath>

#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// (1); nothing where it has no value at the start.
std::optional<Expr> make_position(const RowIntegrability& row, const StartState& start) {
  if (!row.integral || !row.factor) return std::nullopt;
  const double constant = start.value(*row.integral), factor = start.value(*row.factor);
  if (!std::isfinite(constant) || !std::isfinite(factor) || factor == 0) return std::nullopt;
  return (*row.integral - constant) / *row.factor;
}

}  // namespace

Kinematics integrate_constraints(const Kinematics& motion, const Integrability& found,
                                 const ConsistentStart& start) {
  Workspace work(found.pool);
  const StartState state = make_state(motion, start);
  std::vector<IntegratedRow> rows;
  for (const ConstraintIntegrability& c : found.constraints) {
    if (is_of_configuration(motion.model().constraints[c.constraint])) continue;
    for (const RowIntegrability& row : c.rows) {
      if (const auto g = make_position(row, state))
        rows.push_back({c.constraint, row.component, *g});
    }
  }
  return motion.with_integrated_rows(std::move(rows), work.finish());
}

}  // namespace visviva
