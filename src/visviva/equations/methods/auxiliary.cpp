#include "visviva/equations/methods/auxiliary.h"

#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/equations/methods/tree_dynamics.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

class Balance {
 public:
  Balance(const Equations& equations, const std::vector<Load>& loads)
      : motion_(equations.motion),
        model_(motion_.model()),
        tree_(motion_),
        gathered_(tree_.no_wrenches()),
        loads_(place_loads(motion_, loads)) {
    tree_.add_inertia_forces(&gathered_, nullptr);
    for (const Load& load : loads_) {
      for (const auto& [point, force] : load.forces) {
        if (!is_on_ground(motion_, point)) tree_.add_force(&gathered_, point, force);
      }
      for (const auto& [frame, torque] : load.torques) tree_.add_torque(&gathered_, frame, torque);
    }
    tree_.gather(&gathered_);
    for (const ConstraintRow& row : equations.rows) places_.push_back(place_row(motion_, row));
  }

  AuxiliaryEquation make(int point, const Vector& along) const {
    ExprPool& pool = *model_.pool;
    AuxiliaryEquation result{
        -1, std::vector<Expr>(motion_.speeds().size(), pool.zero()), pool.zero(), {}};
    for (const BodyData& body : model_.bodies) {
      if (!tree_.hangs_on(body.point, point)) continue;
      const VectorMotion& v = engine_of(motion_).velocity(body.point);
      const Column3 n = along.in(Frame(model_, v.frame));
      for (const auto& [r, v_r] : v.coefficients) result.mass[r] += body.mass * dot(n, v_r);
    }
    if (const std::optional<Column3>& force = gathered_.forces[point])
      result.forcing = dot(along.in(Frame(model_, tree_.work_frame(point))), *force);
    for (const std::optional<Place>& place : places_) {
      result.is_complete &= place.has_value();
      result.rows.push_back(place ? force_beyond(*place, point, along) : pool.zero());
    }
    for (const Load& load : loads_) result.is_complete &= load.generalized.empty();
    return result;
  }

 private:
  Expr force_beyond(const Place& place, int point, const Vector& along) const {
    Expr sum = model_.pool->zero();
    for (const auto& [at_point, force] : place.forces) {
      if (tree_.hangs_on(at_point, point) && !is_on_ground(motion_, at_point))
        sum += dot(along, force).expr(*model_.pool);
    }
    return sum;
  }

  const Kinematics& motion_;
  const ModelData& model_;
  TreeDynamics tree_;
  Wrenches gathered_;
  std::vector<Load> loads_;
  std::vector<std::optional<Place>> places_;
};

}  // namespace

void add_auxiliary_equations(Equations* equations, const std::vector<Load>& loads) {
  const ModelData& model = equations->motion.model();
  equations->auxiliary.clear();
  if (model.auxiliaries.empty()) return;
  const Balance balance(*equations, loads);
  for (std::size_t i = 0; i < model.auxiliaries.size(); ++i) {
    const AuxiliaryData& a = model.auxiliaries[i];
    equations->auxiliary.push_back(balance.make(a.point, a.along));
    equations->auxiliary.back().auxiliary = static_cast<int>(i);
  }
}

AuxiliaryEquation make_balance(const Equations& equations, const std::vector<Load>& loads,
                               int point, const Vector& along) {
  return Balance(equations, loads).make(point, along);
}

}  // namespace visviva
