#include "visviva/report/page/plot_figure.h"

#include <fmt/format.h>

#include "visviva/report/page/equation_block.h"
#include "visviva/report/page/html_causes.h"
#include "visviva/report/plot/plot_svg.h"

namespace visviva {
namespace {

// A button for each series, with a piece of its line.
Html write_legend(const Plot& plot) {
  Html buttons;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    const Html line = raw_html("<line x1=\"1\" y1=\"4\" x2=\"17\" y2=\"4\" stroke-width=\"3\" " +
                               series_stroke(i) + "/>");
    buttons += element(
        "button", with_causes({{"type", "button"}, {"aria-pressed", "true"}}, series.causes),
        element("svg", {{"width", "18"}, {"height", "8"}, {"aria-hidden", "true"}}, line) +
            element("span", series.name));
  }
  return element("div",
                 {{"class", "plot-legend"},
                  {"role", "group"},
                  {"aria-label", "Series of " + plot.title}},
                 buttons) +
         "\n";
}

std::string exact(double value) { return fmt::format("{:.17g}", value); }

void add_abscissa(const Plot& plot, HtmlAttributes* attributes) {
  const PlotAxis axis = make_place_axis(plot);
  attributes->emplace_back("data-over", plot.over);
  attributes->emplace_back("data-over-unit", plot.over_unit == "1" ? "" : plot.over_unit);
  attributes->emplace_back("data-left", exact(axis.from));
  attributes->emplace_back("data-right", exact(axis.until));
  if (!plot.is_of_run) attributes->emplace_back("data-still", "yes");
  if (is_path(plot)) attributes->emplace_back("data-path", "yes");
}

Html write_picture(const Plot& plot, const std::string& id, std::size_t samples) {
  PanelLayout layout{.samples = samples};
  if (!plot.is_over_time()) layout.height = 380;
  const PlotAxis axis = make_value_axis(plot);
  HtmlAttributes attributes = {{"class", "plot-picture"},
                               {"viewBox", fmt::format("0 0 {} {}", layout.width, layout.height)},
                               {"role", "img"},
                               {"aria-labelledby", fmt::format("{}-title {}-words", id, id)},
                               {"data-from", exact(plot.from)},
                               {"data-until", exact(plot.until)},
                               {"data-low", exact(axis.from)},
                               {"data-high", exact(axis.until)},
                               {"data-least", exact(plot.least_range)},
                               {"data-scale", plot.is_log ? "log" : "linear"},
                               {"data-unit", plot.unit == "1" ? "" : plot.unit}};
  if (!plot.is_over_time()) add_abscissa(plot, &attributes);
  const Html words = element("title", {{"id", id + "-title"}}, plot.title) +
                     element("desc", {{"id", id + "-words"}}, describe_plot(plot)) + "\n";
  return element("svg", attributes, "\n" + words + raw_html(write_panel(plot, layout))) + "\n";
}

}  // namespace

Html write_plot_figure(const Plot& plot, const std::string& id, std::size_t samples) {
  const Html caption =
      plot.title + Html(" ") + element("span", {{"class", "muted"}}, unit_words(plot));
  Html content =
      "\n" + element("figcaption", caption) + "\n" + write_legend(plot) +
      element("div", {{"class", "plot-frame"}}, "\n" + write_picture(plot, id, samples)) + "\n";
  if (!plot.remark.empty())
    content += element("p", {{"class", "plot-remark muted"}}, plot.remark) + "\n";
  HtmlAttributes kind = {{"class", "plot"}, {"id", id}};
  if (!plot.is_over_time()) kind.emplace_back("data-kind", "curves");
  const Html figure = element("figure", kind, content) + "\n";
  return plot.is_folded ? fold(plot.title, figure) : figure;
}

}  // namespace visviva
