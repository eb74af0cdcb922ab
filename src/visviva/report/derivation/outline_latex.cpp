#include "visviva/report/derivation/outline_latex.h"

#include <algorithm>

#include "visviva/base/words.h"
#include "visviva/report/derivation/latex_lines.h"

namespace visviva {
namespace {

// The text of LaTeX's article class on A4 is 345 pt wide.
constexpr double line_width = 330;
// A wider left side has a line of its own.
constexpr double widest_left = 90;
constexpr double relation_width = 14;
constexpr double note_gap = 20;
// One environment of a thousand equations exceeds what TeX holds.
constexpr std::size_t most_equations = 40;

std::string join_lines(const std::vector<std::string>& lines, const std::string& next_line) {
  return join_words(lines, " \\\\\n" + next_line);
}

std::string left_of(const OutlineEquation& e) {
  return (e.label.empty() ? "" : "\\text{" + e.label + ":}\\quad ") + e.left;
}

std::string note_of(const OutlineEquation& e) { return "\\text{(" + e.note + ")}"; }

// Columns are as wide as their widest entries: left sides, right sides, notes.
struct Columns {
  explicit Columns(const std::vector<OutlineEquation>& equations) {
    double notes = 0, rights = 0;
    for (const OutlineEquation& e : equations) {
      const double w = latex_width(left_of(e));
      if (w <= widest_left) left = std::max(left, w);
      if (!e.note.empty()) notes = std::max(notes, latex_width(note_of(e)));
    }
    right = line_width - left - relation_width;
    for (const OutlineEquation& e : equations) {
      const bool is_long = latex_width(left_of(e)) > widest_left;
      rights = std::max(rights, std::min(right, latex_width(e.right)));
      if (is_long) rights = std::max(rights, std::min(right, latex_width(left_of(e))));
    }
    notes_fit = left + relation_width + rights + note_gap + notes <= line_width;
  }
  double left = 0, right = 0;
  bool notes_fit = true;
};

std::string equation_latex(const OutlineEquation& e, const Columns& columns) {
  const std::string next = "  &\\quad {}";
  const std::string left = left_of(e);
  const bool is_long = latex_width(left) > widest_left;
  std::string text = "  ";
  // Of a long left side and a short right one the relation stays on the last line.
  const std::vector<std::string> lines = break_latex(left, columns.right);
  const bool goes_on =
      is_long &&
      latex_width(lines.back()) + relation_width + latex_width(e.right) + 10 <= columns.right;
  if (!is_long)
    text += left + " &";
  else
    text += "&" + join_lines(lines, next) + (goes_on ? " " : " \\\\\n  &");
  text += e.relation + " " + join_lines(break_latex(e.right, columns.right), next);
  if (!e.note.empty())
    text += columns.notes_fit ? " && " + note_of(e) : " \\\\\n  &\\quad " + note_of(e);
  return text;
}

std::string table_latex(const OutlineTable& table) {
  std::vector<std::string> heads;
  double widest = 0;
  for (const auto& row : table.rows) {
    const std::string line = row.line > 0 ? " (line " + std::to_string(row.line) + ")" : "";
    heads.push_back("\\text{" + (row.kind.empty() ? "" : row.kind + ": ") + row.name + line + "}");
    widest = std::max(widest, latex_width(heads.back()));
  }
  std::string rows;
  bool fits = widest <= line_width / 2;
  for (const auto& row : table.rows) {
    for (const std::string& line : break_latex(row.value, line_width - widest - 10))
      fits = fits && latex_width(line) <= line_width - widest - 10;
  }
  const double right = fits ? line_width - widest - 10 : line_width - 10;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (!rows.empty()) rows += " \\\\\n";
    rows += (fits ? "  " + heads[i] + " &\\quad " : "  &" + heads[i] + " \\\\\n  &\\quad ") +
            join_lines(break_latex(table.rows[i].value, right), "  &\\quad\\quad {}");
  }
  return "For $" + table.head + "$:\n\\begin{align*}\n" + rows + "\n\\end{align*}\n";
}

}  // namespace

std::string write_equations_latex(const std::vector<OutlineEquation>& equations) {
  if (equations.empty()) return "";
  const Columns columns(equations);
  std::string text;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const bool is_first = i % most_equations == 0;
    if (is_first) text += (i == 0 ? "" : "\n\\end{align*}\n") + std::string("\\begin{align*}\n");
    text += (is_first ? "" : " \\\\\n") + equation_latex(equations[i], columns);
  }
  return text + "\n\\end{align*}\n";
}

std::string write_section_latex(const OutlineSection& s) {
  std::string text = s.title.empty() ? "" : "\n\\paragraph{" + s.title + "}\n";
  for (const std::string& w : s.words) text += w + "\n";
  text += write_equations_latex(s.equations);
  for (const OutlineTable& t : s.tables) text += table_latex(t);
  return text;
}

}  // namespace visviva
