#include "visviva/equations/evaluation/evaluation.h"

#include "visviva/equations/energy/velocity_split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "visviva/base/result_table.h"
#include "visviva/base/unit.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_solver.h"
#include "visviva/equations/interactions/interactions.h"
#include "visviva/equations/state/solve.h"
#include "visviva/model/output_unit.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double not_determined = std::numeric_limits<double>::quiet_NaN();

class StateEvaluator {
 public:
  StateEvaluator(const Kinematics& motion, const ConsistentStart& at)
      : motion_(motion), model_(motion_.model()), state_(make_state(motion_, at)) {}

  Evaluation evaluate(const Equations& equations) {
    Evaluation result;
    add_state(&result);
    const SolvedMotion solved = MotionSolver(equations)(state_);
    require_unknowns_determined(equations, solved);
    learn(equations, solved);
    add_accelerations(&result);
    add_forces(equations, solved, &result);
    if (solved.is_consistent) add_reactions(equations, solved, &result);
    add_energies(equations, &result);
    add_outputs(&result);
    return result;
  }

 private:
  void set(const Expr& symbol, double value) {
    state_.symbols.push_back(symbol);
    state_.values.push_back(value);
    state_.known[symbol] = value;
  }

  // What an expression is worth; not determined when it contains something that is not.
  double value(const Expr& e) const {
    for (const Expr& s : free_symbols(e)) {
      if (!state_.known.contains(s)) return not_determined;
    }
    return state_.value(e);
  }

  Quantity rate_of(const CoordinateData& c) const {
    return motion_.rate(Quantity(c.q, c.dimension));
  }

  void add_state(Evaluation* result) const {
    const auto add = [&](const std::string& name, double v, const Dimension& d) {
      result->state.push_back({name, {v}, false, print_dimension(d)});
    };
    add("t", 0.0, Dimension::of(Dimension::time));
    for (const CoordinateData& c : model_.coordinates) add(c.name, value(c.q), c.dimension);
    for (const CoordinateData& c : model_.coordinates) {
      const Quantity rate = rate_of(c);
      add(c.name + "'", value(rate.expr(*model_.pool)), rate.dimension());
    }
    for (const Speed& s : motion_.speeds()) {
      if (s.coordinate < 0) add(s.name, value(s.u), s.dimension);
    }
    for (const StateData& s : model_.states) add(s.name, value(s.symbol), s.dimension);
  }

  // From here on accelerations and forces are known symbols.
  void learn(const Equations& equations, const SolvedMotion& solved) {
    for (std::size_t r = 0; r < motion_.speeds().size(); ++r) {
      if (solved.is_consistent && solved.is_rate_determined[r])
        set(motion_.speeds()[r].rate, solved.speed_rates[r]);
    }
    for (std::size_t i = 0; i < equations.unknowns.size(); ++i) {
      if (solved.is_consistent) set(equations.unknowns[i], solved.unknowns[i]);
    }
  }

  void add_accelerations(Evaluation* result) const {
    const Dimension second = Dimension::of(Dimension::time);
    for (const Speed& s : motion_.speeds())
      result->speed_rates.push_back(
          {s.name, {value(s.rate)}, false, print_dimension(s.dimension / second)});
    for (const StateData& s : model_.states) {
      if (s.is_held) continue;
      result->state_rates.push_back({s.name + "'",
                                     {value(state_rate(motion_, s))},
                                     false,
                                     print_dimension(s.dimension / second)});
    }
    for (const CoordinateData& c : model_.coordinates) {
      const Quantity rate = motion_.time_derivative(rate_of(c));
      result->accelerations.push_back({{c.name + "''",
                                        {value(rate.expr(*model_.pool))},
                                        false,
                                        print_dimension(rate.dimension())}});
    }
    for (const Speed& s : motion_.speeds()) {
      if (s.coordinate >= 0) result->accelerations[s.coordinate].has_own_speed = true;
    }
  }

