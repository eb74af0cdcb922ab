#include "visviva/equations/small_motion/virtual_work.h"

#include <algorithm>
#include <limits>
#include <set>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// NaN when the expression holds an unknown force.
double value_of(const Expr& e, const StartState& state) {
  for (const Expr& s : free_symbols(e)) {
    if (!state.known.contains(s)) return std::numeric_limits<double>::quiet_NaN();
  }
  return state.value(e);
}

}  // namespace

std::vector<VirtualWork> compute_virtual_work(const Equations& equations,
                                              const ConsistentStart& at_state) {
  const Workspace opened = Workspace::continued(*equations.pool());
  const Kinematics& motion = equations.motion;
  const StartState state = make_state(motion, at_state);
  std::vector<VirtualWork> works;
  std::vector<Expr> inertia = equations.forcing;
  const auto add = [&](const std::string& name, const std::vector<Expr>& F) {
    VirtualWork work{.load = name, .is_inertia = name.empty(), .terms = {}};
    for (std::size_t r = 0; r < F.size(); ++r) {
      if (!F[r].is_zero())
        work.terms.push_back({motion.speeds()[r].name, F[r], value_of(F[r], state)});
    }
    works.push_back(std::move(work));
  };
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> F = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < F.size(); ++r) inertia[r] -= F[r];
    add(load.name, F);
  }
  // Where no speed is left at rest, what the speeds bring in is none, to the last digit.
  const bool is_still =
      std::all_of(at_state.speeds.begin(), at_state.speeds.end(), [](double u) { return u == 0; });
  if (is_still) {
    Replacements rest;
    for (const Speed& s : motion.speeds()) rest.emplace_back(s.u, motion.model().pool->zero());
    Substitution at_rest(*motion.model().pool, rest);
    for (Expr& e : inertia) e = at_rest(e);
  }
  const bool is_moved = std::any_of(inertia.begin(), inertia.end(), [&](const Expr& e) {
    return !e.is_zero() && value_of(e, state) != 0;
  });
  if (is_moved) add("", inertia);
  return works;
}

std::vector<VirtualDisplacement> compute_virtual_displacements(const Equations& equations) {
  const Workspace opened = Workspace::continued(*equations.pool());
  const Kinematics& motion = equations.motion;
  std::set<int> points, frames;
  for (const Load& load : collect_loads(motion)) {
    for (const auto& force : load.forces) points.insert(force.first);
    for (const auto& torque : load.torques) frames.insert(torque.first);
  }
  std::vector<VirtualDisplacement> result;
  const auto add = [&](const std::string& name, bool is_rotation, const auto& partial) {
    VirtualDisplacement d{name, is_rotation, {}};
    for (const Speed& s : motion.speeds()) {
      const Vector v = partial(s.name);
      if (!v.is_zero()) d.terms.emplace_back(s.name, v);
    }
    if (!d.terms.empty()) result.push_back(std::move(d));
  };
  for (const int p : points) {
    const Point P = motion.points()[p];
    add(P.name(), false,
        [&](const std::string& speed) { return motion.partial_velocity(P, speed); });
  }
  for (const int f : frames) {
    const Frame B = motion.frames()[f];
    add(B.name(), true,
        [&](const std::string& speed) { return motion.partial_angular_velocity(B, speed); });
  }
  return result;
}

}  // namespace visviva
