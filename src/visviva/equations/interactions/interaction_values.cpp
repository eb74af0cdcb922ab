#include "visviva/equations/interactions/interaction_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double term_rounding = 1e-9;  // of the terms of a sum: of numbers that are solved for

class InteractionEvaluator {
 public:
  InteractionEvaluator(const Interactions& interactions, const ConsistentStart& at)
      : interactions_(interactions),
        motion_(interactions.equations().motion),
        model_(motion_.model()),
        state_(make_state(motion_, at)),
        has_values_(at.missing.empty()),
        surface_(interactions.equations(), state_, has_values_) {
    if (!has_values_) return;
    const Equations& equations = interactions.equations();
    const SolvedMotion solved = MotionSolver(equations)(state_);
    require_unknowns_determined(equations, solved);
    if (!solved.is_consistent) return;
    const Reactions reactions = ReactionSolver(equations)(state_, solved);
    state_ = add_solution(equations, state_, solved);
    for (const auto& [name, number] : name_results(reactions)) {
      const Expr symbol = model_.pool->symbol(name);
      state_.symbols.push_back(symbol);
      state_.values.push_back(number);
      state_.known[symbol] = number;
    }
  }

  InteractionValues evaluate(const Interaction& i) {
    for (const Expr& s : i.open) state_.known.erase(s);
    InteractionValues values;
    for (const PartAction& a : i.actions) {
      values.on.push_back({a.part, numbers(a.force), numbers(a.moment)});
      const double power = power_on(a);
      values.power += power;
      values.power_error += term_rounding * std::abs(power);
    }
    // Whatever its multipliers are, (21) in O'Reilly & Srinivasa 2002; what it gives explicitly has the rest.
    if (i.is_constraint() && i.is_placed && i.time.explicit_power.is_zero() &&
        !std::isfinite(values.power))
      values.power = 0;
    values.alone = add_up(i, values.on, i.alone, false);
    values.with_ground = add_up(i, values.on, i.with_ground, true);
    for (const DrivenShare& share : i.time.shares) values.shares.push_back(value(share.power));
    values.explicit_power = value(i.time.explicit_power);
    values.time_power = value(i.time.power);
    return values;
  }

 private:
  double value(const Expr& e) const {
    for (const Expr& s : free_symbols(e)) {
      if (!has_values_ || !state_.known.contains(s))
        return std::numeric_limits<double>::quiet_NaN();
    }
    return state_.value(e);
  }

  std::array<double, 3> numbers(const Vector& v) const {
    if (v.model() == nullptr) return {};
    const Column3 c = motion_.resolve(v).in(Frame(model_, 0));
    return {value(c[0]), value(c[1]), value(c[2])};
  }

  double power_on(const PartAction& a) const {
    const Part& part = interactions_.part(a.part);
    const Vector v = motion_.velocity(Point(model_, part.point));
    double power = value(dot(a.force, Vector(model_, v.parts(), Dimension())).expr(*model_.pool));
    if (part.takes_moments()) {
      const Vector w = motion_.angular_velocity(Frame(model_, part.frame));
      power += value(dot(a.moment, Vector(model_, w.parts(), Dimension())).expr(*model_.pool));
    }
    return power;
  }

  // O'Reilly & Srinivasa 2002 (24): moments about the last part's point.
  SumValues add_up(const Interaction& i, const std::vector<PartValues>& on,
                   const Invariance& invariance, bool counts_ground) {
    SumValues sum;
    int last = -1;
    for (const PartValues& v : on) {
      if (counts_ground || !interactions_.part(v.part).is_ground()) last = v.part;
    }
    if (last < 0) {
      decide(i, invariance, &sum);
      return sum;
    }
    const std::array<double, 3> center = place(last);
    for (const PartValues& v : on) {
      if (!counts_ground && interactions_.part(v.part).is_ground()) continue;
      const std::array<double, 3> x = place(v.part);
      const double r[3] = {x[0] - center[0], x[1] - center[1], x[2] - center[2]};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
        const double one = times(r[l], v.force[m]), other = times(r[m], v.force[l]);
        sum.force[k] += v.force[k];
        sum.moment[k] += v.moment[k] + one - other;
        sum.force_error += term_rounding * std::abs(v.force[k]);
        sum.moment_error +=
            term_rounding * (std::abs(v.moment[k]) + std::abs(one) + std::abs(other));
      }
    }
    decide(i, invariance, &sum);
    return sum;
  }

  // By this state, which is on the constraints; by proof; by other states.
  void decide(const Interaction& i, const Invariance& invariance, SumValues* sum) {
    if (!i.is_placed) return;
    const auto exceeds = [](const std::array<double, 3>& v, double error) {
      return std::any_of(v.begin(), v.end(), [&](double x) { return std::abs(x) > error; });
    };
    const bool is_zero = invariance.force.is_zero() && invariance.moment.is_zero();
    if (!is_zero &&
        (exceeds(sum->force, sum->force_error) || exceeds(sum->moment, sum->moment_error))) {
      sum->holds = Decision::no;
      return;
    }
    const SurfaceVerdict found = surface_.examine(list_questions(i, invariance));
    sum->holds = found.vanishes;
    sum->ground = found.ground;
  }

  std::vector<SurfaceQuestion> list_questions(const Interaction& i,
                                              const Invariance& invariance) const {
    std::vector<SurfaceQuestion> questions;
    for (const Vector* v : {&invariance.force, &invariance.moment}) {
      if (v->model() == nullptr) continue;
      for (const Expr& e : motion_.resolve(*v).in(Frame(model_, 0))) questions.push_back({e});
    }
    const bool is_scalar = i.kind == Interaction::Kind::constraint &&
                           model_.constraints[static_cast<std::size_t>(i.index)].scalar.valid();
    for (std::size_t k = 0; is_scalar && k < questions.size(); ++k) {
      questions[k].multiplier = model_.pool->symbol("multiplier(" + i.name + ")");
      if (k < invariance.displaced.size()) questions[k].displaced = invariance.displaced[k];
    }
    return questions;
  }

  // No arm has no moment, whatever the force that is not determined.
  static double times(double arm, double force) { return arm == 0 ? 0.0 : arm * force; }

  std::array<double, 3> place(int part) const {
    return numbers(Point(model_, interactions_.part(part).point) - Point(model_, 0));
  }

  const Interactions& interactions_;
  const Kinematics& motion_;
  const ModelData& model_;
  StartState state_;
  bool has_values_;  // false: parameters have none, nor have forces
  ConstraintSurface surface_;
};

}  // namespace

std::vector<InteractionValues> evaluate_interactions(const Interactions& interactions,
                                                     const ConsistentStart& at) {
  const Workspace work(interactions.pool());
  InteractionEvaluator evaluator(interactions, at);
  std::vector<InteractionValues> all;
  for (const Interaction& i : interactions.list()) all.push_back(evaluator.evaluate(i));
  return all;
}

}  // namespace visviva
