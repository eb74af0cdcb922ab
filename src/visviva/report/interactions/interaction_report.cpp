#include "visviva/report/interactions/interaction_report.h"

#include <algorithm>

#include "visviva/base/words.h"
#include "visviva/model/print_vector.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr std::size_t most_operations = 60;   // of a vector that is worth printing
constexpr std::size_t longest_formula = 160;  // characters

// Of the parts that move while all coordinates are held those that nothing else moves, or those that move freely besides.
std::vector<std::string> list_moved(const InteractionReport& report, const Interaction& i,
                                    bool are_carried) {
  std::vector<std::string> names;
  for (const DrivenShare& share : i.time.shares) {
    if (share.is_carried == are_carried) names.push_back(report.interactions.part(share.part).name);
  }
  return names;
}

bool names_ground(const InteractionReport& report, const Interaction& i) {
  return std::any_of(i.actions.begin(), i.actions.end(), [&](const PartAction& a) {
    return report.interactions.part(a.part).is_ground() && acts(a);
  });
}

}  // namespace

InteractionReport make_interaction_report(const Equations& equations,
                                          const ConsistentStart& start) {
  InteractionReport report{analyze_interactions(equations),
                           {},
                           analyze_integrability(equations.motion),
                           start.missing.empty()};
  report.values = evaluate_interactions(report.interactions, start);
  return report;
}

const ConstraintIntegrability* InteractionReport::find_integrability(
    const Interaction& interaction) const {
  if (!interaction.is_constraint()) return nullptr;
  const std::vector<ConstraintIntegrability>& all = integrability.constraints;
  const auto found = std::find_if(all.begin(), all.end(), [&](const ConstraintIntegrability& c) {
    return c.constraint == interaction.index;
  });
  return found == all.end() ? nullptr : &*found;
}

bool is_readable(const Vector& v) {
  std::vector<Expr> all;
  for (const Vector::Part& part : v.parts())
    all.insert(all.end(), part.column.begin(), part.column.end());
  if (count_operations(all).total() > most_operations) return false;
  const std::string text = print_vector(v);
  return text.size() <= longest_formula && text.find(" where ") == std::string::npos;
}

bool acts(const PartAction& action) { return !action.force.is_zero() || !action.moment.is_zero(); }

std::string point_name(const InteractionReport& report, int part) {
  return report.model().points[report.interactions.part(part).point].name;
}

std::vector<std::string> list_breaks(const Invariance& invariance) {
  std::vector<std::string> breaks;
  if (invariance.breaks_translation) breaks.emplace_back("translation");
  if (invariance.breaks_rotation) breaks.emplace_back("rotation");
  if (invariance.breaks_time) breaks.emplace_back("time");
  return breaks;
}

std::string explain_breaks(const InteractionReport& report, const Interaction& i) {
  const Invariance& alone = i.alone;
  if (alone.decision() == Decision::undecided)
    return i.is_placed ? "its law could not be followed under a rigid motion"
                       : "where it acts is not known";
  if (alone.decision() == Decision::yes) return "";
  std::vector<std::string> reasons;
  if (i.is_one_sided) reasons.emplace_back("it is given from outside: nothing takes its reaction");
  if (names_ground(report, i))
    reasons.emplace_back("it names the ground");
  else if (alone.is_law_fixed)
    reasons.emplace_back("its law is fixed to the ground");
  if (alone.breaks_time) {
    std::vector<std::string> names = i.time.explicit_names;
    const bool gives_velocity = names.empty() && i.is_constraint();
    if (names.empty()) names.emplace_back("time");
    reasons.push_back(gives_velocity ? "it gives a velocity, which no part of the model has"
                                     : "it depends on " + join_words(names) + " explicitly");
  }
  if (reasons.empty())
    reasons.emplace_back(
        "its forces are not along the line between their points, and leave a couple");
  return join_words(reasons);
}

std::string explain_time(const InteractionReport& report, const Interaction& i) {
  const std::vector<std::string> driven = list_moved(report, i, false),
                                 carried = list_moved(report, i, true);
  const bool is_explicit = !i.time.explicit_power.is_zero();
  if (driven.empty() && carried.empty() && !is_explicit) return "";
  std::string text;
  const auto say = [&](const std::vector<std::string>& names, const char* how) {
    if (names.empty()) return;
    text += text.empty() ? "it follows time through " : " and through ";
    text += join_words(names) + ", which " + (names.size() == 1 ? "is " : "are ") + how;
  };
  say(driven, "driven");
  say(carried, "carried by what is driven");
  if (is_explicit) {
    if (!text.empty()) text += "; ";
    const std::vector<std::string>& names = i.time.explicit_names;
    text += (names.empty() ? std::string("the velocity that it gives") : join_words(names)) +
            " stands for a driven body that the model does not have: declare the point or frame it "
            "moves";
  }
  return text;
}

}  // namespace visviva
