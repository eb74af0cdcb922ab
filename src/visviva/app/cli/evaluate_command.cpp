// `visviva evaluate MODEL`: accelerations, multipliers, reactions, energies and outputs at one
// state.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/equilibrium_answer.h"
#include "visviva/app/cli/quantity_option.h"
#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/equations/evaluation/evaluation.h"
#include "visviva/equations/evaluation/state_matrices.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/model/motor_dimension.h"
#include "visviva/report/trajectory/output_gaps.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::string remark_text(const EvaluationRemark& remark) {
  if (remark.kind == EvaluationRemark::only_kinetic_energy)
    return "energies other than K are not given: " + remark.message;
  return "the constraints cannot be solved symbolically from here: forces that have a potential "
         "only together with them count as nonconservative";
}

json to_json(double number) { return std::isfinite(number) ? json(number) : json(nullptr); }

json to_json(const std::vector<EvaluatedValue>& values) {
  json result = json::object();
  for (const EvaluatedValue& v : values) {
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

std::string find_motor_unit(const ModelData& model, const std::string& name) {
  const auto found = std::find_if(model.specified.begin(), model.specified.end(),
                                  [&](const SpecifiedData& s) { return motor_name(s) == name; });
  return found == model.specified.end() ? "" : print_dimension(motor_dimension(model, *found));
}

void add_forces(const Evaluation& e, const ModelData& model, json* j) {
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
                              {"unit", find_motor_unit(model, m.name)},
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

std::vector<EvaluatedValue> list_accelerations(const Evaluation& e) {
  std::vector<EvaluatedValue> all = e.speed_rates;
  for (const CoordinateAcceleration& a : e.accelerations) all.push_back(a.value);
  all.insert(all.end(), e.state_rates.begin(), e.state_rates.end());
  return all;
}

json to_json(const Evaluation& e, const ModelData& model) {
  json j = {{"state", to_json(e.state)},
            {"accelerations", to_json(list_accelerations(e))},
            {"unknowns", to_json(e.unknowns)},
            {"multipliers", to_json(e.multipliers)}};
  add_forces(e, model, &j);
  j["energies"] = to_json(e.energies);
  j["outputs"] = to_json(e.outputs);
  return j;
}

json make_jacobians_json(const Equations& equations, const ConsistentStart& at) {
  json jacobians = json::object();
  for (const PointJacobian& J : compute_jacobians(equations, at)) jacobians[J.point] = J.rows;
  return jacobians;
}

// "q1''=2 rad/s^2, wx'=0" as rates of the speeds; those that are not named are 0.
std::vector<double> read_accelerations(const std::string& text, const StateMatrices& matrices,
                                       const Kinematics& motion) {
  std::vector<std::string> names;
  for (const std::string& speed : matrices.speeds) names.push_back(speed + "'");
  std::vector<double> rates(names.size(), 0.0);
  std::set<std::string> given;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos)
      throw WrongCommand{"--inverse: expected NAME''=VALUE, found '" + one + "'"};
    const auto trim = [](const std::string& s) {
      const std::size_t first = s.find_first_not_of(' ');
      return first == s.npos ? std::string() : s.substr(first, s.find_last_not_of(' ') + 1 - first);
    };
    const std::string name = trim(one.substr(0, equals));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw WrongCommand{"--inverse: '" + name + "' is not the rate of an independent speed: " +
                         list_some_words(names, 40)};
    if (!given.insert(name).second) throw WrongCommand{"--inverse: '" + name + "' is given twice"};
    const auto place = static_cast<std::size_t>(found - names.begin());
    const auto speed = std::find_if(motion.speeds().begin(), motion.speeds().end(),
                                    [&](const Speed& s) { return s.name + "'" == name; });
    const QuantityReading value =
        read_quantity_option("--inverse " + name, trim(one.substr(equals + 1)),
                             print_dimension(speed->dimension / Dimension::of(Dimension::time)));
    if (!value.value) throw WrongCommand{value.problem};
    rates[place] = *value.value;
  }
  return rates;
}

std::vector<EvaluatedValue> evaluate_inverse(const Equations& equations, const ConsistentStart& at,
                                             const std::string& text) {
  const auto matrices = compute_matrices(equations, at);
  if (!matrices) throw make_embedding_error(matrices.why());
  const auto forces =
      compute_inverse(equations, at, read_accelerations(text, *matrices, equations.motion));
  if (!forces) throw make_embedding_error(forces.why());
  std::vector<EvaluatedValue> values;
  for (std::size_t r = 0; r < forces->size(); ++r)
    values.push_back({matrices->speeds[r], {(*forces)[r]}});
  return values;
}

std::string triple_text(const std::array<double, 3>& numbers,
                        const std::array<bool, 3>& is_determined) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i)
    text += (i == 0 ? "" : ", ") +
            (is_determined[i] ? number_text(numbers[i]) : std::string("not determined"));
  return "[" + text + "]";
}

