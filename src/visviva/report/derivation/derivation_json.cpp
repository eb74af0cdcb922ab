#include "visviva/report/derivation/derivation_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "visviva/report/derivation/reason_text.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/print/combination.h"
#include "visviva/symbolic/print/printed_texts.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

// Expressions with and without the rates of speeds apart: who solves for the rates must be able to
// evaluate all intermediates of the others first.
struct Sorted {
  explicit Sorted(const Derivation& d) {
    const std::vector<Expr> all = d.expressions();
    std::vector<Expr> rates;
    for (const Speed& s : d.equations.motion.speeds()) rates.push_back(s.rate);
    const std::vector<bool> has_rate = depend_on_any(all, rates);
    for (std::size_t i = 0; i < all.size(); ++i) {
      (has_rate[i] ? with_rates : plain).push_back(all[i]);
      if (has_rate[i]) of_rates.insert(all[i].ref());
    }
    // Formed once: an expression is looked up as it was printed.
    const auto subtract = [](const std::vector<Expr>& f, const std::vector<Expr>& active) {
      std::vector<Expr> rest;
      for (std::size_t i = 0; i < std::min(f.size(), active.size()); ++i)
        rest.push_back(f[i] - active[i]);
      return rest;
    };
    embedded_bias = subtract(d.embedded.forcing, d.embedded.active_forces);
    bias = subtract(d.equations.forcing, d.active_forces);
    plain.insert(plain.end(), embedded_bias.begin(), embedded_bias.end());
    plain.insert(plain.end(), bias.begin(), bias.end());
  }
  std::vector<Expr> plain, with_rates;
  std::unordered_set<Ref> of_rates;       // the references of those with rates
  std::vector<Expr> embedded_bias, bias;  // F_r* without rates
};

class JsonWriter {
 public:
  JsonWriter(const Derivation& d, bool is_short)
      : d_(d),
        is_short_(is_short),
        sorted_(d),
        written_(sorted_.plain, {}),
        rates_written_(sorted_.with_rates, {.prefix = "f"}) {}

  json write() const {
    const ModelData& m = d_.model();
    const EmbeddedEquations& e = d_.embedded;
    json j;
    j["model"] = m.name;
    j["method"] = method_name(d_.equations.method);
    j["coordinates"] = json::array();
    for (const CoordinateData& c : m.coordinates) j["coordinates"].push_back(c.name);
    j["speeds"] = names(all_speeds());
    j["independent_speeds"] = names(e.independent);
    j["dependent_speeds"] = names(e.dependent);
    j["degrees_of_freedom"] = e.independent.size();
    j["intermediates"] = intermediates();
    j["kinematics"] = json::object();
    for (const auto& [rate, expr] : d_.kinematics) j["kinematics"][rate] = written_(expr);
    j["mass_matrix"] = matrix(e.mass_matrix);
    j["forcing"] = list(e.forcing);
    if (!is_short_ || !d_.equations.rows.empty()) {
      j["mass_matrix_unconstrained"] = matrix(d_.equations.mass_matrix);
      j["forcing_unconstrained"] = list(d_.equations.forcing);
    }
    add_constraints(&j);
    j["generalized_active_forces"] = by_speed(e.independent, e.active_forces);
    if (!is_short_) add_long_parts(&j);
    j["noncontributing"] = json::array();
    for (const Noncontributing& n : d_.noncontributing)
      j["noncontributing"].push_back(
          {{"name", n.name}, {"reason", write_noncontributing_reason(n)}});
    if (d_.equations.method == Method::hamilton) add_momenta(&j);
    if (d_.equations.method == Method::newton_euler) add_bodies(&j);
    if (d_.lagrange) add_lagrange(&j);
    if (!d_.expressed.empty()) add_expressed(&j);
    j["unknowns"] = list(d_.equations.unknowns);
    j["operations"] = d_.operations;
    if (is_short_) j["left_out"] = left_out();
    return j;
  }

  /// What the short form does without.
  static Derivation shorten(Derivation d) {
    for (auto* list : {&d.inertia_forces, &d.embedded.inertia_forces, &d.active_forces})
      list->clear();
    for (auto* motions : {&d.points, &d.frames}) motions->clear();
    if (!d.equations.rows.empty()) return d;
    d.equations.mass_matrix.clear();
    d.equations.forcing.clear();
    return d;
  }

 private:
  const std::string& text(const Expr& e) const {
    return sorted_.of_rates.contains(e.ref()) ? rates_written_(e) : written_(e);
  }

  void add_long_parts(json* j) const {
    const EmbeddedEquations& e = d_.embedded;
    (*j)["generalized_inertia_forces"] =
        inertia_forces(e.independent, e.mass_matrix, sorted_.embedded_bias, e.inertia_forces);
    (*j)["generalized_active_forces_unconstrained"] = by_speed(all_speeds(), d_.active_forces);
    (*j)["generalized_inertia_forces_unconstrained"] =
        inertia_forces(all_speeds(), d_.equations.mass_matrix, sorted_.bias, d_.inertia_forces);
    (*j)["partial_velocities"] = partial_motions(d_.points);
    (*j)["partial_angular_velocities"] = partial_motions(d_.frames);
  }

