// `visviva evaluate MODEL`: accelerations, multipliers, reactions, energies and outputs at one
// state.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/equilibrium_answer.h"
#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_solver.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

constexpr double not_determined = std::numeric_limits<double>::quiet_NaN();

// A number or a list of numbers with its name; not finite means not determined.
struct Value {
  std::string name;
  std::vector<double> numbers;
  bool is_list = false;
  std::string unit{};
};

struct Evaluation {
  std::vector<Value> state, accelerations, unknowns, multipliers, energies, outputs;
  std::vector<std::string> remarks;                  // on energies
  Reactions forces;                                  // reactions, motors, powers
  std::map<std::string, double> generalized_powers;  // of loads, where energies are known
  std::vector<Value> shown_accelerations;  // for people: theta'' once, wx' under that name
};

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
    add("t", value(model_.time), Dimension::of(Dimension::time));
    for (const CoordinateData& c : model_.coordinates) add(c.name, value(c.q), c.dimension);
    for (const CoordinateData& c : model_.coordinates) {
      const Quantity rate = rate_of(c);
      add(c.name + "'", value(rate.expr(*model_.pool)), rate.dimension());
    }
    for (const Speed& s : motion_.speeds()) {
      if (s.coordinate < 0) add(s.name, value(s.u), s.dimension);
    }
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
    std::vector<bool> has_own_speed(model_.coordinates.size(), false);
    for (const Speed& s : motion_.speeds()) {
      const Value v{s.name, {value(s.rate)}, false, print_dimension(s.dimension / second)};
      result->accelerations.push_back(v);
      result->shown_accelerations.push_back(v);
      result->shown_accelerations.back().name += "'";
      if (s.coordinate >= 0) has_own_speed[s.coordinate] = true;
    }
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      const CoordinateData& c = model_.coordinates[i];
      const Quantity rate = motion_.time_derivative(rate_of(c));
      const Value v{c.name + "''",
                    {value(rate.expr(*model_.pool))},
                    false,
                    print_dimension(rate.dimension())};
      result->accelerations.push_back(v);
      if (!has_own_speed[i]) result->shown_accelerations.push_back(v);
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
    for (Value& v : result->multipliers) v.is_list = v.is_list || v.numbers.size() > 1;
  }

  // Outputs such as reaction(ball) and power(x) stand in expressions as symbols of these names.
  void add_reactions(const Equations& equations, const SolvedMotion& solved, Evaluation* result) {
    result->forces = ReactionSolver(equations)(state_, solved);
    for (const auto& [name, number] : name_results(result->forces)) learn(name, number);
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
        result->remarks.push_back("energies other than K are not given: " + d.message);
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
    result->remarks.push_back(
        "the constraints cannot be solved symbolically from here: forces that have a potential "
        "only together with them count as nonconservative");
    return EnergySolver(equations, split, formal, choose_dependent_speeds(equations))(state_);
  }

  void add_energies(const EnergyValues& e, Evaluation* result) {
    const auto add = [&](const char* name, double v, const char* unit) {
      result->energies.push_back({name, {v}, false, unit});
      learn(name, v);
    };
    const double Z = 0.0;  // at the start
    add("K", e.K, "J");
    add("K0", e.K0, "J");
    add("K1", e.K1, "J");
    add("K2", e.K2, "J");
    add("U", e.U, "J");
    add("Z", Z, "J");
    add("E_Z", e.E + Z, "J");
    add("E", e.E, "J");
    add("H", e.H, "J");
    add("C", e.C, "J");
    add("sigma", e.sigma, "W");
    add("sigma_R", e.sigma_R, "W");
    add("P_nonconservative", e.P_nonconservative, "W");
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
    for (double* x :
         {&e.K0, &e.K1, &e.K2, &e.U, &e.E, &e.H, &e.C, &e.sigma, &e.sigma_R, &e.P_nonconservative})
      *x = not_determined;
    return e;
  }

  // 1/2 sum m v·v + w·I·w
  double compute_kinetic_energy() const {
    const ModelData& model = motion_.frames().front().model();
    std::vector<Expr> u;
    for (const Speed& s : motion_.speeds()) u.push_back(s.u);
    double twice = 0.0;
    for (const BodyData& b : model_.bodies) {
      const Column3 v = total(motion_.point_motion(Point(model, b.point)), u);
      twice += value(b.mass * dot(v, v));
      if (b.frame < 0) continue;
      const Column3 w = total(motion_.body_motion(Frame(model, b.frame)), u);
      twice += value(dot(w, b.inertia * w));
    }
    return twice / 2;
  }

  // work(F), generalized_work(F), work(nonconservative), action()
  void learn_work() {
    for (const OutputData& o : model_.outputs) {
      if (o.is_vector) continue;
      for (const Expr& symbol : free_symbols(o.scalar)) {
        const std::string name = symbol.home().symbol_name(symbol.ref());
        if (name.rfind("work(", 0) == 0 || name.rfind("generalized_work(", 0) == 0 ||
            name == "action()")
          learn(name, 0.0);
      }
    }
  }

  // A result symbol by name; one that is not determined stays unknown.
  void learn(const std::string& name, double number) {
    const Expr symbol = model_.pool->symbol(name);
    state_.known.erase(symbol);
    if (std::isfinite(number)) set(symbol, number);
  }

  void add_outputs(Evaluation* result) const {
    const Frame N = motion_.frames().front();
    for (const OutputData& o : model_.outputs) {
      bool listed = false;
      for (const Value& v : result->outputs) listed = listed || v.name == o.name;
      if (listed) continue;  // `plot` and `output` may name the same thing
      Value v{o.name, {}, o.is_vector, print_dimension(o.dimension)};
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

json to_json(double number) { return std::isfinite(number) ? json(number) : json(nullptr); }

json to_json(const std::vector<Value>& values) {
  json result = json::object();
  for (const Value& v : values) {
    if (!v.is_list) {
      result[v.name] = to_json(v.numbers[0]);
      continue;
    }
    result[v.name] = json::array();
    for (const double x : v.numbers) result[v.name].push_back(to_json(x));
  }
  return result;
}

json to_json(const std::array<double, 3>& numbers, const std::array<bool, 3>& is_determined) {
  json result = json::array();
  for (std::size_t i = 0; i < 3; ++i)
    result.push_back(is_determined[i] ? to_json(numbers[i]) : json(nullptr));
  return result;
}

void add_forces(const Evaluation& e, json* j) {
  const Reactions& forces = e.forces;
  (*j)["reactions"] = json::object();
  for (const Reaction& r : forces.reactions) {
    if ((*j)["reactions"].contains(r.name)) continue;  // a constraint comes before a point
    (*j)["reactions"][r.name] = {
        {"force", to_json(r.wrench.force, r.wrench.is_force_determined)},
        {"moment", to_json(r.wrench.moment, r.wrench.is_moment_determined)},
        {"at", r.at},
        {"on", r.on}};
  }
  (*j)["motors"] = json::object();
  for (const Motor& m : forces.motors) {
    (*j)["motors"][m.name] = {{"force", m.is_determined ? to_json(m.force) : json(nullptr)},
                              {"power", m.is_determined ? to_json(m.power) : json(nullptr)}};
  }
  (*j)["powers"] = json::object();
  for (const LoadPower& p : forces.powers) {
    const auto generalized = e.generalized_powers.find(p.name);
    const bool is_known = generalized != e.generalized_powers.end();
    (*j)["powers"][p.name] = {
        {"power", to_json(p.power)},
        {"generalized_power", is_known ? to_json(generalized->second) : json(nullptr)}};
  }
}

json to_json(const Evaluation& e) {
  json j = {{"state", to_json(e.state)},
            {"accelerations", to_json(e.accelerations)},
            {"unknowns", to_json(e.unknowns)},
            {"multipliers", to_json(e.multipliers)}};
  add_forces(e, &j);
  j["energies"] = to_json(e.energies);
  j["outputs"] = to_json(e.outputs);
  return j;
}

std::string triple_text(const std::array<double, 3>& numbers,
                        const std::array<bool, 3>& is_determined) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i)
    text += (i == 0 ? "" : ", ") +
            (is_determined[i] ? number_text(numbers[i]) : std::string("not determined"));
  return "[" + text + "]";
}