std::string motor_text(const Motor& m, const std::string& unit) {
  if (!m.is_determined) return "not determined";
  const char* const kind = unit == "N" ? "force " : unit == "N*m" ? "torque " : "";
  return fmt::format("{}{}{}, power {} W", kind, number_text(m.force),
                     unit == "1" ? "" : " " + unit, number_text(m.power));
}

void print_forces(const Reactions& forces, const ModelData& model, std::ostream& out) {
  if (!forces.reactions.empty()) out << "\nReactions\n";
  for (const Reaction& r : forces.reactions) {
    const Wrench& w = r.wrench;
    const std::string head = r.name == r.at ? "at " + r.at : r.name + " at " + r.at;
    out << fmt::format("  {}, on {}\n", head, r.on);
    out << "    force   " << triple_text(w.force, w.is_force_determined) << " N\n";
    out << "    moment  " << triple_text(w.moment, w.is_moment_determined) << " N*m\n";
  }
  if (!forces.motors.empty()) out << "\nMotors of prescribed motions\n";
  for (const Motor& m : forces.motors)
    out << "  " << m.name << ": " << motor_text(m, find_motor_unit(model, m.name)) << '\n';
  if (!forces.powers.empty()) out << "\nPowers of the loads\n";
  for (const LoadPower& p : forces.powers)
    out << fmt::format("  {}: {}{}\n", p.name, number_text(p.power),
                       std::isfinite(p.power) ? " W" : "");
}

void print_values(const char* title, const std::vector<EvaluatedValue>& values, std::ostream& out) {
  if (values.empty()) return;
  std::size_t widest = 0;
  for (const EvaluatedValue& v : values) widest = std::max(widest, v.name.size());
  out << '\n' << title << '\n';
  for (const EvaluatedValue& v : values) {
    const std::string text = join_each(v.numbers, number_text);
    const std::string unit = v.unit.empty() || v.unit == "1" ? "" : " " + v.unit;
    out << fmt::format("  {:<{}}  {}{}\n", v.name, widest, v.is_list ? "[" + text + "]" : text,
                       text.find("not determined") == std::string::npos ? unit : "");
  }
}

// For people: theta'' once, wx' under that name.
std::vector<EvaluatedValue> list_shown_accelerations(const Evaluation& e) {
  std::vector<EvaluatedValue> all = e.speed_rates;
  for (EvaluatedValue& rate : all) rate.name += "'";
  for (const CoordinateAcceleration& a : e.accelerations) {
    if (!a.has_own_speed) all.push_back(a.value);
  }
  all.insert(all.end(), e.state_rates.begin(), e.state_rates.end());
  return all;
}

void print_evaluation(const Evaluation& e, const ModelData& model, std::ostream& out) {
  print_values("State", e.state, out);
  print_values("Accelerations", list_shown_accelerations(e), out);
  print_values("Unknown forces", e.unknowns, out);
  print_values("Multipliers", e.multipliers, out);
  print_forces(e.forces, model, out);
  print_values("Energies", e.energies, out);
  print_values("Outputs", e.outputs, out);
}

const char* verdict_text(const ClaimVerdict& claim) {
  return claim.holds == Decision::yes ? "proved" : "undecided";
}

// Those that are false ended the command before.
void print_claims(const CheckedModel& checked, std::ostream& out) {
  const std::vector<ClaimData>& claims = checked.motion->model().claims;
  if (!claims.empty()) out << "\nClaims\n";
  for (std::size_t i = 0; i < claims.size(); ++i)
    out << "  " << claim_text(claims[i]) << ": " << verdict_text(checked.claims[i]) << '\n';
}