  json left_out() const {
    json names = {"generalized_inertia_forces", "generalized_active_forces_unconstrained",
                  "generalized_inertia_forces_unconstrained", "partial_velocities",
                  "partial_angular_velocities"};
    if (d_.equations.rows.empty()) {
      names.push_back("mass_matrix_unconstrained");
      names.push_back("forcing_unconstrained");
    }
    return names;
  }

  // F_r* in one expression where it is short; else as its part without rates less M u'.
  json inertia_forces(const std::vector<int>& speeds, const std::vector<std::vector<Expr>>& M,
                      const std::vector<Expr>& bias, const std::vector<Expr>& whole) const {
    json result = json::object();
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      json& entry = result[d_.speed_name(speeds[i])];
      if (written_.intermediates().empty()) {
        const PrintedSystem alone = print_system({whole[i]});
        entry = alone.expressions[0];
        if (alone.intermediates.empty()) continue;
      }
      std::vector<std::string> coefficients, rates;
      for (std::size_t k = 0; k < speeds.size(); ++k) {
        coefficients.push_back(written_(M[i][k]));
        const Expr& rate = d_.equations.motion.speeds()[speeds[k]].rate;
        rates.push_back(print_name(rate.home().symbol_name(rate.ref()), Notation::language));
      }
      entry = written_(bias[i]) + " - (" +
              write_combination(coefficients, rates, Notation::language) + ")";
    }
    return result;
  }

  std::vector<int> all_speeds() const {
    std::vector<int> all(d_.equations.motion.speeds().size());
    for (std::size_t r = 0; r < all.size(); ++r) all[r] = static_cast<int>(r);
    return all;
  }

  json names(const std::vector<int>& speeds) const {
    json result = json::array();
    for (const int r : speeds) result.push_back(d_.speed_name(r));
    return result;
  }

  json list(const std::vector<Expr>& exprs) const {
    json result = json::array();
    for (const Expr& e : exprs) result.push_back(text(e));
    return result;
  }

  json matrix(const std::vector<std::vector<Expr>>& rows) const {
    json result = json::array();
    for (const auto& row : rows) result.push_back(list(row));
    return result;
  }

  json by_speed(const std::vector<int>& speeds, const std::vector<Expr>& values) const {
    json result = json::object();
    for (std::size_t i = 0; i < speeds.size(); ++i)
      result[d_.speed_name(speeds[i])] = written_(values[i]);
    return result;
  }

  json intermediates() const {
    json result = json::array();
    for (const Intermediate& z : written_.intermediates())
      result.push_back({{"name", z.name}, {"expression", z.expression}});
    return result;
  }

  // A u' = b, and what it was solved for.
  void add_constraints(json* j) const {
    json A = json::array(), row_names = json::array();
    for (const ConstraintRow& row : d_.equations.rows) {
      json entries(d_.equations.motion.speeds().size(), "0");
      for (const auto& [r, a] : row.velocity.coefficients) entries[r] = written_(a);
      A.push_back(std::move(entries));
      row_names.push_back(d_.model().constraints[row.constraint].name);
    }
    (*j)["constraint_rows"] = {{"A", std::move(A)}, {"b", list(d_.equations.row_forcing)}};
    (*j)["constraint_names"] = std::move(row_names);
    (*j)["dependent_speed_equations"] =
        by_speed(d_.embedded.dependent, d_.embedded.dependent_speeds);
    (*j)["validity"] = d_.embedded.validity.valid() ? written_(d_.embedded.validity) : "1";
  }

  json framed(const FramedColumn& c) const {
    return {{"frame", c.frame}, {"components", list({c.components.begin(), c.components.end()})}};
  }

  json partial_motions(const std::vector<PartialMotion>& motions) const {
    json result = json::object();
    for (const PartialMotion& m : motions) {
      json& entry = result[m.name] = json::object();
      for (std::size_t r = 0; r < m.by_speed.size(); ++r)
        entry[d_.speed_name(static_cast<int>(r))] = framed(m.by_speed[r]);
      entry["t"] = framed(m.remainder);
    }
    return result;
  }

  void add_momenta(json* j) const {
    (*j)["momentum_symbols"] = json::object();
    (*j)["momenta"] = json::object();
    (*j)["momentum_rates"] = json::object();
    (*j)["momentum_rate_terms"] = json::object();
    for (std::size_t i = 0; i < d_.momenta.size(); ++i) {
      const std::string& speed = d_.speed_name(d_.embedded.independent[i]);
      (*j)["momentum_symbols"][speed] = d_.momenta[i].name;
      (*j)["momenta"][speed] = written_(d_.momenta[i].momentum);
      (*j)["momentum_rates"][speed] = written_(d_.momenta[i].rate);
      const std::string& q = d_.momenta[i].coordinate;
      (*j)["momentum_rate_terms"][speed] = {{"force", written_(d_.momenta[i].force)},
                                            {"slope", written_(d_.momenta[i].slope)},
                                            {"slope_of", q.empty() ? json() : json(q)}};
    }
    const auto& energy = d_.energy_in_momenta;
    (*j)["kinetic_energy_in_momenta"] = energy ? json(written_(energy->K)) : json();
    (*j)["speeds_in_momenta"] = energy ? by_speed(d_.embedded.independent, energy->speeds) : json();
  }

  void add_lagrange(json* j) const {
    const LagrangeForm& form = *d_.lagrange;
    (*j)["kinetic_energy"] = written_(form.K);
    (*j)["potential_energy"] = written_(form.V);
    (*j)["lagrangian"] = written_(form.L);
    json& slopes = (*j)["lagrangian_slopes"] = json::object();
    for (const LagrangeForm::Slopes& s : form.slopes)
      slopes[d_.model().coordinates[s.coordinate].name] = {
          {"by_rate", written_(s.by_rate)},
          {"by_coordinate", written_(s.by_coordinate)},
          {"force", written_(s.force)}};
    if (!form.multipliers.empty()) add_multiplier_equations(j);
  }

  // M y'' = f + A'lambda
  void add_multiplier_equations(json* j) const {
    const LagrangeForm& form = *d_.lagrange;
    json rates = json::array(), equations = json::array(), multipliers = json::array();
    std::vector<std::string> second_rates;
    for (const LagrangeForm::Variable& y : form.variables) {
      rates.push_back(y.name);
      second_rates.push_back(name_of(y.second_rate));
    }
    for (const Expr& symbol : form.multipliers) multipliers.push_back(name_of(symbol));
    for (std::size_t i = 0; i < form.variables.size(); ++i) {
      std::vector<std::string> coefficients;
      for (const Expr& m : form.mass_matrix[i]) coefficients.push_back(written_(m));
      equations.push_back(write_combination(coefficients, second_rates, Notation::language) +
                          " = " + written_(d_.multiplier_forces[i]));
    }
    (*j)["multiplier_equations"] = {{"rates", std::move(rates)},
                                    {"equations", std::move(equations)},
                                    {"mass_matrix", matrix(form.mass_matrix)},
                                    {"forcing", list(form.forcing)},
                                    {"multipliers", std::move(multipliers)},
                                    {"rows", matrix(form.rows)}};
  }

  static std::string name_of(const Expr& symbol) {
    return print_name(symbol.home().symbol_name(symbol.ref()), Notation::language);
  }

  // With intermediates of their own: these may contain rates of speeds.
  void add_expressed(json* j) const {
    std::vector<Expr> all;
    for (const ExpressedValue& e : d_.expressed)
      all.insert(all.end(), e.values.begin(), e.values.end());
    const PrintedTexts written(all, {.prefix = "e"});
    json& expressed = (*j)["expressed"] = json::array();
    for (const ExpressedValue& e : d_.expressed) {
      json entry = {{"expression", e.written}};
      if (e.frame.empty()) {
        entry["value"] = written(e.values[0]);
      } else {
        entry["frame"] = e.frame;
        for (const Expr& c : e.values) entry["components"].push_back(written(c));
      }
      expressed.push_back(std::move(entry));
    }
    json& intermediates = (*j)["expressed_intermediates"] = json::array();
    for (const Intermediate& z : written.intermediates())
      intermediates.push_back({{"name", z.name}, {"expression", z.expression}});
  }

  void add_bodies(json* j) const {
    (*j)["bodies"] = json::array();
    for (const ShownBody& b : d_.free_bodies.bodies) {
      const BodyData& body = d_.model().bodies[b.body];
      (*j)["bodies"].push_back({{"name", body.name},
                                {"mass_center", d_.model().points[body.point].name},
                                {"newton", balance(b.newton)},
                                {"euler", b.euler ? balance(*b.euler) : json()}});
    }
    (*j)["body_intermediates"] = json::array();
    for (const Intermediate& z : rates_written_.intermediates())
      (*j)["body_intermediates"].push_back({{"name", z.name}, {"expression", z.expression}});
    (*j)["loads_elsewhere"] = json::array();
    for (const LoadElsewhere& l : d_.free_bodies.elsewhere)
      (*j)["loads_elsewhere"].push_back(
          {{"name", l.name}, {"on", l.on.empty() ? json() : json(l.on)}});
  }

  json balance(const ShownBalance& b) const {
    json loads = json::array();
    for (const ShownVector& load : b.loads) {
      json entry = {{"name", load.name}};
      entry.update(framed(load.column));
      loads.push_back(std::move(entry));
    }
    return {{"left", framed(b.left.column)},
            {"loads", std::move(loads)},
            {"reaction", b.reaction.empty() ? json() : json(b.reaction)}};
  }

  const Derivation& d_;
  bool is_short_;
  Sorted sorted_;
  PrintedTexts written_;
  PrintedTexts rates_written_;
};

}  // namespace

nlohmann::ordered_json make_derivation_json(const Derivation& derivation, bool is_short) {
  if (!is_short) return JsonWriter(derivation, false).write();
  return JsonWriter(JsonWriter::shorten(derivation), true).write();
}

}  // namespace visviva
