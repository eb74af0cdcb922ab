// LaTeX of a derivation: a fragment for a document that uses amsmath.
#include <algorithm>

#include "visviva/report/derivation_outline.h"
#include "visviva/report/derivation_text.h"

namespace visviva {
namespace {

constexpr std::size_t line_length = 220;  // characters of source, about a line of the page

// A long sum on several lines, each after the alignment mark.
std::string broken(const std::string& sum, const std::string& next_line) {
  std::string text;
  std::size_t used = 0;
  for (const std::string& term : split_terms(sum)) {
    const bool first = text.empty();
    if (!first && used + term.size() > line_length) {
      text += " \\\\\n" + next_line + term;
      used = term.size();
    } else {
      text += (first ? "" : " ") + term;
      used += term.size();
    }
  }
  return text;
}

std::string align(const std::vector<OutlineEquation>& equations) {
  std::string text;
  for (const OutlineEquation& e : equations) {
    if (!text.empty()) text += " \\\\\n";
    // A long left side ends before a line that starts with the relation.
    const std::string left = broken(e.left, "  &\\quad {}");
    const bool long_left = e.left.size() > line_length;
    const std::string label = e.label.empty() ? "" : "\\text{" + e.label + ":}\\quad ";
    text += "  " + label + (long_left ? "&" + left + " \\\\\n  &" : left + " &") + e.relation +
            " " + broken(e.right, "  &\\quad {}");
    if (!e.note.empty()) text += " && \\text{(" + e.note + ")}";
  }
  return "\\begin{align*}\n" + text + "\n\\end{align*}\n";
}

std::string table_latex(const OutlineTable& table) {
  std::string rows;
  for (const auto& row : table.rows) {
    if (!rows.empty()) rows += " \\\\\n";
    const std::string line = row.line > 0 ? " (line " + std::to_string(row.line) + ")" : "";
    rows += "  \\text{" + (row.kind.empty() ? "" : row.kind + ": ") + row.name + line +
            "} &\\quad " + broken(row.value, "  &\\quad\\quad {}");
  }
  return "For $" + table.head + "$:\n\\begin{align*}\n" + rows + "\n\\end{align*}\n";
}

}  // namespace

std::string write_derivation_latex(const Derivation& derivation) {
  const Outline outline = make_outline(derivation, Notation::latex);
  std::string text = "% Needs \\usepackage{amsmath}.\n\\paragraph{" + outline.title + "}\n";
  for (const OutlineSection& s : outline.sections) {
    if (!s.title.empty()) text += "\n\\paragraph{" + s.title + "}\n";
    for (const std::string& w : s.words) text += w + "\n";
    if (!s.equations.empty()) text += align(s.equations);
    for (const OutlineTable& t : s.tables) text += table_latex(t);
  }
  return text;
}

}  // namespace visviva