json claims_json(const CheckedModel& checked) {
  json list = json::array();
  const std::vector<ClaimData>& claims = checked.motion->model().claims;
  for (std::size_t i = 0; i < claims.size(); ++i)
    list.push_back(
        {{"claim", claim_text(claims[i])}, {"verdict", verdict_text(checked.claims[i])}});
  return list;
}

[[noreturn]] void refuse_overflow(const std::string& name) {
  throw ModelError(
      {{Severity::error,
        "E-number-range",
        name + " is beyond the range of numbers at this state, or divides by zero there",
        "start elsewhere, or choose masses, lengths and speeds nearer to 1",
        {}}});
}

bool has_value(const EvaluatedValue& v) {
  return std::all_of(v.numbers.begin(), v.numbers.end(), [](double x) { return std::isfinite(x); });
}

// Outputs that have no finite value here, as power(q)/q' at rest: null, and told as in a run.
std::vector<std::string> list_gaps(const Evaluation& e) {
  std::vector<std::string> names;
  for (const EvaluatedValue& v : e.outputs)
    if (!has_value(v)) names.push_back(v.name);
  return names;
}

// What overflows would look like what is not determined. K is determined at every state, so that it has no
// other way not to be finite.
void require_range(const Evaluation& e) {
  const auto overflows = [](double x) { return std::isinf(x); };
  for (const auto* values : {&e.speed_rates, &e.unknowns, &e.multipliers, &e.energies}) {
    for (const EvaluatedValue& v : *values) {
      const bool is_lost = v.name == "K" && !std::isfinite(v.numbers.front());
      if (is_lost || std::any_of(v.numbers.begin(), v.numbers.end(), overflows))
        refuse_overflow(v.name);
    }
  }
  for (const Reaction& r : e.forces.reactions) {
    if (std::any_of(r.wrench.force.begin(), r.wrench.force.end(), overflows) ||
        std::any_of(r.wrench.moment.begin(), r.wrench.moment.end(), overflows))
      refuse_overflow("the reaction " + r.name);
  }
  for (const Motor& m : e.forces.motors)
    if (overflows(m.force) || overflows(m.power)) refuse_overflow("the motor of " + m.name);
  for (const LoadPower& p : e.forces.powers)
    if (overflows(p.power)) refuse_overflow("the power of " + p.name);
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
        evaluate_state(equations, equilibrium ? equilibrium->state : checked.start);
    require_range(evaluation);
    for (const EvaluationRemark& remark : evaluation.remarks)
      err << "Remark: " << remark_text(remark) << '\n';
    const bool is_shown = !equilibrium || equilibrium->is_found;
    const ConsistentStart& at = equilibrium ? equilibrium->state : checked.start;
    std::vector<EvaluatedValue> inverse;
    if (evaluate_options.inverse)
      inverse = evaluate_inverse(equations, at, *evaluate_options.inverse);
    if (options.json) {
      json answer = to_json(evaluation, motion.model());
      const auto matrices = compute_matrices(equations, at);
      answer["mass_matrix"] = matrices ? json(matrices->mass_matrix) : json(nullptr);
      answer["independent_speeds"] = matrices ? json(matrices->speeds) : json(nullptr);
      answer["jacobians"] = make_jacobians_json(equations, at);
      if (evaluate_options.inverse) answer["generalized_forces"] = to_json(inverse);
      if (equilibrium) answer["equilibrium"] = equilibrium_json(*equilibrium, motion);
      if (equilibrium && equilibrium->is_found)
        answer["equilibrium"]["virtual_work"] = virtual_work_json(equations, equilibrium->state);
      answer["without_value"] = list_gaps(evaluation);
      answer["claims"] = claims_json(checked);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else {
      out << motion.model().name << '\n';
      if (equilibrium) print_equilibrium(*equilibrium, motion, out, err);
      if (equilibrium && equilibrium->is_found)
        print_virtual_work(equations, equilibrium->state, out);
      if (is_shown) {
        print_evaluation(evaluation, motion.model(), out);
        for (const std::string& name : list_gaps(evaluation))
          err << "Remark: " << write_gap(name, "at this state") << '\n';
      }
      print_values("Generalized forces for these accelerations", inverse, out);
      print_claims(checked, out);
    }
    return is_shown ? exit_good : exit_not_certified;
  });
}

}  // namespace visviva
