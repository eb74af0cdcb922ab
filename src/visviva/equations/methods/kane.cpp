#include "visviva/equations/methods/kane.h"

#include "visviva/equations/methods/auxiliary.h"
#include "visviva/equations/methods/equation_rows.h"
#include "visviva/equations/methods/tree_dynamics.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
Equations derive_kane(const Kinematics& motion) {
  const ModelData& model = motion.model();
  Equations equations{motion, Method::kane, {}, {}, {}, {}, {}, {}};
  const TreeDynamics tree(motion);
  equations.mass_matrix = tree.compute_mass_matrix();

  // Gravity is an acceleration of the ground upward.
  Wrenches wrenches = tree.no_wrenches();
  std::optional<Vector> field;
  if (model.gravity) field = motion.resolve(*model.gravity);
  tree.add_inertia_forces(&wrenches, field ? &*field : nullptr);  // (2)
  const std::vector<Load> loads = collect_loads(motion);
  for (const Load& load : loads) {  // (1)
    if (load.kind == Load::Kind::gravity) continue;
    for (const auto& [point, force] : load.forces) tree.add_force(&wrenches, point, force);
    for (const auto& [frame, torque] : load.torques) tree.add_torque(&wrenches, frame, torque);
  }
  tree.gather(&wrenches);
  equations.forcing = tree.project(wrenches);  // (3)
  for (const Load& load : loads) {
    for (const auto& [r, force] : load.generalized) equations.forcing[r] += force;
  }
  add_constraint_rows(&equations);
  add_auxiliary_equations(&equations, loads);
  add_unknowns(&equations);
  return equations;
}

BodyInertia compute_body_inertia(const Kinematics& motion, int index) {
  const Workspace work = Workspace::continued(*motion.pool());
  const ModelData& model = motion.model();
  ExprPool& pool = *model.pool;
  MotionEngine& engine = engine_of(motion);
  const BodyData& body = model.bodies[index];
  const std::size_t n = motion.speeds().size();
  BodyInertia result{
      index, {n, std::vector<Expr>(n, pool.zero())}, std::vector<Expr>(n, pool.zero())};

  const VectorMotion& v = engine.velocity(body.point);
  const int home = model.points[body.point].home_frame;
  Column3 a = engine.acceleration_remainder(body.point);
  if (v.frame != home) a = model.rotation(v.frame, home) * a;
  for (const auto& [r, v_r] : v.coefficients) {
    for (const auto& [s, v_s] : v.coefficients)
      result.mass_matrix[r][s] += body.mass * dot(v_r, v_s);
    result.forces[r] -= body.mass * dot(v_r, a);
  }
  if (body.frame < 0) return result;
  const VectorMotion& w = engine.angular_velocity_in_frame(body.frame);
  const Column3& spin = engine.spin(body.frame);
  const Column3 torque = body.inertia * engine.angular_acceleration_remainder(body.frame) +
                         cross(spin, body.inertia * spin);
  for (const auto& [r, w_r] : w.coefficients) {
    const Column3 I_w_r = body.inertia * w_r;
    for (const auto& [s, w_s] : w.coefficients) result.mass_matrix[r][s] += dot(I_w_r, w_s);
    result.forces[r] -= dot(w_r, torque);
  }
  return result;
}

}  // namespace visviva