  void add_forces(const Equations& equations, const SolvedMotion& solved,
                  Evaluation* result) const {
    for (std::size_t i = 0; i < equations.unknowns.size(); ++i) {
      const UnknownData& u = model_.unknowns[model_.role(equations.unknowns[i])->index];
      result->unknowns.push_back({u.name, {value(u.symbol)}, false, print_dimension(u.dimension)});
    }
    // Rows of one constraint stand together, one number for each.
    for (std::size_t i = 0; i < equations.rows.size(); ++i) {
      const ConstraintData& c = model_.constraints[equations.rows[i].constraint];
      const bool known = solved.is_consistent && solved.is_multiplier_determined[i];
      if (result->multipliers.empty() || result->multipliers.back().name != c.name)
        result->multipliers.push_back({c.name, {}, c.vector.model() != nullptr});
      result->multipliers.back().numbers.push_back(known ? solved.multipliers[i] : not_determined);
    }
    for (EvaluatedValue& v : result->multipliers) v.is_list = v.is_list || v.numbers.size() > 1;
  }

  // Outputs such as reaction(ball) and power(x) stand in expressions as symbols of these names.
  void add_reactions(const Equations& equations, const SolvedMotion& solved, Evaluation* result) {
    result->forces = ReactionSolver(equations)(state_, solved);
    for (const auto& [name, number] : name_results(result->forces)) learn(name, number);
    learn_actions(equations);
  }

  // force(X, B), moment(X, B), as far as outputs ask for them.
  void learn_actions(const Equations& equations) {
    std::set<std::string> wanted;
    for (const OutputData& o : model_.outputs) {
      std::vector<Expr> all = {o.scalar};
      if (o.is_vector) {
        const Column3 c = o.vector.model() == nullptr ? zero_column(*model_.pool)
                                                      : o.vector.in(motion_.frames().front());
        all = {c[0], c[1], c[2]};
      }
      for (const Expr& symbol : free_symbols(all)) {
        const std::string& name = symbol.home().symbol_name(symbol.ref());
        const std::optional<CalledResult> called = find_result_call(name);
        if (called && called->action()) wanted.insert(name);
      }
    }
    if (wanted.empty()) return;
    const Interactions interactions = analyze_interactions(equations);
    for (const std::string& name : wanted) {
      if (const auto component = interactions.find_component(name)) learn(name, value(*component));
    }
  }

  // Outputs may use all of them. What the motion adds up from the start on is zero here.
  void add_energies(const Equations& equations, Evaluation* result) {
    learn_work();
    std::vector<LoadEnergy> loads;
    try {
      const EnergyValues e = solve_energies(equations, &loads, result);
      add_energies(e, result);
      add_load_powers(e, loads, result);
    } catch (const ModelError& error) {
      EnergyValues e = no_energies();
      e.K = compute_kinetic_energy();
      add_energies(e, result);
      for (const Diagnostic& d : error.diagnostics())
        result->remarks.push_back({EvaluationRemark::only_kinetic_energy, d.message});
    }
  }

  EnergyValues solve_energies(const Equations& equations, std::vector<LoadEnergy>* loads,
                              Evaluation* result) const {
    if (const auto energies = try_analyze_energy(equations)) {
      *loads = energies->loads;
      return EnergySolver(*energies)(state_);
    }
    // The constraints cannot be embedded: numbers alone.
    const VelocitySplit split(equations);
    const EnergyTerms formal = analyze_formal_energy(equations, split, nullptr);
    *loads = formal.loads;
    result->remarks.push_back({EvaluationRemark::constraints_not_embedded});
    return EnergySolver(equations, split, formal, choose_dependent_speeds(equations))(state_);
  }

  void add_energies(const EnergyValues& e, Evaluation* result) {
    const double Z = 0.0;  // at the start
    for (const EnergyResult& r : energy_results()) {
      const std::string name(r.name);
      const double number = compute_result(r, e, Z);
      result->energies.push_back({name, {number}, false, unit_name(r.unit)});
      learn(name, number);
    }
    if (!is_force("nonconservative") && !is_motor("nonconservative"))
      learn("power(nonconservative)", e.P_nonconservative);
  }

  bool is_force(const std::string& name) const {
    const auto has_name = [&](const auto& x) { return x.name == name; };
    return std::any_of(model_.forces.begin(), model_.forces.end(), has_name) ||
           std::any_of(model_.springs.begin(), model_.springs.end(), has_name) ||
           std::any_of(model_.energies.begin(), model_.energies.end(), has_name);
  }

