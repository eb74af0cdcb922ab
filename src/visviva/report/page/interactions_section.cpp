#include "visviva/report/page/interactions_section.h"

#include <fmt/format.h>

#include <cmath>

#include "visviva/base/words.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/derivation/integrability_text.h"
#include "visviva/report/interactions/interactions_text.h"
#include "visviva/report/page/html_causes.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/math_html.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

Html decision_html(Decision decision, const char* yes, const char* no) {
  switch (decision) {
    case Decision::yes:
      return element("span", {{"class", "verdict good"}}, std::string("\u2713 ") + yes);
    case Decision::no:
      return element("span", {{"class", "verdict bad"}}, std::string("\u2717 ") + no);
    case Decision::undecided:
      break;
  }
  return element("span", {{"class", "verdict none"}}, "? undecided");
}

std::string numbers_text(const std::array<double, 3>& v) {
  std::vector<std::string> words;
  for (const double x : v)
    words.push_back(std::isfinite(x) ? fmt::format("{:.5g}", x == 0 ? 0.0 : x) : "?");
  return words[0] + ", " + words[1] + ", " + words[2];
}

Html action_html(const Vector& v) {
  if (v.is_zero()) return "0";
  if (!is_readable(v)) return "(a long expression)";
  return math_html(print_vector(v, Notation::mathml));
}

class InteractionsPage {
 public:
  InteractionsPage(const InteractionReport& report, const Causes& causes)
      : r_(report), causes_(causes) {}

  Html make() const {
    const std::vector<Interaction>& all = r_.interactions.list();
    HtmlTable table{
        .heads = {"interaction", "kind", "acts on", "under superposed motions", "third law"}};
    Html details;
    for (std::size_t k = 0; k < all.size(); ++k) {
      table.rows.push_back(summary(all[k], r_.values[k]));
      details += detail(all[k], r_.values[k]);
    }
    return paragraph(
               "Moved and turned together, at any time: an interaction is invariant when nothing "
               "changes then. Forces and moments at "
               "the start state, along N; moments about mass centers.") +
           write_table(table) + details;
  }

 private:
  std::vector<HtmlCell> summary(const Interaction& i, const InteractionValues& values) const {
    std::vector<std::string> on;
    for (const PartAction& a : i.actions) {
      if (acts(a)) on.push_back(r_.interactions.part(a.part).name);
    }
    const Decision law = i.is_placed ? values.with_ground.holds : Decision::undecided;
    const char* holds = values.alone.holds == Decision::yes ? "holds" : "holds with the ground";
    return {link_to_line(i.source.span.line, i.name), std::string(kind_name(i.kind)),
            on.empty() ? Html("\u2013") : Html(join_words(on)),
            decision_html(i.alone.decision(), "invariant", "not invariant"),
            decision_html(law, holds, i.is_one_sided ? "from outside" : "does not hold")};
  }

  Html detail(const Interaction& i, const InteractionValues& values) const {
    if (!i.is_placed)
      return named(
          i, paragraph("Where it acts is not known: it is a generalized force without a place."));
    HtmlTable table{.heads = {"on", "force", "N", "moment", "N m", "about"}};
    for (std::size_t k = 0; k < i.actions.size(); ++k) {
      const PartAction& a = i.actions[k];
      if (!acts(a)) continue;
      const Part& part = r_.interactions.part(a.part);
      const bool turns = part.takes_moments();
      table.rows.push_back({part.name, action_html(a.force),
                            number_cell(numbers_text(values.on[k].force)),
                            turns ? action_html(a.moment) : Html("\u2013"),
                            number_cell(turns ? numbers_text(values.on[k].moment) : "\u2013"),
                            turns ? Html(point_name(r_, a.part)) : Html("\u2013")});
    }
    Html html = table.rows.empty() ? Html() : write_table(table);
    if (!i.open.empty()) html += paragraph(open_sentence(i));
    html += paragraph(invariance_sentence(r_, i)) + paragraph(third_law_sentence(r_, i, values));
    for (const std::string& sentence :
         {identity_sentence(r_, i, values), power_sentence(r_, i, values),
          time_sentence(r_, i, values), class_sentence(r_, i)}) {
      if (!sentence.empty()) html += paragraph(sentence);
    }
    if (const ConstraintIntegrability* found = r_.find_integrability(i)) {
      for (const RowIntegrability& row : found->rows)
        html += paragraph("Integrability: " + write_integrability(row) + ".");
    }
    return named(i, html);
  }

  Html named(const Interaction& i, const Html& content) const {
    std::vector<int> causes;
    for (const Cause::Kind kind :
         {Cause::Kind::load, Cause::Kind::constraint, Cause::Kind::motor}) {
      if (const auto cause = causes_.find(kind, i.name)) causes.push_back(*cause);
    }
    return element("details", with_causes({}, causes),
                   element("summary", i.name + " (" + std::string(kind_name(i.kind)) + ")") + "\n" +
                       content) +
           "\n";
  }

  const InteractionReport& r_;
  const Causes& causes_;
};

}  // namespace

Html make_interactions_section(const InteractionReport& report, const Causes& causes) {
  if (report.interactions.list().empty()) return {};
  const Workspace work(report.interactions.pool());
  return InteractionsPage(report, causes).make();
}

}  // namespace visviva
