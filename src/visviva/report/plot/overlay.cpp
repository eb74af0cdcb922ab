#include "visviva/report/plot/overlay.h"

#include <algorithm>

namespace visviva {
namespace {

bool is_same_figure(const Plot& a, const Plot& b) {
  return a.title == b.title && a.unit == b.unit && a.over == b.over && a.over_unit == b.over_unit &&
         a.is_log == b.is_log;
}

// What one run says of its own numbers would be read as said of all.
Plot begin(const Plot& plot) {
  Plot figure = plot;
  figure.series.clear();
  figure.events.clear();
  figure.remark.clear();
  for (const PlotSeries& s : plot.series)
    figure.quantity += (figure.quantity.empty() ? "" : ", ") + s.name;
  return figure;
}

void add(const Plot& plot, const std::string& run, bool has_one, Plot* figure) {
  figure->from = std::min(figure->from, plot.from);
  figure->until = std::max(figure->until, plot.until);
  figure->floor = std::max(figure->floor, plot.floor);
  figure->least_range = std::max(figure->least_range, plot.least_range);
  for (const PlotLimit& limit : plot.limits) {
    const bool is_known = std::any_of(
        figure->limits.begin(), figure->limits.end(),
        [&](const PlotLimit& l) { return l.label == limit.label && l.value == limit.value; });
    if (!is_known) figure->limits.push_back(limit);
  }
  for (PlotSeries series : plot.series) {
    series.name = has_one ? run : series.name + ", " + run;
    series.causes.clear();  // each run is of a reading of its own
    figure->series.push_back(std::move(series));
  }
}

}  // namespace

std::vector<Plot> overlay_runs(const std::vector<RunPlots>& runs) {
  std::vector<Plot> figures;
  for (const RunPlots& run : runs) {
    for (const Plot& plot : run.plots) {
      const auto same = [&](const Plot& other) { return is_same_figure(other, plot); };
      const bool has_one = std::all_of(runs.begin(), runs.end(), [&](const RunPlots& r) {
        return std::all_of(r.plots.begin(), r.plots.end(),
                           [&](const Plot& p) { return !same(p) || p.series.size() == 1; });
      });
      auto figure = std::find_if(figures.begin(), figures.end(), same);
      if (figure == figures.end()) figure = figures.insert(figures.end(), begin(plot));
      add(plot, run.name, has_one, &*figure);
    }
  }
  return figures;
}

}  // namespace visviva
