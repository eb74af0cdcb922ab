#include "visviva/equations/energy/action_variation.h"

#include <algorithm>
#include <optional>

#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Obstacle = NoVariation::Kind;

std::optional<NoVariation> find_obstacle(const Equations& equations) {
  const ModelData& model = equations.motion.model();
  if (model.variations.empty()) return NoVariation{Obstacle::none_given, ""};
  for (const ConstraintRow& row : equations.rows) {
    if (!row.position)
      return NoVariation{Obstacle::motion_constraint, model.constraints[row.constraint].name};
  }
  for (const VariationData& v : model.variations) {
    for (const CoordinateData& c : model.coordinates)
      if (c.name == v.name && c.quaternion >= 0) return NoVariation{Obstacle::quaternion, v.name};
  }
  // A hidden angle about a fixed axis keeps its path where its rate does; a hidden orientation does not.
  for (const FrameData& f : model.frames)
    if (f.hidden.size() > 1) return NoVariation{Obstacle::spin, f.name};
  return {};
}

class ActionVariationMaker {
 public:
  explicit ActionVariationMaker(const Equations& equations)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        pool_(*model_.pool),
        along_(pool_, list_path_changes()),
        virtual_(pool_, list_virtual_speeds()) {}

  ActionVariation make() {
    ActionVariation result;
    const VelocitySplit split(equations_);
    const auto embedded = try_embed_constraints(equations_);
    const EnergyTerms energy =
        analyze_formal_energy(equations_, split, embedded ? &*embedded : nullptr);
    const Expr L = define_speeds(energy.K) - energy.V;
    const Expr first = along_(L);
    result.lagrangian = put_back(L);
    result.first = put_back(first);                                                 // (2)
    result.second = put_back(along_(first) + constraint_terms());                   // (3)
    result.work = put_back(virtual_work(energy.loads, &result.without_potential));  // (4)
    list_paths(L, &result);
    list_constraints(&result);
    return result;
  }

 private:
  // ---- Symbols: η and η' stay symbols until the end, since they do not change with e

  struct Varied {
    Expr path, rate;         // q and q', or x and x' of a specified function
    Expr eta, eta_rate;      // symbols
    Expr value, value_rate;  // what they stand for along the motion
    bool is_trial = false;
    std::string name;
  };

  std::vector<std::pair<Expr, Expr>> list_path_changes() {
    std::vector<std::pair<Expr, Expr>> changes;
    for (const VariationData& v : model_.variations) {
      Varied varied;
      varied.name = v.name;
      varied.path = v.path;
      for (const CoordinateData& c : model_.coordinates)
        if (c.name == v.name) varied.rate = c.rate;
      for (const SpecifiedData& s : model_.specified) {
        if (s.name != v.name) continue;
        varied.rate = s.derivatives[1];
        varied.is_trial = true;
      }
      varied.eta = pool_.scratch_symbol("variation of " + v.name);
      varied.eta_rate = pool_.scratch_symbol("variation of " + v.name + "'");
      const Quantity value = motion_.resolve(Quantity(v.value, v.dimension));
      varied.value = value.expr(pool_);
      varied.value_rate = motion_.time_derivative(value).expr(pool_);
      changes.emplace_back(varied.path, varied.eta);
      changes.emplace_back(varied.rate, varied.eta_rate);
      varied_.push_back(varied);
    }
    return changes;
  }

  // What the speeds are in terms of rates; default speeds are rates.
  Replacements list_definitions() const {
    Replacements definitions;
    for (const SpeedData& s : model_.speeds)
      if (s.definition) definitions.emplace_back(s.u, motion_.speed_definition(s.name));
    return definitions;
  }

  Expr define_speeds(const Expr& e) const { return substitute(e, list_definitions()); }

  // A virtual displacement moves like velocities do whose rates are η; time stands still.
  std::vector<std::pair<Expr, Expr>> list_virtual_speeds() {
    std::vector<std::pair<Expr, Expr>> rates;
    for (const Varied& v : varied_) rates.emplace_back(v.rate, v.eta);
    Tangent by_rates(pool_, rates);
    for (const auto& [u, definition] : list_definitions())
      rates.emplace_back(u, by_rates(definition));
    return rates;
  }

  Expr put_back(const Expr& e) const {
    Replacements known;
    for (const Varied& v : varied_) {
      known.emplace_back(v.eta, v.value);
      known.emplace_back(v.eta_rate, v.value_rate);
    }
    return substitute(motion_.resolve(Quantity(e, Dimension())).expr(pool_), known);
  }

  // ---- Constraints

