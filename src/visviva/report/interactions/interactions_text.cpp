#include "visviva/report/interactions/interactions_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "visviva/base/words.h"
#include "visviva/model/field_values.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/derivation/integrability_text.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

constexpr std::size_t most_parts = 4;  // of an identity that is written out

std::string column_text(const std::array<double, 3>& v, const char* unit) {
  std::string text = "[";
  for (std::size_t k = 0; k < 3; ++k) {
    if (k > 0) text += ", ";
    text += std::isfinite(v[k]) ? fmt::format("{:.6g}", v[k] == 0 ? 0.0 : v[k]) : "not determined";
  }
  return text + "] " + unit;
}

std::string formula_text(const Vector& v) {
  if (v.is_zero()) return "0";
  return is_readable(v) ? print_vector(v) : "(a long expression: --json has it)";
}

bool is_zero_column(const std::array<double, 3>& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

std::string power_text(double power) {
  return std::isfinite(power) ? fmt::format("{:.6g} W", power == 0 ? 0.0 : power)
                              : "not determined";
}

class InteractionsWriter {
 public:
  explicit InteractionsWriter(const InteractionReport& report) : r_(report) {}

  std::string write(const Interaction& i, const InteractionValues& values) const {
    std::string text = fmt::format("{} ({})\n", i.name, kind_name(i.kind));
    if (!i.is_placed)
      return text + "  Where it acts is not known: it is a generalized force without a place.\n";
    std::map<int, LineShare> lines;  // places of a line are told together
    for (std::size_t k = 0; k < i.actions.size(); ++k) {
      if (!acts(i.actions[k])) continue;
      const int line = line_of(r_.interactions.part(i.actions[k].part));
      if (line < 0)
        text += action(i.actions[k], values.on[k]);
      else
        lines[line].add(values.on[k]);
    }
    for (const auto& [line, share] : lines) text += on_line(line, share);
    const auto line = [&](const std::string& sentence) {
      if (!sentence.empty()) text += "  " + sentence + "\n";
    };
    line(open_sentence(i));
    line(invariance_sentence(r_, i));
    line(third_law_sentence(r_, i, values));
    line(r_.has_values ? identity_sentence(r_, i, values) : "");
    line(power_sentence(r_, i, values));
    line(time_sentence(r_, i, values));
    line(class_sentence(r_, i));
    if (const ConstraintIntegrability* found = r_.find_integrability(i)) {
      for (const RowIntegrability& row : found->rows)
        line("Integrability: " + write_integrability(row) + ".");
    }
    return text;
  }

 private:
  struct LineShare {
    std::size_t places = 0;
    std::array<double, 3> force{}, moment{};
    void add(const PartValues& more) {
      ++places;
      for (std::size_t i = 0; i < 3; ++i) {
        force[i] += more.force[i];
        moment[i] += more.moment[i];
      }
    }
  };

  // The line that a part is a piece of; -1 for none.
  int line_of(const Part& part) const {
    for (const BodyData& body : r_.model().bodies)
      if (body.point == part.point) return body.line;
    return find_line_of(r_.model(), part.point);
  }

  std::string on_line(int line, const LineShare& share) const {
    const std::string& name = r_.model().lines[static_cast<std::size_t>(line)].name;
    const std::string text =
        fmt::format("  on {:<10} force   at {}, in sum\n", name, counted(share.places, "place")) +
        numbers(share.force, "N");
    if (is_zero_column(share.moment)) return text;
    return text + fmt::format("     {:<10} moment  of couples there, in sum\n", "") +
           numbers(share.moment, "N*m");
  }

  std::string action(const PartAction& a, const PartValues& v) const {
    const Part& part = r_.interactions.part(a.part);
    const bool turns = part.takes_moments() && !a.moment.is_zero();
    std::string text, head = fmt::format("  on {:<10}", part.name);
    if (!a.force.is_zero() || !turns) {
      text += fmt::format("{} force   {}\n", head, formula_text(a.force)) + numbers(v.force, "N");
      head = std::string(head.size(), ' ');
    }
    if (!turns) return text;
    return text +
           fmt::format("{} moment  {}   about {}\n", head, formula_text(a.moment),
                       point_name(r_, a.part)) +
           numbers(v.moment, "N*m");
  }

  std::string numbers(const std::array<double, 3>& v, const char* unit) const {
    return r_.has_values ? fmt::format("{:>22} = {}\n", "", column_text(v, unit)) : "";
  }

  const InteractionReport& r_;
};

}  // namespace

