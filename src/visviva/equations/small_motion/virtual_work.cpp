#include "visviva/equations/small_motion/virtual_work.h"

#include <algorithm>
#include <limits>
#include <set>

#include "visviva/equations/constraints/embed.h"
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

bool is_still(const ConsistentStart& at) {
  return std::all_of(at.speeds.begin(), at.speeds.end(), [](double u) { return u == 0; });
}

class VirtualWorkSum {
 public:
  VirtualWorkSum(const Equations& equations, const ConsistentStart& at)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        state_(make_state(motion_, at)),
        is_still_(is_still(at)) {
    const auto found = find_speed_dependence(equations, state_);
    result_.is_compatible = found.has_value();
    if (found) {
      dependence_ = *found;
    } else {
      for (std::size_t r = 0; r < motion_.speeds().size(); ++r)
        dependence_.independent.push_back(static_cast<int>(r));
    }
  }

  VirtualMotion make() {
    add_dependent();
    add_displacements();
    add_works();
    add_sums();
    return std::move(result_);
  }

 private:
  const Speed& speed(int r) const { return motion_.speeds()[r]; }

  void add_dependent() {
    for (std::size_t d = 0; d < dependence_.dependent.size(); ++d) {
      DependentVariation variation{speed(dependence_.dependent[d]).name, {}};
      for (std::size_t i = 0; i < dependence_.independent.size(); ++i) {
        const Expr& T = dependence_.transmission[d][i];
        if (!T.is_zero())
          variation.terms.push_back(
              {speed(dependence_.independent[i]).name, T, value_of(T, state_)});
      }
      result_.dependent.push_back(std::move(variation));
    }
  }

  // ---- Displacements of what loads act on

  void add_displacements() {
    std::set<int> points, frames;
    for (const Load& load : collect_loads(motion_)) {
      for (const auto& force : load.forces) points.insert(force.first);
      for (const auto& torque : load.torques) frames.insert(torque.first);
    }
    for (const int p : points) {
      const Point P = motion_.points()[p];
      add_displacement(P.name(), false,
                       [&](int r) { return motion_.partial_velocity(P, speed(r).name); });
    }
    for (const int f : frames) {
      const Frame B = motion_.frames()[f];
      add_displacement(B.name(), true,
                       [&](int r) { return motion_.partial_angular_velocity(B, speed(r).name); });
    }
  }

  template <class Partial>
  void add_displacement(const std::string& name, bool is_rotation, const Partial& partial) {
    VirtualDisplacement displacement{name, is_rotation, {}};
    for (std::size_t i = 0; i < dependence_.independent.size(); ++i) {
      const Speed& independent = speed(dependence_.independent[i]);
      Vector v = partial(dependence_.independent[i]);
      for (std::size_t d = 0; d < dependence_.dependent.size(); ++d) {
        const Vector v_d = partial(dependence_.dependent[d]);
        const Expr& T = dependence_.transmission[d][i];
        if (v_d.is_zero() || T.is_zero()) continue;
        const Vector share =
            Quantity(T, speed(dependence_.dependent[d]).dimension / independent.dimension) * v_d;
        v = v.is_zero() ? share : v + share;
      }
      if (!v.is_zero()) displacement.terms.emplace_back(independent.name, v);
    }
    if (!displacement.terms.empty()) result_.displacements.push_back(std::move(displacement));
  }

  // ---- Work of loads

  // F_i + sum_d T_di F_d
  std::vector<Expr> reduce(const std::vector<Expr>& F) const {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < dependence_.independent.size(); ++i) {
      Expr sum = F[dependence_.independent[i]];
      for (std::size_t d = 0; d < dependence_.dependent.size(); ++d)
        sum += dependence_.transmission[d][i] * F[dependence_.dependent[d]];
      result.push_back(sum);
    }
    return result;
  }

  void add_work(const std::string& name, const std::vector<Expr>& F) {
    VirtualWork work{.load = name, .is_inertia = name.empty(), .terms = {}};
    for (std::size_t i = 0; i < F.size(); ++i) {
      if (!F[i].is_zero())
        work.terms.push_back(
            {speed(dependence_.independent[i]).name, F[i], value_of(F[i], state_)});
    }
    result_.works.push_back(std::move(work));
  }

  void add_works() {
    std::vector<Expr> inertia = equations_.forcing;
    for (const Load& load : collect_loads(motion_)) {
      const std::vector<Expr> F = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < F.size(); ++r) inertia[r] -= F[r];
      add_work(load.name, reduce(F));
    }
    // Where no speed is left at rest, what the speeds bring in is none, to the last digit.
    if (is_still_) {
      Replacements rest;
      for (const Speed& s : motion_.speeds()) rest.emplace_back(s.u, model_.pool->zero());
      Substitution at_rest(*model_.pool, rest);
      for (Expr& e : inertia) e = at_rest(e);
    }
    inertia = reduce(inertia);
    const bool is_moved = std::any_of(inertia.begin(), inertia.end(), [&](const Expr& e) {
      return !e.is_zero() && value_of(e, state_) != 0;
    });
    if (is_moved) add_work("", inertia);
  }

  void add_sums() {
    for (const int r : dependence_.independent) {
      double sum = 0.0;
      for (const VirtualWork& work : result_.works) {
        for (const VirtualWork::Term& t : work.terms)
          sum += t.speed == speed(r).name ? t.value : 0.0;
      }
      result_.sums.emplace_back(speed(r).name, sum);
    }
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  StartState state_;
  bool is_still_;
  SpeedDependence dependence_;
  VirtualMotion result_;
};

}  // namespace

VirtualMotion analyze_virtual_work(const Equations& equations, const ConsistentStart& at) {
  const Workspace opened = Workspace::continued(*equations.pool());
  return VirtualWorkSum(equations, at).make();
}

}  // namespace visviva
