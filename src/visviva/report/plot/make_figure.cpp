// The figure of a plot: where its title, legend, axes, curves and remark stand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "visviva/base/utf8.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/plot/figure.h"
#include "visviva/report/plot/plot_font.h"
#include "visviva/report/plot/plot_series.h"
#include "visviva/report/plot/plot_svg.h"
#include "visviva/report/plot/thin.h"

namespace visviva {
namespace {

class FigureMaker {
 public:
  FigureMaker(const Plot& plot, const std::string& heading) : plot_(plot) {
    figure_.title = plot.title + (heading.empty() ? "" : ", " + heading);
    figure_.words = describe_plot(plot);
    figure_.width = width;
    add_title(heading);
    add_legend();
    const double height = plot.is_over_time() ? time_height : curve_height;
    y_ += has_event_names() ? 26 : 14;
    figure_.area = {left, y_, width - left - right, height};
    axes_ = make_axes(plot, figure_.area.width, height);
    y_ += height;
  }

  Figure make() {
    add_axes();
    for (std::size_t i = plot_.series.size(); i-- > 0;) add_series(i);
    for (const PlotEvent& event : plot_.events) add_event(event);
    for (const PlotLimit& limit : plot_.limits) add_limit(limit);
    add_remark();
    figure_.height = std::ceil(y_ + margin);
    return std::move(figure_);
  }

 private:
  using Anchor = FigureText::Anchor;
  static constexpr double width = 720, margin = 18, left = 84, right = 20;
  static constexpr double time_height = 260, curve_height = 400;
  static constexpr std::size_t most_samples = 20000, longest_label = 48, longest_name = 80;
  static constexpr FigureInk ink{"#1d2430", "plot-name"}, muted{"#5d6675", "plot-remark"},
      grid{"#d9d6cd", "plot-grid"}, base{"#5d6675", "plot-base"}, bound{"#b3261e", "plot-bound"},
      event_line{"#5d6675", "plot-event"};
  static constexpr std::array<const char*, plot_colours> kinds = {"c0", "c1", "c2", "c3", "c4",
                                                                  "c5", "c6", "c7", "c8", "c9"};

  double x_of(double place) const {
    return figure_.area.x + figure_.area.width * axes_.across.place(place);
  }
  double y_of(double value) const {
    return figure_.area.y + figure_.area.height * (1.0 - axes_.up.place(value));
  }
  void add_text(const std::string& text, double x, double y, double size, Anchor anchor,
                FigureInk colour) {
    if (!text.empty()) figure_.texts.push_back({text, x, y, size, anchor, colour});
  }
  void add_line(double x1, double y1, double x2, double y2, FigureInk colour,
                std::array<double, 2> dashes = {}) {
    figure_.lines.push_back({{{{x1, y1}}, {{x2, y2}}}, colour, 1, dashes});
  }

  bool has_event_names() const { return plot_.is_over_time() && !plot_.events.empty(); }
  // One curve is named by its axis.
  bool has_legend() const { return plot_.series.size() > 1; }

  void add_title(const std::string& heading) {
    y_ = margin + 14;
    add_text(plot_.title, margin, y_, 15, Anchor::start, ink);
    if (heading.empty()) return;
    y_ += 18;
    add_text(heading, margin, y_, 12, Anchor::start, muted);
  }

  FigureCurve stroke(std::size_t i, double line_width) const {
    FigureCurve curve{{}, {series_colour(i), kinds.at(i % plot_colours)}, line_width};
    if (i >= std::size_t{plot_colours}) curve.dashes = {7, 4};
    return curve;
  }

  // Names beside pieces of their lines, in as many rows as they need.
  void add_legend() {
    if (!has_legend()) return;
    double x = margin;
    y_ += 22;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const std::string name = cut_text(plot_.series[i].name, longest_name);
      const double room = 44 + PlotFont::instance().width(name, 13);
      if (x > margin && x + room > width - margin) {
        x = margin;
        y_ += 18;
      }
      FigureCurve piece = stroke(i, 3);
      piece.points = {{{x, y_ - 4}}, {{x + 18, y_ - 4}}};
      figure_.lines.push_back(std::move(piece));
      add_text(name, x + 24, y_, 13, Anchor::start, ink);
      x += room;
    }
  }

  std::string label_up() const {
    std::string names = plot_.quantity;
    for (const PlotSeries& s : plot_.series)
      if (plot_.quantity.empty()) names += (names.empty() ? "" : ", ") + s.name;
    if (count_characters(names) > longest_label)
      names = has_legend() ? "" : cut_text(names, longest_label);
    if (names.empty()) return plot_.unit.empty() || plot_.unit == "1" ? "" : "in " + plot_.unit;
    return label_words(names, plot_.unit);
  }

