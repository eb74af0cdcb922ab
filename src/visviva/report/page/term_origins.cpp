#include "visviva/report/page/term_origins.h"

#include <fmt/format.h>

#include "visviva/report/page/html_causes.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/math_html.h"

namespace visviva {
namespace {

constexpr std::size_t most_named_speeds = 6;  // beyond this all speeds are "every speed"

Html list_speeds(const Derivation& d, const ForceTerm& term) {
  std::vector<Html> names;
  for (std::size_t i = 0; i < term.values.size(); ++i) {
    if (!term.values[i].is_zero())
      names.push_back(math_name_html(d.speed_name(d.embedded.independent[i])));
  }
  const bool all = names.size() == term.values.size() && names.size() > most_named_speeds;
  return all ? "every speed" : join_html(names);
}

// What came from no text can be reached with the keyboard, too.
Html name_html(const ForceTerm& term, int cause) {
  const int line = term.source.span.line;
  if (line > 0)
    return element("a", with_causes({{"href", fmt::format("#line-{}", line)}}, {cause}), term.name);
  return element("span", with_causes({{"tabindex", "0"}}, {cause}), term.name);
}

struct TermList {
  const std::vector<ForceTerm>& terms;
  Cause::Kind kind;
  const char* word;
};

void add_rows(const Derivation& d, const Causes& causes, const TermList& list, HtmlTable* table) {
  for (const ForceTerm& t : list.terms) {
    const std::optional<int> cause = causes.find(list.kind, t.name);
    const Html speeds = list_speeds(d, t);
    if (speeds.empty() || !cause) continue;
    const int line = t.source.span.line;
    table->rows.push_back(
        {name_html(t, *cause),
         line > 0 ? fmt::format("{}, line {}", list.word, line) : std::string(list.word), speeds});
  }
}

}  // namespace

Html make_term_origins(const Derivation& derivation, const Causes& causes) {
  HtmlTable table{.heads = {"what", "kind", "adds to the equation of"}};
  add_rows(derivation, causes, {derivation.active_terms, Cause::Kind::load, "load"}, &table);
  add_rows(derivation, causes, {derivation.inertia_terms, Cause::Kind::body, "inertia"}, &table);
  if (table.rows.empty()) return {};
  return heading("Where the terms come from") +
         paragraph(
             "Point at a name, or move to it with the Tab key, to light up its terms. What "
             "simplification made of terms of several lights up with all that may have brought "
             "it.") +
         write_table(table);
}

}  // namespace visviva
