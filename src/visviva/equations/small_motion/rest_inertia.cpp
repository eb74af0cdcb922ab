#include "visviva/equations/small_motion/rest_inertia.h"

#include <algorithm>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/small_motion/motion_residual.h"
#include "visviva/equations/small_motion/static_balance.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// K0: the kinetic energy at these speeds.
Expr make_rest_energy(const Kinematics& motion, Substitution* at_rest) {
  const ModelData& model = motion.model();
  Expr K = model.pool->zero();
  const Expr half = model.pool->rational(1, 2);
  for (const BodyData& b : model.bodies) {
    const Vector v = motion.velocity(Point(model, b.point));
    Column3 v_N = v.in(Frame(model, 0));
    for (Expr& e : v_N) e = (*at_rest)(e);
    K += half * b.mass * dot(v_N, v_N);
    if (b.frame < 0) continue;
    const Frame B(model, b.frame);
    Column3 w_B = motion.angular_velocity(B).in(B);
    for (Expr& e : w_B) e = (*at_rest)(e);
    K += half * dot(w_B, b.inertia * w_B);
  }
  return K;
}

// Here and, to first order, beside.
bool vanishes(const Expr& e, const ModelData& model, const StartState& state) {
  if (e.is_zero()) return true;
  if (state.value(e) != 0) return false;
  return std::all_of(
      model.coordinates.begin(), model.coordinates.end(),
      [&](const CoordinateData& c) { return state.value(differentiate(e, c.q)) == 0; });
}

// Derivatives of specified functions that are zero, such as the angular acceleration of what turns
// evenly.
Replacements list_zero_rates(const ModelData& model, const StartState& state) {
  Replacements zero;
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 1; k < s.derivatives.size(); ++k) {
      if (state.value(s.derivatives[k]) == 0)
        zero.emplace_back(s.derivatives[k], model.pool->zero());
    }
  }
  return zero;
}

}  // namespace

RestInertia classify_rest_inertia(const Equations& equations, const StartState& state) {
  const Workspace work(equations.pool());
  const Kinematics& motion = equations.motion;
  const ModelData& model = motion.model();
  const std::vector<Speed>& speeds = motion.speeds();
  const std::vector<Expr> rest = make_rest_speeds(motion);
  Tangent rate(*model.pool, make_time_rates(model));
  Replacements replacements;
  for (std::size_t r = 0; r < speeds.size(); ++r) replacements.emplace_back(speeds[r].u, rest[r]);
  Substitution at_rest(*model.pool, replacements);

  std::vector<Expr> inertia = equations.forcing;
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> F = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < inertia.size(); ++r) inertia[r] -= F[r];
  }
  for (std::size_t r = 0; r < inertia.size(); ++r) {
    for (std::size_t s = 0; s < speeds.size(); ++s)
      inertia[r] -= equations.mass_matrix[r][s] * rate(rest[s]);
    inertia[r] = at_rest(inertia[r]);
  }
  if (std::all_of(inertia.begin(), inertia.end(),
                  [&](const Expr& e) { return vanishes(e, model, state); }))
    return RestInertia::none;

  const Expr K0 = make_rest_energy(motion, &at_rest);
  std::vector<Expr> slopes(inertia.size(), model.pool->zero());
  for (const CoordinateData& c : model.coordinates) {
    const Expr slope = differentiate(K0, c.q);
    for (const auto& [r, y] : motion.rate_of(c.q).coefficients) slopes[r] += slope * y;
  }
  Substitution even(*model.pool, list_zero_rates(model, state));
  for (std::size_t r = 0; r < inertia.size(); ++r) {
    if (!(even(inertia[r]) == even(slopes[r]))) return RestInertia::other;
  }
  return RestInertia::centrifugal;
}

}  // namespace visviva
