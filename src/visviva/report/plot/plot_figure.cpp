#include "visviva/report/plot/plot_figure.h"

#include <fmt/format.h>

#include "visviva/base/escape.h"
#include "visviva/report/derivation/causes.h"
#include "visviva/report/plot/plot_svg.h"

namespace visviva {
namespace {

// A button for each series, with a piece of its line.
std::string write_legend(const Plot& plot) {
  std::string html = fmt::format("<div class=\"plot-legend\" role=\"group\" aria-label=\"{}\">",
                                 escape_html("Series of " + plot.title));
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    html += fmt::format(
        "<button type=\"button\" aria-pressed=\"true\"{}><svg width=\"18\" height=\"8\" "
        "aria-hidden=\"true\"><line x1=\"1\" y1=\"4\" x2=\"17\" y2=\"4\" stroke-width=\"3\" "
        "{}/></svg>"
        "<span>{}</span></button>",
        cause_attribute(series.causes), series_stroke(i), escape_html(series.name));
  }
  return html + "</div>\n";
}

std::string write_picture(const Plot& plot, const std::string& id, std::size_t samples) {
  const PanelLayout layout{.samples = samples};
  const PlotAxis axis = make_value_axis(plot);
  std::string html = fmt::format(
      "<svg class=\"plot-picture\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-title "
      "{}-words\" data-from=\"{:.17g}\" data-until=\"{:.17g}\" data-low=\"{:.17g}\" "
      "data-high=\"{:.17g}\" data-least=\"{:.17g}\" data-scale=\"{}\" data-unit=\"{}\">\n",
      layout.width, layout.height, id, id, plot.from, plot.until, axis.from, axis.until,
      plot.least_range, plot.is_log ? "log" : "linear",
      plot.unit == "1" ? "" : escape_html(plot.unit));
  html += fmt::format("<title id=\"{}-title\">{}</title><desc id=\"{}-words\">{}</desc>\n", id,
                      escape_html(plot.title), id, escape_html(describe_plot(plot)));
  return html + write_panel(plot, layout) + "</svg>\n";
}

}  // namespace

std::string write_plot_figure(const Plot& plot, const std::string& id, std::size_t samples) {
  std::string html = fmt::format(
      "<figure class=\"plot\" id=\"{}\">\n<figcaption>{} <span "
      "class=\"muted\">{}</span></figcaption>\n",
      id, escape_html(plot.title), escape_html(unit_words(plot)));
  html += write_legend(plot) + "<div class=\"plot-frame\">\n" + write_picture(plot, id, samples) +
          "</div>\n";
  if (!plot.remark.empty())
    html += "<p class=\"plot-remark muted\">" + escape_html(plot.remark) + "</p>\n";
  html += "</figure>\n";
  if (!plot.is_folded) return html;
  return "<details><summary>" + escape_html(plot.title) + "</summary>\n" + html + "</details>\n";
}

}  // namespace visviva
