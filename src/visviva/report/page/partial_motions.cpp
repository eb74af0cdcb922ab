#include "visviva/report/page/partial_motions.h"

#include "visviva/base/words.h"
#include "visviva/report/page/equation_block.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/math_html.h"

namespace visviva {
namespace {

constexpr std::size_t most_open_rows = 6;

bool is_zero(const FramedColumn& c) {
  return c.components[0].is_zero() && c.components[1].is_zero() && c.components[2].is_zero();
}

bool is_still(const PartialMotion& m) {
  for (const FramedColumn& c : m.by_speed)
    if (!is_zero(c)) return false;
  return is_zero(m.remainder);
}

Html cell(const FramedColumn& c, const PrintedForms& written) {
  const std::vector<Expr> components(c.components.begin(), c.components.end());
  return pieces_html(vector_pieces(written, c.frame, components), true);
}

struct Subject {
  const char* title;
  const char* noun;
  const std::vector<PartialMotion>& motions;
};

Html tabulate(const Derivation& d, const Subject& subject, const PrintedForms& written) {
  bool has_remainder = false;
  HtmlTable table{.heads = {subject.noun}};
  for (const PartialMotion& m : subject.motions) has_remainder |= !is_zero(m.remainder);
  for (const Speed& s : d.equations.motion.speeds())
    table.heads.push_back("by " + math_name_html(s.name));
  if (has_remainder) table.heads.push_back("remainder");
  std::vector<std::string> still;
  for (const PartialMotion& m : subject.motions) {
    if (is_still(m)) {
      still.push_back(m.name);
      continue;
    }
    std::vector<HtmlCell> cells = {m.name};
    for (const FramedColumn& c : m.by_speed) cells.push_back(cell(c, written));
    if (has_remainder) cells.push_back(cell(m.remainder, written));
    table.rows.push_back(std::move(cells));
  }
  if (table.rows.empty()) return {};
  Html html = write_table(table);
  if (!still.empty())
    html += element("p", {{"class", "muted"}},
                    list_words(still) + (still.size() == 1 ? " does not move." : " do not move.")) +
            "\n";
  if (table.rows.size() > most_open_rows)
    html = fold(counted(table.rows.size(), subject.noun), html);
  return heading(subject.title) + html;
}

}  // namespace

Html make_partial_motions(const Derivation& derivation, const PrintedForms& written) {
  return tabulate(derivation, {"Partial velocities", "point", derivation.points}, written) +
         tabulate(derivation, {"Partial angular velocities", "frame", derivation.frames}, written);
}

}  // namespace visviva
