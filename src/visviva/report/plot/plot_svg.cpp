#include "visviva/report/plot/plot_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "visviva/base/escape.h"
#include "visviva/report/plot/plot_path.h"

namespace visviva {
namespace {

constexpr std::array<const char*, plot_colours> light = {"#0b62b8", "#b34708", "#17743f", "#8e3ba8",
                                                         "#b02a4c", "#00717d", "#7c6200", "#5656cc",
                                                         "#6b4a2f", "#5b6675"};

struct PlotExtent {
  double low = HUGE_VAL, high = -HUGE_VAL;
  bool has_zero = false;

  void add(double x, const Plot& plot) {
    if (!std::isfinite(x)) return;
    if (plot.is_log && !(x > plot.floor)) {
      has_zero = true;
      return;
    }
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

PlotExtent find_extent(const Plot& plot) {
  PlotExtent extent;
  for (const PlotSeries& series : plot.series)
    for (const double x : series.values) extent.add(x, plot);
  for (const PlotLimit& limit : plot.limits)
    if (!plot.is_log || limit.value > 0.0) extent.add(limit.value, plot);
  return extent;
}

// Curves over another quantity may wind about: more samples of them are worth while.
constexpr std::size_t curve_factor = 3;

// About its middle.
void widen(PlotAxis* axis, double length) {
  const double middle = 0.5 * (axis->from + axis->until);
  if (length <= axis->until - axis->from) return;
  axis->from = middle - 0.5 * length;
  axis->until = middle + 0.5 * length;
  axis->ticks = make_ticks(axis->from, axis->until, 5);
}

class Panel {
 public:
  Panel(const Plot& plot, const PanelLayout& layout)
      : plot_(plot),
        layout_(layout),
        left_(layout.x + layout.left),
        top_(layout.y + layout.top),
        width_(layout.width - layout.left - layout.right),
        height_(layout.height - layout.top - layout.bottom),
        axes_(make_axes(plot, width_, height_)),
        axis_(axes_.up) {}

  std::string write() {
    write_axes();
    write_curves();
    for (const PlotEvent& event : plot_.events) write_event(event);
    for (const PlotLimit& limit : plot_.limits) write_limit(limit);
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Values>(values)...);
  }
  double x_of(double place) const { return left_ + width_ * axes_.across.place(place); }
  double y_of(double value) const { return top_ + height_ * (1.0 - axis_.place(value)); }

  void add_line(const char* style, double x1, double y1, double x2, double y2) {
    add("<line {} x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>", style, x1, y1, x2,
        y2);
  }
  void add_text(const char* anchor, double x, double y, const std::string& text) {
    add("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
        escape_html(text));
  }

  void write_axes() {
    const char* grid = "class=\"plot-grid\" stroke=\"#d9d6cd\"";
    const char* base = "class=\"plot-base\" stroke=\"#5d6675\"";
    add("<g class=\"plot-axes\" fill=\"#5d6675\" font-size=\"12\">");
    for (const PlotTick& tick : axis_.ticks) {
      const double y = y_of(tick.value);
      add_line(grid, left_, y, left_ + width_, y);
      if (!tick.label.empty()) add_text("end", left_ - 6, y + 4, tick.label);
    }
    for (const PlotTick& tick : axes_.across.ticks) {
      const double x = x_of(tick.value);
      add_line(grid, x, top_, x, top_ + height_);
      add_text("middle", x, top_ + height_ + 16, tick.label);
    }
    add_line(base, left_, top_ + height_, left_ + width_, top_ + height_);
    if (!plot_.unit.empty() && plot_.unit != "1") add_text("end", left_ - 6, top_ - 10, plot_.unit);
    add_text("end", left_ + width_, top_ + height_ + 32,
             plot_.is_over_time() ? "t (s)" : label_words(plot_.over, plot_.over_unit));
    add("</g>\n");
  }

  // A nested svg cuts off what is outside, without names that a page would have to keep apart.
  void write_curves() {
    add("<svg class=\"plot-area\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
        "fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke-linecap=\"round\">",
        left_, top_, width_, height_);
    // The first lies on top: where others run along it, it is the one to be seen.
    for (std::size_t i = plot_.series.size(); i-- > 0;) write_series(i);
    add("</svg>\n");
  }

  void write_series(std::size_t i) {
    const PlotSeries& series = plot_.series[i];
    if (!plot_.is_over_time()) return write_curve(i);
    const double from = plot_.is_log ? std::log10(axis_.from) : axis_.from;
    const double until = plot_.is_log ? std::log10(axis_.until) : axis_.until;
    const PlotGrid grid = choose_grid(series, plot_, axis_.from);
    const double scale = height_ / (until - from);
    add("<path {} vector-effect=\"non-scaling-stroke\" transform=\"matrix({:.9g} 0 0 {:.9g} 0 "
        "{:.9g})\" "
        "data-low=\"{:.17g}\" data-unit=\"{:.17g}\" data-step=\"{:.17g}\" d=\"{}\"/>\n",
        series_stroke(i), width_ * grid.time_unit / (plot_.until - plot_.from),
        -scale * grid.value_unit, height_ - scale * (grid.low - from), grid.low, grid.value_unit,
        grid.time_unit,
        plot_.is_log ? write_log_path(series, grid, axis_.from, layout_.samples)
                     : write_plot_path(series, grid, layout_.samples));
  }

  // Over another quantity: the times of its samples stand beside the path.
  void write_curve(std::size_t i) {
    const PlotSeries& series = plot_.series[i];
    const PlotGrid grid = choose_curve_grid(series, plot_);
    const TimeGrid times = choose_time_grid(plot_);
    const CurvePath path = write_curve_path(series, grid, times, curve_factor * layout_.samples);
    const double x_scale = width_ / (axes_.across.until - axes_.across.from);
    const double y_scale = height_ / (axis_.until - axis_.from);
    add("<path {} vector-effect=\"non-scaling-stroke\" transform=\"matrix({:.9g} 0 0 {:.9g} {:.9g} "
        "{:.9g})\" data-left=\"{:.17g}\" data-step=\"{:.17g}\" data-low=\"{:.17g}\" "
        "data-unit=\"{:.17g}\" data-tick=\"{:.17g}\" data-times=\"{}\" d=\"{}\"/>\n",
        series_stroke(i), x_scale * grid.time_unit, -y_scale * grid.value_unit,
        x_scale * (grid.from - axes_.across.from), height_ - y_scale * (grid.low - axis_.from),
        grid.from, grid.time_unit, grid.low, grid.value_unit, times.unit, path.times, path.d);
  }

  void write_limit(const PlotLimit& limit) {
    if (plot_.is_log && !(limit.value > 0.0)) return;
    const double y = y_of(limit.value);
    const char* colour = limit.is_bound ? "#b3261e" : "#5d6675";
    add("<g class=\"plot-limit{}\" data-value=\"{:.17g}\" fill=\"{}\" font-size=\"12\">",
        limit.is_bound ? "" : " plot-floor", limit.value, colour);
    const std::string style = fmt::format("stroke=\"{}\" stroke-dasharray=\"6 4\"", colour);
    add_line(style.c_str(), left_, y, left_ + width_, y);
    add_text("end", left_ + width_ - 4, y - 5, limit.label);
    add("</g>\n");
  }

  void write_event(const PlotEvent& event) {
    if (!plot_.is_over_time()) return;
    const double x = x_of(event.time);
    add("<g class=\"plot-event\" data-time=\"{:.17g}\" fill=\"#5d6675\" font-size=\"11\">",
        event.time);
    add_line("stroke=\"#5d6675\" stroke-dasharray=\"2 3\"", x, top_, x, top_ + height_);
    // Near an end the name stands inside.
    const bool is_late = x > left_ + width_ - 60, is_early = x < left_ + 60;
    add_text(is_late ? "end" : is_early ? "start" : "middle", x, top_ - 6, event.name);
    add("</g>\n");
  }

  const Plot& plot_;
  const PanelLayout& layout_;
  const double left_, top_, width_, height_;
  const PlotAxes axes_;
  const PlotAxis& axis_;
  std::string out_;
};

}  // namespace

PlotAxis make_value_axis(const Plot& plot) {
  PlotExtent extent = find_extent(plot);
  if (!plot.is_log) {
    if (!(extent.low <= extent.high)) return make_linear_axis(0.0, 1.0, 0.0);
    return make_linear_axis(extent.low, extent.high, plot.least_range);
  }
  // All zero: any decade will do.
  if (!(extent.low <= extent.high)) extent.low = extent.high = 1e-15;
  return make_log_axis(extent.low, extent.high, extent.has_zero);
}

std::string write_panel(const Plot& plot, const PanelLayout& layout) {
  return Panel(plot, layout).write();
}

bool is_path(const Plot& plot) {
  return !plot.is_over_time() && plot.unit == "m" && plot.over_unit == "m";
}

PlotAxis make_place_axis(const Plot& plot) {
  Plot places{.title = "", .unit = "", .series = {}};
  for (const PlotSeries& series : plot.series) places.series.push_back({"", {}, series.places});
  return make_value_axis(places);
}

PlotAxes make_axes(const Plot& plot, double width, double height) {
  PlotAxes axes{{}, make_value_axis(plot)};
  if (plot.is_over_time()) {
    axes.across = {plot.from, plot.until, false, make_ticks(plot.from, plot.until, 8)};
    return axes;
  }
  axes.across = make_place_axis(plot);
  if (is_path(plot)) {
    const double unit = std::max((axes.across.until - axes.across.from) / width,
                                 (axes.up.until - axes.up.from) / height);
    widen(&axes.across, unit * width);
    widen(&axes.up, unit * height);
  }
  axes.across.ticks = make_ticks(axes.across.from, axes.across.until, 8);
  return axes;
}

const char* series_colour(std::size_t i) { return light.at(i % plot_colours); }

std::string series_stroke(std::size_t i) {
  return fmt::format("class=\"c{}\" stroke=\"{}\"{}", i % plot_colours, series_colour(i),
                     i < plot_colours ? "" : " stroke-dasharray=\"7 4\"");
}

std::string unit_words(const Plot& plot) {
  return plot.unit.empty() || plot.unit == "1" ? "" : "in " + plot.unit;
}

}  // namespace visviva
