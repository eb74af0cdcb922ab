#include "visviva/report/plot/plot_outputs.h"

#include <algorithm>

#include "visviva/base/result_table.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/model/motor_dimension.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// A u + c of one row.
Expr velocity_residual(const ConstraintRow& row, const Kinematics& motion) {
  Expr sum = row.velocity.remainder;
  for (const auto& [speed, coefficient] : row.velocity.coefficients)
    sum += coefficient * motion.speeds()[static_cast<std::size_t>(speed)].u;
  return sum;
}

// What moves without the speeds: of bodies, of places where loads act, of constraints.
std::vector<Expr> list_prescribed(const Equations& equations, const std::vector<Load>& loads) {
  const Kinematics& motion = equations.motion;
  const std::vector<Point> points = motion.points();
  const std::vector<Frame> frames = motion.frames();
  std::vector<Expr> all;
  const auto add = [&](const VectorMotion& v) {
    all.insert(all.end(), v.remainder.begin(), v.remainder.end());
  };
  for (const BodyData& body : motion.model().bodies) {
    add(motion.point_motion(points[std::size_t(body.point)]));
    if (body.frame >= 0) add(motion.angular_motion(frames[std::size_t(body.frame)]));
  }
  for (const Load& load : loads) {
    for (const auto& force : load.forces)
      add(motion.point_motion(points[std::size_t(force.first)]));
    for (const auto& torque : load.torques)
      add(motion.angular_motion(frames[std::size_t(torque.first)]));
  }
  for (const ConstraintRow& row : equations.rows) all.push_back(row.velocity.remainder);
  for (const SpeedData& s : motion.model().speeds)
    if (s.definition) all.push_back(motion.speed_definition(s.name));
  return all;
}

// A function that only a force law contains drives nothing.
bool is_motor(const SpecifiedData& s, const std::vector<Expr>& prescribed) {
  return std::any_of(prescribed.begin(), prescribed.end(), [&](const Expr& e) {
    return depends_on(e, s.derivatives[0]) || depends_on(e, s.derivatives[1]);
  });
}

std::vector<std::string> list_motors(const Equations& equations, const std::vector<Load>& loads) {
  const std::vector<Expr> prescribed = list_prescribed(equations, loads);
  std::vector<std::string> names;
  for (const SpecifiedData& s : equations.motion.model().specified)
    if (is_motor(s, prescribed)) names.push_back(motor_name(s));
  return names;
}

bool is_load(const std::string& name, const std::vector<Load>& loads) {
  return std::any_of(loads.begin(), loads.end(), [&](const Load& l) { return l.name == name; });
}

}  // namespace

std::vector<ExtraOutput> list_plot_outputs(const Equations& equations) {
  const Workspace work = Workspace::continued(*equations.pool());
  const Kinematics& motion = equations.motion;
  ExprPool& pool = work.pool();
  std::vector<ExtraOutput> all;
  for (const EnergyResult& r : energies_in_joules()) {
    const std::string name(r.name);
    const bool is_part = r.definition.empty() && r.rate.empty();
    if (is_part) all.push_back({energy_output(name), {pool.symbol(name)}});
  }
  const auto power = [&](const std::string& name) { return pool.symbol("power(" + name + ")"); };
  Expr gravity = pool.zero();
  const std::vector<Load> loads = collect_loads(motion);
  for (const Load& load : loads) {
    if (load.kind == Load::Kind::gravity)
      gravity += power(load.name);
    else
      all.push_back({power_output(load.name), {power(load.name)}});
  }
  if (!gravity.is_zero()) all.push_back({gravity_output(), {gravity}});
  for (const std::string& name : list_motors(equations, loads))
    if (!is_load(name, loads)) all.push_back({motor_output(name), {power(name)}});
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    const ConstraintRow& row = equations.rows[i];
    if (row.position) all.push_back({position_output(i), {*row.position}});
    all.push_back({velocity_output(i), {velocity_residual(row, motion)}});
  }
  return all;
}

std::vector<std::string> list_motors(const Equations& equations) {
  return list_motors(equations, collect_loads(equations.motion));
}

std::vector<std::string> list_nameless_motors(const Equations& equations) {
  const std::vector<Load> loads = collect_loads(equations.motion);
  std::vector<std::string> names = list_motors(equations, loads);
  std::erase_if(names, [&](const std::string& name) { return !is_load(name, loads); });
  return names;
}

}  // namespace visviva
