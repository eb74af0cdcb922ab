#include "visviva/report/plot/plot_file.h"

#include <fmt/format.h>

#include <sstream>

#include "visviva/base/escape.h"
#include "visviva/base/utf8.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/plot/plot_series.h"
#include "visviva/report/plot/plot_svg.h"

namespace visviva {
namespace {

constexpr double width = 760, margin = 20, letter = 7.2;

// Programs that know no style sheets use the attributes instead.
constexpr const char* file_style =
    "<style>\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  .plot-paper { fill: #14181e; } text { fill: #9ba5b3; } .plot-heading, .plot-name { fill: "
    "#e4e7ec; }\n"
    "  .plot-grid { stroke: #333b46; } .plot-base, .plot-event line { stroke: #9ba5b3; }\n"
    "  .plot-limit line { stroke: #ff8f87; } .plot-limit text { fill: #ff8f87; }\n"
    "  .plot-floor line { stroke: #9ba5b3; } .plot-floor text { fill: #9ba5b3; }\n"
    "  .c0 { stroke: #66b0ff; } .c1 { stroke: #ff9d57; } .c2 { stroke: #5fd08e; } .c3 { stroke: "
    "#d590ec; }\n"
    "  .c4 { stroke: #ff87a3; } .c5 { stroke: #4fd0dd; } .c6 { stroke: #e0c04a; } .c7 { stroke: "
    "#a5a5ff; }\n"
    "  .c8 { stroke: #cfa987; } .c9 { stroke: #aab5c3; }\n"
    "}\n"
    "</style>\n";

class PlotFile {
 public:
  std::string write(const std::vector<Plot>& plots, const std::string& title) {
    y_ = 34;
    add_text("plot-heading", margin, 18, title);
    for (const Plot& plot : plots) add_plot(plot);
    if (plots.empty()) add_text("plot-name", margin, 13, "There is nothing to plot.");
    const std::string words =
        plots.empty() ? "No plots." : fmt::format("{} plots over time.", plots.size());
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- written by visviva simulate -->\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" "
               "width=\"{0}\" "
               "height=\"{1:.0f}\" role=\"group\" font-family=\"system-ui, 'Noto Sans', 'DejaVu "
               "Sans', "
               "sans-serif\">\n<title>{2}</title><desc>{3}</desc>\n{4}"
               "<rect class=\"plot-paper\" width=\"100%\" height=\"100%\" fill=\"#fdfcf9\"/>\n",
               width, y_ + margin, escape_html(title), words, file_style) +
           out_ + "</svg>\n";
  }

 private:
  void add_text(const char* kind, double x, double size, const std::string& text) {
    out_ += fmt::format(
        "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" "
        "fill=\"#1d2430\">{}</text>\n",
        kind, x, y_, size, escape_html(text));
  }

  void add_plot(const Plot& plot) {
    out_ += "<g role=\"img\"><title>" + escape_html(plot.title) + "</title><desc>" +
            escape_html(describe_plot(plot)) + "</desc>\n";
    y_ += 32;
    const std::string unit = unit_words(plot);
    add_text("plot-heading", margin, 15, unit.empty() ? plot.title : plot.title + ", " + unit);
    add_legend(plot);
    const PanelLayout layout{
        .x = margin, .y = y_ + 6, .width = width - 2 * margin, .height = 250, .is_scaled = false};
    out_ += write_panel(plot, layout);
    y_ += 6 + layout.height;
    add_remark(plot.remark);
    out_ += "</g>\n";
  }

  // Names beside pieces of their lines, in as many rows as they need.
  void add_legend(const Plot& plot) {
    double x = margin;
    y_ += 22;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
      const std::string name = cut_text(plot.series[i].name, 90);
      const double room = 44 + letter * double(count_characters(name));
      if (x > margin && x + room > width - margin) {
        x = margin;
        y_ += 18;
      }
      out_ += fmt::format(
          "<line {} stroke-width=\"3\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
          series_stroke(i), x, y_ - 4, x + 18, y_ - 4);
      add_text("plot-name", x + 24, 13, name);
      x += room;
    }
  }

  void add_remark(const std::string& words) {
    std::istringstream lines(wrap_words("", words));
    for (std::string line; std::getline(lines, line);) {
      y_ += 16;
      add_text("plot-remark", margin, 12, line);
    }
  }

  std::string out_;
  double y_ = 0;
};

}  // namespace

std::string write_plot_file(const std::vector<Plot>& plots, const std::string& title) {
  return PlotFile().write(plots, title);
}

}  // namespace visviva
