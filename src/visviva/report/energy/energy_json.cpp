#include "visviva/report/energy/energy_json.h"

#include <nlohmann/json.hpp>

#include "visviva/report/energy/ledger_text.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/symbolic/print/printed_texts.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::vector<Expr> all_expressions(const EnergyReport& report) {
  std::vector<Expr> all = report.expressions();
  for (const Integral& i : report.integrals.energies) all.push_back(i.value);
  return all;
}

class JsonWriter {
 public:
  explicit JsonWriter(const EnergyReport& report)
      : r_(report), written_(all_expressions(report), {}) {}

  json write() const {
    const Energies& e = r_.energies;
    json j;
    j["model"] = r_.model().name;
    j["independent_speeds"] = names(e.embedded.independent);
    j["dependent_speeds"] = names(e.embedded.dependent);
    j["dependent_speed_equations"] = json::object();
    for (std::size_t k = 0; k < e.embedded.dependent.size(); ++k)
      j["dependent_speed_equations"][r_.speed_name(e.embedded.dependent[k])] =
          written_(e.embedded.dependent_speeds[k]);
    j["validity"] = e.embedded.validity.valid() ? written_(e.embedded.validity) : "1";
    j["intermediates"] = json::array();
    for (const Intermediate& z : written_.intermediates())
      j["intermediates"].push_back({{"name", z.name}, {"expression", z.expression}});
    j["K"] = written_(e.K);
    j["K0"] = written_(e.K0);
    j["K1"] = written_(e.K1);
    j["K2"] = written_(e.K2);
    j["U"] = written_(e.U);
    j["sigma"] = written_(e.sigma);
    j["sigma_R"] = written_(e.sigma_R);
    j["P"] = written_(e.P);
    j["P_nonconservative"] = written_(e.P_nonconservative);
    j["Z_rate"] = written_(r_.Z_rate);
    add_integrals(&j);
    j["portions"] = {{"points", portions(r_.points, "v")}, {"bodies", portions(r_.bodies, "w")}};
    add_loads(&j);
    j["ledger"] = make_ledger_json(r_.ledger);
    j["ledger_remark"] = remark_text(r_.ledger.remark);
    j["kinetic_energy_rate"] = number(r_.ledger.kinetic_energy_rate);
    return j;
  }

  static json number(const std::optional<double>& x) { return x ? json(*x) : json(nullptr); }

 private:
  json names(const std::vector<int>& speeds) const {
    json result = json::array();
    for (const int r : speeds) result.push_back(r_.speed_name(r));
    return result;
  }

  json framed(const FramedColumn& c) const {
    json components = json::array();
    for (const Expr& e : c.components) components.push_back(written_(e));
    return {{"frame", c.frame}, {"components", std::move(components)}};
  }

  // {name: {v_R, v_t}}
  json portions(const std::vector<Portions>& list, const std::string& letter) const {
    json result = json::object();
    for (const Portions& p : list)
      result[p.name] = {{letter + "_R", framed(p.moved)}, {letter + "_t", framed(p.carried)}};
    return result;
  }

  json integral(const Integral& i) const {
    return {{"name", i.name},
            {"definition", write_definition(i.definition)},
            {"expression", written_(i.value)},
            {"constant", i.constancy == Constancy::not_defined
                             ? json("not defined")
                             : json(i.constancy == Constancy::constant)},
            {"scope", scope_name(i.scope)},
            {"extent", extent_name(i.extent)},
            {"reasons", write_reasons(i.reasons)}};
  }

  void add_integrals(json* j) const {
    const Integrals& found = r_.integrals;
    (*j)["integrals"] = json::array();
    for (const auto* list : {&found.energies, &found.momenta}) {
      for (const Integral& i : *list) (*j)["integrals"].push_back(integral(i));
    }
    (*j)["remarks"] = write_reasons(found.remarks);
    (*j)["potential_energy_exists"] = found.potential_energy.exists;
    (*j)["potential_energy_scope"] = scope_name(found.potential_energy.scope);
    (*j)["potential_energy_reasons"] = write_reasons(found.potential_energy.reasons);
  }

  void add_loads(json* j) const {
    (*j)["loads"] = json::array();
    for (const LoadEnergy& load : r_.energies.loads)
      (*j)["loads"].push_back({{"name", load.name},
                               {"role", role_name(load.role)},
                               {"potential", written_(load.potential)},
                               {"power", written_(load.power)},
                               {"generalized_power", written_(load.generalized_power)},
                               {"nonconservative_power", written_(load.nonconservative_power)},
                               {"reason", join_reasons(load.reasons)}});
  }

  const EnergyReport& r_;
  PrintedTexts written_;
};

}  // namespace

json make_energy_json(const EnergyReport& report) { return JsonWriter(report).write(); }

json make_ledger_json(const Ledger& ledger) {
  json result = json::array();
  for (const LedgerEntry& e : ledger.entries)
    result.push_back({{"source", e.source},
                      {"kind", e.kind},
                      {"effect", effect_name(e.effect)},
                      {"power", JsonWriter::number(e.power)},
                      {"reason", join_reasons(e.reasons)}});
  return result;
}

}  // namespace visviva