std::string open_sentence(const Interaction& i) {
  if (i.open.empty()) return "";
  std::vector<std::string> names;
  for (const Expr& s : i.open) names.push_back(s.home().symbol_name(s.ref()));
  return "Not determined: the equations leave " + join_words(names) + " open" +
         (i.is_constraint() ? "; an unknown force does the same as the constraint, and its "
                              "reaction is both together."
                            : ".");
}

std::string invariance_sentence(const InteractionReport& report, const Interaction& i) {
  const std::string why = explain_breaks(report, i);
  const Decision alone = i.alone.decision(), ground = i.with_ground.decision();
  std::string text;
  if (alone == Decision::yes)
    text = "Invariant: under every superposed rigid motion of its bodies, at any time.";
  else if (alone == Decision::undecided)
    text = "Invariant: undecided; " + why + ".";
  else
    text = "Not invariant under " + join_words(list_breaks(i.alone)) + ": " + why + ".";
  if (alone == Decision::no && ground == Decision::yes) text += " With the ground it is.";
  if (alone == Decision::no && ground == Decision::no &&
      list_breaks(i.with_ground) != list_breaks(i.alone))
    text +=
        " With the ground it still breaks under " + join_words(list_breaks(i.with_ground)) + ".";
  return text;
}

std::string rest_text(const Interaction& i, const SumValues& sum) {
  const bool has_force = !is_zero_column(sum.force), has_moment = !is_zero_column(sum.moment);
  if (has_force || has_moment)
    return (has_force ? column_text(sum.force, "N") + " and " : std::string()) +
           column_text(sum.moment, "N*m");
  std::vector<std::string> rest;
  for (const auto& [v, what] :
       {std::pair(&i.alone.force, "the force "), std::pair(&i.alone.moment, "the moment ")}) {
    if (!v->is_zero() && is_readable(*v)) rest.push_back(what + print_vector(*v));
  }
  return rest.empty() ? "what is zero at this state" : join_words(rest) + " (zero at this state)";
}

// Where a sum vanishes, and how that is known.
std::string ground_words(Ground ground) {
  switch (ground) {
    case Ground::on_constraints:
      return " wherever the constraints hold (proved)";
    case Ground::by_numbers:
      return " where the constraints hold (found by numbers, not proved)";
    case Ground::none:
    case Ground::identity:
      break;
  }
  return " (proved)";
}

std::string third_law_sentence(const InteractionReport& report, const Interaction& i,
                               const InteractionValues& values) {
  if (values.alone.holds == Decision::yes)
    return "Third law: forces and moments add up to zero" + ground_words(values.alone.ground) + ".";
  const std::string with_ground = "Third law: they add up to zero with the ground's share" +
                                  ground_words(values.with_ground.ground);
  if (values.with_ground.holds == Decision::yes && !report.has_values)
    return with_ground + ", which must come from outside without it.";
  if (values.with_ground.holds == Decision::yes)
    return with_ground + "; without it " + rest_text(i, values.alone) + " must come from outside.";
  if (values.with_ground.holds == Decision::undecided)
    return "Third law: undecided; it is not proved, and no state was found at which it fails.";
  return (i.is_one_sided ? "Third law: given from outside, without a reaction; it leaves "
                         : "Third law: it does not hold; what is left is ") +
         column_text(values.with_ground.force, "N") + " and " +
         column_text(values.with_ground.moment, "N*m") + ".";
}

