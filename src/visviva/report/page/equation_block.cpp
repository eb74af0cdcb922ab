#include "visviva/report/page/equation_block.h"

#include "visviva/report/page/html_causes.h"

namespace visviva {
namespace {

Html equation_html(const PageEquation& e, bool lean) {
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
  const HtmlAttributes attributes = {{"class", e.causes.empty() ? "eq" : "eq term"}};
  Html content = pieces_html(all, lean);
  if (!e.note.empty()) content += " " + element("span", {{"class", "note"}}, e.note);
  return element("div", with_causes(attributes, e.causes), content) + "\n";
}

Html copy_button(const char* kind, const char* words) {
  return element("button", {{"type", "button"}, {"class", "copy"}, {"data-copy", kind}}, words) +
         "\n";
}

Html copied_text(const char* kind, const std::string& text) {
  return element("pre", {{"hidden"}, {"data-copy-text", kind}}, text) + "\n";
}

}  // namespace

Html write_equation_block(const EquationBlock& block) {
  if (block.equations.empty()) return {};
  Html equations = "\n";
  for (const PageEquation& e : block.equations) equations += equation_html(e, block.lean);
  Html content = "\n" + element("div", {{"class", "wide"}}, equations) + "\n";
  if (!block.latex.empty()) content += copy_button("latex", "Copy LaTeX");
  if (!block.c.empty()) content += copy_button("c", "Copy C");
  if (!block.latex.empty()) content += copied_text("latex", block.latex);
  if (!block.c.empty()) content += copied_text("c", block.c);
  return element("div", {{"class", "equations"}}, content) + "\n";
}

Html fold(const Html& summary, const Html& content) {
  return element("details", element("summary", summary) + "\n" + content) + "\n";
}

}  // namespace visviva
