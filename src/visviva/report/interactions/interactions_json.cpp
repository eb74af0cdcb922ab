#include "visviva/report/interactions/interactions_json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "visviva/report/derivation/integrability_text.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/printed_texts.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

json number_json(double x) { return std::isfinite(x) ? json(x == 0 ? 0.0 : x) : json(nullptr); }

json column_json(const std::array<double, 3>& v) {
  return {number_json(v[0]), number_json(v[1]), number_json(v[2])};
}

json decision_json(Decision decision) {
  return decision == Decision::undecided ? json("undecided") : json(decision == Decision::yes);
}

// Why the sums vanish.
json ground_json(Ground ground) {
  constexpr const char* names[] = {"", "identity", "constraints", "numeric"};
  return ground == Ground::none ? json(nullptr) : json(names[static_cast<std::size_t>(ground)]);
}

json sums_json(const SumValues& sum) {
  return {{"force", column_json(sum.force)},
          {"moment", column_json(sum.moment)},
          {"holds", decision_json(sum.holds)},
          {"evidence", ground_json(sum.ground)}};
}

// Components in N of every force and moment, by the vector.
using Columns = std::map<const Vector*, Column3>;

Columns list_columns(const InteractionReport& report) {
  Columns all;
  const Frame N(report.model(), 0);
  for (const Interaction& i : report.interactions.list()) {
    for (const PartAction& a : i.actions) {
      all.emplace(&a.force, a.force.in(N));
      all.emplace(&a.moment, a.moment.in(N));
    }
  }
  return all;
}

// Everything that is written as an expression, for common intermediates.
std::vector<Expr> list_expressions(const InteractionReport& report, const Columns& columns) {
  std::vector<Expr> all;
  for (const Interaction& i : report.interactions.list()) {
    for (const PartAction& a : i.actions) {
      for (const Vector* v : {&a.force, &a.moment})
        all.insert(all.end(), columns.at(v).begin(), columns.at(v).end());
    }
    all.push_back(i.time.power);
  }
  return all;
}

class InteractionWriter {
 public:
  explicit InteractionWriter(const InteractionReport& report)
      : r_(report),
        columns_(list_columns(report)),
        written_(list_expressions(report, columns_), {}) {}

  json intermediates() const {
    json list = json::array();
    for (const Intermediate& z : written_.intermediates())
      list.push_back({{"name", z.name}, {"expression", z.expression}});
    return list;
  }

  json write(const Interaction& i, const InteractionValues& values) const {
    json j = {{"name", i.name}, {"kind", kind_name(i.kind)}};
    add_actions(i, values, &j);
    j["not_determined"] = json::array();
    for (const Expr& s : i.open) j["not_determined"].push_back(s.home().symbol_name(s.ref()));
    j["invariant"] = decision_json(i.alone.decision());
    j["breaks"] = list_breaks(i.alone);
    j["reason"] = explain_breaks(r_, i);
    j["invariant_with_ground"] = decision_json(i.with_ground.decision());
    j["breaks_with_ground"] = list_breaks(i.with_ground);
    j["one_sided"] = i.is_one_sided;
    j["third_law"] = i.is_placed ? sums_json(values.alone) : json(nullptr);
    j["with_ground"] = i.is_placed ? sums_json(values.with_ground) : json(nullptr);
    j["power"] = i.is_placed ? number_json(values.power) : json(nullptr);
    add_time(i, values, &j);
    if (i.kind == Interaction::Kind::potential)
      j["determined_by_power"] = r_.interactions.classify(i) != PowerClass::no_force;
    if (const ConstraintIntegrability* found = r_.find_integrability(i)) {
      const json integrability = make_integrability_json(*found, r_.model());
      for (const char* field : {"holonomic", "integrable", "integral", "factor", "with", "rows"})
        if (integrability.contains(field)) j[field] = integrability[field];
    }
    return j;
  }

 private:
  const Part& part(int index) const { return r_.interactions.part(index); }

  void add_actions(const Interaction& i, const InteractionValues& values, json* j) const {
    json bodies = json::array(), on = json::object(), expressions = json::object();
    for (std::size_t k = 0; k < i.actions.size(); ++k) {
      const PartAction& a = i.actions[k];
      if (!acts(a)) continue;
      const Part& p = part(a.part);
      if (!p.is_ground()) bodies.push_back(p.name);
      json entry = {{"force", column_json(values.on[k].force)}};
      json written = {{"force", write_column(a.force)}};
      if (p.takes_moments()) {
        entry["moment"] = column_json(values.on[k].moment);
        written["moment"] = write_column(a.moment);
      }
      entry["at"] = point_name(r_, a.part);
      on[p.name] = std::move(entry);
      expressions[p.name] = std::move(written);
    }
    (*j)["bodies"] = std::move(bodies);
    (*j)["on"] = std::move(on);
    (*j)["expressions"] = std::move(expressions);
  }

  // Components in N.
  json write_column(const Vector& v) const {
    const Column3& c = columns_.at(&v);
    return {written_(c[0]), written_(c[1]), written_(c[2])};
  }

  void add_time(const Interaction& i, const InteractionValues& values, json* j) const {
    if (i.time.vanishes()) return (*j)["time"] = nullptr, void();
    json time = {{"bodies", json::array()}, {"power", number_json(values.time_power)}};
    time["carried"] = json::array();
    time["shares"] = json::object();
    for (std::size_t k = 0; k < i.time.shares.size(); ++k) {
      const std::string& name = part(i.time.shares[k].part).name;
      time["bodies"].push_back(name);
      if (i.time.shares[k].is_carried) time["carried"].push_back(name);
      time["shares"][name] = number_json(values.shares[k]);
    }
    time["explicit"] = i.time.explicit_names;
    time["explicit_power"] = number_json(values.explicit_power);
    time["expression"] = written_(i.time.power);
    (*j)["time"] = std::move(time);
  }

  const InteractionReport& r_;
  Columns columns_;
  PrintedTexts written_;
};

}  // namespace

json make_interactions_json(const InteractionReport& report) {
  const Workspace work(report.interactions.pool());
  const InteractionWriter writer(report);
  json list = json::array();
  const std::vector<Interaction>& all = report.interactions.list();
  for (std::size_t k = 0; k < all.size(); ++k)
    list.push_back(writer.write(all[k], report.values[k]));
  return {{"model", report.model().name},
          {"intermediates", writer.intermediates()},
          {"interactions", std::move(list)}};
}

}  // namespace visviva
