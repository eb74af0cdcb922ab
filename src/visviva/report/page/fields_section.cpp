#include "visviva/report/page/fields_section.h"

#include "visviva/report/page/equation_block.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using FieldKind = FieldLine::Kind;

const char* words_for(FieldKind kind) {
  switch (kind) {
    case FieldKind::natural:
      return "natural, at ";
    case FieldKind::geometric:
      return "given, at ";
    case FieldKind::through:
      return "through ";
    case FieldKind::energy:
      return "energy per length";
    case FieldKind::flux:
      return "power that passes a place";
    case FieldKind::power:
      return "power per length of what has no potential";
    default:
      return "";
  }
}

bool is_of_balance(FieldKind kind) { return kind >= FieldKind::energy; }

PageEquation make_equation(const FieldLine& line) {
  PageEquation equation;
  equation.left.push_back({lean_mathml(line.left)});
  equation.right.push_back({lean_mathml(line.right)});
  if (line.kind == FieldKind::coordinate || line.kind == FieldKind::constraint)
    equation.note = Html(line.head);
  else
    equation.note = Html(words_for(line.kind));
  if (!line.place.empty()) equation.note += math_html(line.place);
  return equation;
}

Html make_block(const FieldPanel& panel, bool of_balance) {
  EquationBlock block{.latex = of_balance ? "" : panel.latex};
  for (const FieldLine& line : panel.lines)
    if (is_of_balance(line.kind) == of_balance) block.equations.push_back(make_equation(line));
  return block.equations.empty() ? Html() : write_equation_block(block);
}

}  // namespace

Html make_fields_section(const FieldPanel& panel) {
  if (panel.lines.empty()) return {};
  Html html = paragraph(
      "What Hamilton's principle says of the continuous bodies, before they were discretized: an "
      "equation for every place, and "
      "what holds at the ends. Natural conditions follow from the energies and from what hangs "
      "there.");
  html += make_block(panel, false);
  html += heading("Work and energy");
  std::string variable = "<mi>x</mi>";
  for (const FieldLine& line : panel.lines)
    if (line.kind == FieldKind::energy) variable = print_name(line.head, Notation::mathml);
  html += paragraph(
      Html("Energy per length e, power S that passes a place, and power p per length obey ") +
      math_html(std::string("<mfrac><mrow><mo>&#x2202;</mo><mi>e</mi></mrow><mrow><mo>&#x2202;</"
                            "mo><mi>t</mi></mrow></mfrac>") +
                "<mo>+</mo><mfrac><mrow><mo>&#x2202;</mo><mi>S</mi></mrow><mrow><mo>&#x2202;</mo>" +
                variable + "</mrow></mfrac><mo>=</mo><mi>p</mi>") +
      (panel.is_balance_proved ? ", which is proved." : ", which is NOT proved."));
  html += make_block(panel, true);
  return html;
}

}  // namespace visviva