// O'Reilly & Srinivasa 2002 (24): what acts on the last part by what acts on the others.
std::string identity_sentence(const InteractionReport& report, const Interaction& i,
                              const InteractionValues& values) {
  const bool is_alone = values.alone.holds == Decision::yes;
  const SumValues& sum = is_alone ? values.alone : values.with_ground;
  std::vector<const PartAction*> all;
  for (const PartAction& a : i.actions) {
    if (acts(a) && !(is_alone && report.interactions.part(a.part).is_ground())) all.push_back(&a);
  }
  if (sum.holds != Decision::yes || all.size() < 2 || all.size() > most_parts) return "";
  const auto name = [&](const char* what, const PartAction& a) {
    return std::string(what) + "(" + report.interactions.part(a.part).name + ")";
  };
  const PartAction& last = *all.back();
  const std::string origin = point_name(report, last.part);
  std::string force, moment;
  const auto subtract = [](const std::string& term, std::string* from) {
    *from += (from->empty() ? "-" : " - ") + term;
  };
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    const PartAction& a = *all[k];
    const std::string center = point_name(report, a.part);
    if (!a.moment.is_zero()) subtract(name("M", a), &moment);
    if (a.force.is_zero()) continue;
    subtract(name("F", a), &force);
    if (center != origin) subtract("(" + center + " - " + origin + ") x " + name("F", a), &moment);
  }
  const auto left = [&](const char* what, const Vector& v) {
    return v.is_zero() ? std::string("0") : name(what, last);
  };
  std::vector<std::string> sides;
  if (!force.empty()) sides.push_back(left("F", last.force) + " = " + force);
  if (!moment.empty()) sides.push_back(left("M", last.moment) + " = " + moment);
  return join_words(sides, ", ") + "; left " + column_text(sum.force, "N") + " and " +
         column_text(sum.moment, "N*m") + ".";
}

// O'Reilly & Srinivasa 2002 (21)
std::string power_sentence(const InteractionReport& report, const Interaction& i,
                           const InteractionValues& values) {
  if (!report.has_values || !i.is_placed || std::none_of(i.actions.begin(), i.actions.end(), acts))
    return "";
  const double power = std::abs(values.power) <= values.power_error ? 0.0 : values.power;
  return "All its forces and moments together have the power " + power_text(power) + ".";
}

std::string time_sentence(const InteractionReport& report, const Interaction& i,
                          const InteractionValues& values) {
  const std::string why = explain_time(report, i);
  if (why.empty() || i.kind == Interaction::Kind::motor) return "";
  std::string text = "Time: " + why + ". ";
  for (std::size_t k = 0; k < i.time.shares.size(); ++k)
    text +=
        fmt::format("Its power on {} is {}. ", report.interactions.part(i.time.shares[k].part).name,
                    power_text(values.shares[k]));
  if (i.kind == Interaction::Kind::potential)
    text += fmt::format("-dW/dt with all coordinates held is {}.", power_text(values.time_power));
  if (i.is_constraint()) text += fmt::format("lambda*c is {}.", power_text(values.time_power));
  if (text.back() == ' ') text.pop_back();
  return text;
}

// O'Reilly & Srinivasa 2002, the classes of the Proposition (39)-(42).
std::string class_sentence(const InteractionReport& report, const Interaction& i) {
  if (i.kind != Interaction::Kind::potential) return "";
  switch (report.interactions.classify(i)) {
    case PowerClass::no_force:
      return "Power: its own power determines no force, because it depends on time and no "
             "constraint does; virtual work was used.";
    case PowerClass::one_multiplier:
      return "Power: its own power determines its forces up to those of the constraints, one "
             "multiplier of which follows from the others.";
    case PowerClass::free_multipliers:
      break;
  }
  return "";
}

std::string write_interactions_text(const InteractionReport& report) {
  const Workspace work(report.interactions.pool());
  const InteractionsWriter writer(report);
  const std::vector<Interaction>& all = report.interactions.list();
  std::string text = report.model().name + ": who acts on whom" +
                     (report.has_values ? ", at the start state\n" : "\n");
  if (all.empty()) return text + "\nNothing acts.\n";
  for (std::size_t k = 0; k < all.size(); ++k)
    text += "\n" + writer.write(all[k], report.values[k]);
  return text;
}

}  // namespace visviva
