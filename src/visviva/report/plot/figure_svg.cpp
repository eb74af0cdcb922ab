// Figures as SVG: shapes as they are, text as text.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "visviva/base/escape.h"
#include "visviva/report/plot/figure.h"

namespace visviva {
namespace {

// Programs that know no style sheets use the attributes instead.
constexpr const char* figure_style =
    "<style>\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  .plot-paper { fill: #14181e; } text { fill: #9ba5b3; } text.plot-name { fill: #e4e7ec; }\n"
    "  path.plot-grid { stroke: #333b46; } path.plot-base, path.plot-event { stroke: #9ba5b3; }\n"
    "  path.plot-bound { stroke: #ff8f87; } text.plot-bound { fill: #ff8f87; }\n"
    "  .c0 { stroke: #66b0ff; } .c1 { stroke: #ff9d57; } .c2 { stroke: #5fd08e; }\n"
    "  .c3 { stroke: #d590ec; } .c4 { stroke: #ff87a3; } .c5 { stroke: #4fd0dd; }\n"
    "  .c6 { stroke: #e0c04a; } .c7 { stroke: #a5a5ff; } .c8 { stroke: #cfa987; }\n"
    "  .c9 { stroke: #aab5c3; }\n"
    "}\n"
    "</style>\n";

class SvgWriter {
 public:
  std::string write(const Figure& figure) {
    add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {2} -->\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
        "height=\"{1:g}\" role=\"img\" font-family=\"system-ui, 'Noto Sans', 'DejaVu Sans', "
        "sans-serif\">\n",
        figure.width, figure.height, plot_mark);
    add("<title>{}</title>\n<desc>{}</desc>\n{}", escape_html(figure.title),
        escape_html(figure.words), figure_style);
    add("<rect class=\"plot-paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    add("<g fill=\"none\" class=\"plot-lines\">\n");
    for (const FigureCurve& line : figure.lines) add_curve(line, 0, 0);
    const FigureRect& area = figure.area;
    // A nested svg cuts off what is outside.
    add("</g>\n<svg class=\"plot-area\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" "
        "fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
        area.x, area.y, area.width, area.height);
    for (const FigureCurve& curve : figure.curves) add_curve(curve, area.x, area.y);
    add("</svg>\n<g class=\"plot-dots\">\n");
    for (const FigureDot& dot : figure.dots)
      add("<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" stroke=\"{}\" "
          "stroke-width=\"1.6\" fill=\"{}\"/>\n",
          dot.ink.kind, dot.x, dot.y, dot.radius, dot.ink.colour,
          dot.is_open ? "#ffffff" : dot.ink.colour);
    add("</g>\n");
    for (const FigureText& text : figure.texts) add_text(text);
    return std::move(out_) + "</svg>\n";
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Values>(values)...);
  }

  void add_curve(const FigureCurve& curve, double x, double y) {
    add("<path class=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\"", curve.ink.kind, curve.ink.colour,
        curve.width);
    if (curve.dashes[0] > 0)
      add(" stroke-dasharray=\"{:g} {:g}\"", curve.dashes[0], curve.dashes[1]);
    add(" d=\"");
    bool is_fresh = true;
    for (const auto& p : curve.points) {
      const bool is_there = std::isfinite(p[0]) && std::isfinite(p[1]);
      if (is_there) add("{}{:.3f} {:.3f}", is_fresh ? "M" : "L", p[0] - x, p[1] - y);
      is_fresh = !is_there;
    }
    add("\"/>\n");
  }

  void add_text(const FigureText& text) {
    static constexpr const char* anchors[] = {"start", "middle", "end"};
    add("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:g}\" text-anchor=\"{}\" "
        "fill=\"{}\"",
        text.ink.kind, text.x, text.y, text.size, anchors[static_cast<int>(text.anchor)],
        text.ink.colour);
    if (text.is_upward) add(" transform=\"rotate(-90 {:.2f} {:.2f})\"", text.x, text.y);
    add(">{}</text>\n", escape_html(text.text));
  }

  std::string out_;
};

}  // namespace

std::string write_figure_svg(const Figure& figure) { return SvgWriter().write(figure); }

}  // namespace visviva