void print_forces(const Reactions& forces, std::ostream& out) {
  if (!forces.reactions.empty()) out << "\nReactions\n";
  for (const Reaction& r : forces.reactions) {
    const Wrench& w = r.wrench;
    const std::string head = r.name == r.at ? "at " + r.at : r.name + " at " + r.at;
    out << fmt::format("  {}, on {}\n", head, r.on);
    out << "    force   " << triple_text(w.force, w.is_force_determined) << " N\n";
    out << "    moment  " << triple_text(w.moment, w.is_moment_determined) << " N*m\n";
  }
  if (!forces.motors.empty()) out << "\nMotors of prescribed motions\n";
  for (const Motor& m : forces.motors) {
    out << "  " << m.name << ": "
        << (m.is_determined ? fmt::format("force or torque {}, power {} W", number_text(m.force),
                                          number_text(m.power))
                            : "not determined")
        << '\n';
  }
  if (!forces.powers.empty()) out << "\nPowers of the loads\n";
  for (const LoadPower& p : forces.powers)
    out << fmt::format("  {}: {} W\n", p.name, number_text(p.power));
}

void print_values(const char* title, const std::vector<Value>& values, std::ostream& out) {
  if (values.empty()) return;
  std::size_t widest = 0;
  for (const Value& v : values) widest = std::max(widest, v.name.size());
  out << '\n' << title << '\n';
  for (const Value& v : values) {
    const std::string text = join_each(v.numbers, number_text);
    const std::string unit = v.unit.empty() || v.unit == "1" ? "" : " " + v.unit;
    out << fmt::format("  {:<{}}  {}{}\n", v.name, widest, v.is_list ? "[" + text + "]" : text,
                       text.find("not determined") == std::string::npos ? unit : "");
  }
}