  void add_axes() {
    const FigureRect& area = figure_.area;
    const double bottom = area.y + area.height;
    for (const PlotTick& tick : axes_.up.ticks) {
      const double y = y_of(tick.value);
      add_line(area.x, y, area.x + area.width, y, grid);
      add_text(tick.label, area.x - 7, y + 4, 12, Anchor::end, muted);
    }
    for (const PlotTick& tick : axes_.across.ticks) {
      const double x = x_of(tick.value);
      add_line(x, area.y, x, bottom, grid);
      add_text(tick.label, x, bottom + 17, 12, Anchor::middle, muted);
    }
    add_line(area.x, area.y, area.x, bottom, base);
    add_line(area.x, bottom, area.x + area.width, bottom, base);
    const std::string across =
        plot_.is_over_time() ? "t (s)"
                             : label_words(cut_text(plot_.over, longest_label), plot_.over_unit);
    add_text(across, area.x + 0.5 * area.width, bottom + 37, 13, Anchor::middle, ink);
    const std::string up = label_up();
    if (!up.empty())
      figure_.texts.push_back({up, 28, area.y + 0.5 * area.height, 13, Anchor::middle, ink, true});
    y_ += 40;
  }

  void add_series(std::size_t i) {
    const PlotSeries& series = plot_.series[i];
    FigureCurve curve = stroke(i, 1.6);
    curve.is_clipped = true;
    const std::vector<double>& places = plot_.is_over_time() ? series.times : series.places;
    const std::vector<std::size_t> kept = plot_.is_over_time()
                                              ? thin(series.values, most_samples)
                                              : thin_curve(places, series.values, most_samples);
    for (const std::size_t k : kept)
      curve.points.push_back({x_of(places[k]), y_of(series.values[k])});
    // NaN is at the bottom of a log axis.
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (!std::isfinite(series.values[kept[k]])) curve.points[k][1] = NAN;
    figure_.curves.push_back(std::move(curve));
    if (!plot_.is_over_time()) add_ends(i, places);
  }

  // Where a curve begins, and where it ends.
  void add_ends(std::size_t i, const std::vector<double>& places) {
    const PlotSeries& series = plot_.series[i];
    const FigureInk colour{series_colour(i), kinds.at(i % plot_colours)};
    const auto is_there = [&](std::size_t k) {
      return std::isfinite(places[k]) && std::isfinite(series.values[k]);
    };
    std::size_t first = 0, last = places.size();
    while (first < places.size() && !is_there(first)) ++first;
    while (last > 0 && !is_there(last - 1)) --last;
    if (first >= last) return;
    figure_.dots.push_back({x_of(places[first]), y_of(series.values[first]), 3.5, colour, true});
    figure_.dots.push_back({x_of(places[last - 1]), y_of(series.values[last - 1]), 3.5, colour});
  }

  void add_event(const PlotEvent& event) {
    if (!plot_.is_over_time()) return;
    const FigureRect& area = figure_.area;
    const double x = x_of(event.time);
    add_line(x, area.y, x, area.y + area.height, event_line, {2, 3});
    // Near an end the name stands inside.
    const bool is_late = x > area.x + area.width - 60, is_early = x < area.x + 60;
    add_text(event.name, x, area.y - 6, 11,
             is_late    ? Anchor::end
             : is_early ? Anchor::start
                        : Anchor::middle,
             event_line);
  }

  void add_limit(const PlotLimit& limit) {
    if (plot_.is_log && !(limit.value > 0.0)) return;
    const double y = y_of(limit.value), end = figure_.area.x + figure_.area.width;
    const FigureInk colour = limit.is_bound ? bound : event_line;
    add_line(figure_.area.x, y, end, y, colour, {6, 4});
    add_text(limit.label, end - 4, y - 5, 12, Anchor::end, colour);
  }

  void add_remark() {
    std::istringstream lines(wrap_words("", plot_.remark));
    for (std::string line; std::getline(lines, line);) {
      y_ += 16;
      add_text(line, margin, y_, 11.5, Anchor::start, muted);
    }
  }

  const Plot& plot_;
  Figure figure_;
  PlotAxes axes_;
  double y_ = 0;
};

}  // namespace

Figure make_figure(const Plot& plot, const std::string& heading) {
  return FigureMaker(plot, heading).make();
}

}  // namespace visviva