  // The multiplier of a row, by its name in outputs.
  Expr multiplier_of(const ConstraintRow& row) const {
    const ConstraintData& c = model_.constraints[row.constraint];
    const std::string name = "multiplier(" + c.name + ")";
    if (c.scalar.valid() || c.kind == ConstraintData::Kind::lock) return pool_.symbol(name);
    const Matrix3 R = model_.rotation(0, row.frame);
    Expr sum = pool_.zero();
    for (std::size_t i = 0; i < 3; ++i)
      sum += R[i][static_cast<std::size_t>(row.component)] * pool_.symbol(name + "." + "xyz"[i]);
    return sum;
  }

  Expr constraint_terms() {
    Expr sum = pool_.zero();
    for (const ConstraintRow& row : equations_.rows) {
      const Expr bend = along_(along_(*row.position));
      if (!bend.is_zero()) sum += multiplier_of(row) * bend;
    }
    return sum;
  }

  void list_constraints(ActionVariation* result) {
    for (const ConstraintRow& row : equations_.rows) {
      const Expr slope = along_(*row.position);
      if (slope.is_zero()) continue;
      Expr size = pool_.zero();
      for (const Varied& v : varied_) {
        const Expr term = differentiate(*row.position, v.path) * v.eta;
        size += term * term;
      }
      result->constraints.push_back(
          {model_.constraints[row.constraint].name, put_back(slope), put_back(size)});
    }
  }

  void list_paths(const Expr& L, ActionVariation* result) const {
    for (const Varied& v : varied_)
      result->paths.push_back({v.name, v.value, put_back(differentiate(L, v.rate)), v.is_trial});
  }

  // ---- Loads

  // What a load does along η besides changing its potential.
  Expr virtual_work(const std::vector<LoadEnergy>& energies, std::vector<std::string>* names) {
    const std::vector<Load> loads = collect_loads(motion_);
    Expr sum = pool_.zero();
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const Expr& V = energies[i].whole_potential;
      if (is_all_potential(loads[i], V)) continue;
      const Expr rest = work_of(loads[i]) + along_(V);
      if (rest.is_zero()) continue;
      sum += rest;
      names->push_back(loads[i].name);
    }
    return sum;
  }

  static bool is_all_potential(const Load& load, const Expr& V) {
    const bool is_known = load.kind == Load::Kind::gravity || load.kind == Load::Kind::spring;
    return is_known && !V.is_zero();
  }

  Expr work_of(const Load& load) {
    if (load.kind == Load::Kind::potential) return -along_(model_.energies[load.index].value);
    if (load.kind == Load::Kind::dissipation) {
      const Expr D = model_.energies[load.index].value;
      return -virtual_(motion_.resolve(Quantity(D, Dimension())).expr(pool_));
    }
    const bool is_line = load.kind == Load::Kind::spring || load.kind == Load::Kind::damper;
    if (is_line && model_.springs[load.index].on.valid()) return work_on_scalar(load);
    const std::vector<Expr>& speeds = motion_.table().symbols;
    MotionEngine& engine = engine_of(motion_);
    const auto work = [&](const VectorMotion& v, const Vector& F) {
      Column3 moved = total(v, speeds);
      for (Expr& e : moved) e = virtual_(e);
      return dot(moved, F.in(Frame(model_, v.frame)));
    };
    Expr sum = pool_.zero();
    for (const auto& [point, F] : load.forces) sum += work(engine.velocity(point), F);
    for (const auto& [frame, T] : load.torques) sum += work(engine.angular_velocity(frame), T);
    for (const auto& [r, F] : load.generalized) sum += F * virtual_(speeds[r]);
    return sum;
  }

  Expr work_on_scalar(const Load& load) {
    const SpringData& s = model_.springs[load.index];
    const Expr pull =
        s.is_damper ? total(motion_.rate_of(s.on), motion_.table().symbols) : s.on - s.rest;
    return -s.coefficient * pull * along_(s.on);
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  std::vector<Varied> varied_;
  Tangent along_;    // by e
  Tangent virtual_;  // of velocities
};

// An unknown force that does virtual work has no value along the path.
std::optional<NoVariation> find_unknown(const ActionVariation& variation, const ModelData& model) {
  for (const Expr& s : free_symbols({variation.lagrangian, variation.work})) {
    for (const UnknownData& u : model.unknowns)
      if (u.symbol == s) return NoVariation{Obstacle::unknown_force, u.name};
  }
  return {};
}

}  // namespace

Result<ActionVariation, NoVariation> try_vary_action(const Equations& equations) {
  if (const auto obstacle = find_obstacle(equations)) return *obstacle;
  Workspace work(equations.pool());
  ActionVariation variation = ActionVariationMaker(equations).make();
  if (const auto unknown = find_unknown(variation, equations.motion.model())) return *unknown;
  variation.pool = work.finish();
  return variation;
}

}  // namespace visviva