void print_evaluation(const Evaluation& e, std::ostream& out) {
  print_values("State", e.state, out);
  print_values("Accelerations", e.shown_accelerations, out);
  print_values("Unknown forces", e.unknowns, out);
  print_values("Multipliers", e.multipliers, out);
  print_forces(e.forces, out);
  print_values("Energies", e.energies, out);
  print_values("Outputs", e.outputs, out);
}

}  // namespace

int run_evaluate(const CommandOptions& options, const EvaluateOptions& evaluate_options,
                 std::ostream& out, std::ostream& err) {
  return with_model(options, out, err, [&](CheckedModel& checked) {
    require_values(checked);
    const Kinematics& motion = *checked.motion;
    const Equations equations = derive(motion);
    std::optional<Equilibrium> equilibrium;
    if (evaluate_options.equilibrium) equilibrium = find_equilibrium(equations, checked.start);
    const Evaluation evaluation =
        StateEvaluator(motion, equilibrium ? equilibrium->state : checked.start)
            .evaluate(equations);
    for (const std::string& remark : evaluation.remarks) err << "Remark: " << remark << '\n';
    if (options.json) {
      json answer = to_json(evaluation);
      if (equilibrium) answer["equilibrium"] = equilibrium_json(*equilibrium, motion);
      if (equilibrium && equilibrium->is_found)
        answer["equilibrium"]["virtual_work"] = virtual_work_json(equations, equilibrium->state);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      out << answer.dump(2) << '\n';
    } else {
      out << motion.model().name << '\n';
      if (equilibrium) print_equilibrium(*equilibrium, motion, out, err);
      if (equilibrium && equilibrium->is_found)
        print_virtual_work(equations, equilibrium->state, out);
      if (!equilibrium || equilibrium->is_found) print_evaluation(evaluation, out);
    }
    return !equilibrium || equilibrium->is_found ? exit_good : exit_not_certified;
  });
}

}  // namespace visviva
