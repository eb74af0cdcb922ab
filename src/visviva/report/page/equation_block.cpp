#include "visviva/report/page/equation_block.h"

#include "visviva/base/escape.h"

namespace visviva {
namespace {

std::string equation_html(const PageEquation& e, bool lean) {
  std::vector<MathPiece> all = e.left;
  // A short left side stays with the relation.
  const std::string relation = "<mo form=\"infix\">" + e.relation + "</mo>";
  if (all.size() == 1 && all[0].causes.empty()) {
    all[0].mathml += "<mo>" + e.relation + "</mo>";
    all[0].plain.clear();
  } else {
    all.push_back({relation});
  }
  all.insert(all.end(), e.right.begin(), e.right.end());
  std::string html = "<div class=\"eq";
  if (!e.causes.empty())
    html += " term\"" + cause_attribute(e.causes) + ">";
  else
    html += "\">";
  html += pieces_html(all, lean);
  if (!e.note.empty()) html += " <span class=\"note\">" + e.note + "</span>";
  return html + "</div>\n";
}

std::string copied(const char* kind, const std::string& text) {
  return std::string("<pre hidden data-copy-text=\"") + kind + "\">" + escape_html(text) +
         "</pre>\n";
}

}  // namespace

std::string write_equation_block(const EquationBlock& block) {
  if (block.equations.empty()) return "";
  std::string html = "<div class=\"equations\">\n<div class=\"wide\">\n";
  for (const PageEquation& e : block.equations) html += equation_html(e, block.lean);
  html += "</div>\n";
  if (!block.latex.empty())
    html += "<button type=\"button\" class=\"copy\" data-copy=\"latex\">Copy LaTeX</button>\n";
  if (!block.c.empty())
    html += "<button type=\"button\" class=\"copy\" data-copy=\"c\">Copy C</button>\n";
  if (!block.latex.empty()) html += copied("latex", block.latex);
  if (!block.c.empty()) html += copied("c", block.c);
  return html + "</div>\n";
}

std::string fold(const std::string& summary, const std::string& html, bool is_open) {
  return std::string("<details") + (is_open ? " open" : "") + "><summary>" + summary +
         "</summary>\n" + html + "</details>\n";
}

}  // namespace visviva