  bool is_motor(const std::string& name) const {
    return std::any_of(model_.specified.begin(), model_.specified.end(),
                       [&](const SpecifiedData& s) { return s.name == name; });
  }

  // Generalized powers are those of independent speeds; gravity acts on every body, unless it is the
  // name of something else.
  void add_load_powers(const EnergyValues& e, const std::vector<LoadEnergy>& loads,
                       Evaluation* result) {
    double gravity = 0.0, generalized_gravity = 0.0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const std::string& name = loads[i].name;
      learn("generalized_power(" + name + ")", e.loads[i].generalized_power);
      result->generalized_powers[name] = e.loads[i].generalized_power;
      if (loads[i].kind != Load::Kind::gravity) continue;
      gravity += e.loads[i].power;
      generalized_gravity += e.loads[i].generalized_power;
    }
    if (is_force("gravity")) return;
    learn("generalized_power(gravity)", generalized_gravity);
    if (!is_motor("gravity")) learn("power(gravity)", gravity);
  }

  static EnergyValues no_energies() {
    EnergyValues e{};
    for (double* x : {&e.K0, &e.K1, &e.K2, &e.U, &e.sigma, &e.sigma_R, &e.P_nonconservative})
      *x = not_determined;
    return e;
  }

  // 1/2 sum m v·v + w·I·w
  double compute_kinetic_energy() const {
    std::vector<Expr> u;
    for (const Speed& s : motion_.speeds()) u.push_back(s.u);
    double twice = 0.0;
    for (const BodyData& b : model_.bodies) {
      const Column3 v = total(motion_.point_motion(Point(model_, b.point)), u);
      twice += value(b.mass * dot(v, v));
      if (b.frame < 0) continue;
      const Column3 w = total(motion_.body_motion(Frame(model_, b.frame)), u);
      twice += value(dot(w, b.inertia * w));
    }
    return twice / 2;
  }

  // work(F), generalized_work(F), work(nonconservative), action(): zero here.
  void learn_work() {
    for (const OutputData& o : model_.outputs) {
      if (o.is_vector) continue;
      for (const Expr& symbol : free_symbols(o.scalar)) {
        const std::string name = symbol.home().symbol_name(symbol.ref());
        const std::optional<CalledResult> called = find_result_call(name);
        if (called && called->is_integral()) learn(name, 0.0);
      }
    }
  }

  // A result symbol by name; one that is not determined stays unknown.
  void learn(const std::string& name, double number) {
    const Expr symbol = model_.pool->symbol(name);
    state_.known.erase(symbol);
    if (std::isfinite(number)) set(symbol, number);
  }

  bool has_speed(const std::string& name) const {
    const std::vector<Speed>& speeds = motion_.speeds();
    return std::any_of(speeds.begin(), speeds.end(),
                       [&](const Speed& s) { return s.name == name; });
  }

  void add_outputs(Evaluation* result) const {
    const Frame N = motion_.frames().front();
    for (const OutputData& o : model_.outputs) {
      bool listed = false;
      for (const EvaluatedValue& v : result->outputs) listed = listed || v.name == o.name;
      if (listed) continue;  // `plot` and `output` may name the same thing
      if (!o.speed.empty() && !has_speed(o.speed)) continue;
      EvaluatedValue v{o.name, {}, o.is_vector, unit_of(o)};
      if (o.is_vector) {
        const Column3 c = o.vector.model() == nullptr ? zero_column(*model_.pool)
                                                      : motion_.resolve(o.vector).in(N);
        for (const Expr& e : c) v.numbers.push_back(value(e));
      } else {
        v.numbers.push_back(
            value(motion_.resolve(Quantity(o.scalar, o.dimension)).expr(*model_.pool)));
      }
      result->outputs.push_back(std::move(v));
    }
  }

  const Kinematics& motion_;
  const ModelData& model_;
  StartState state_;
};

}  // namespace

Evaluation evaluate_state(const Equations& equations, const ConsistentStart& at) {
  const Workspace work(equations.pool());
  return StateEvaluator(equations.motion, at).evaluate(equations);
}

}  // namespace visviva
