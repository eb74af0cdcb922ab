#include "visviva/report/plot/plot_tables.h"

#include <algorithm>

#include "visviva/base/unit.h"
#include "visviva/report/derivation/angles.h"

namespace visviva {
namespace {

constexpr int samples = 600;  // evenly, beside the table's own

std::vector<double> list_places(const Spline& axis) {
  std::vector<double> places = axis.knots();
  for (int k = 0; k <= samples; ++k)
    places.push_back(axis.first() + (axis.last() - axis.first()) * k / samples);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// An angle is a pure number to the model.
std::string unit_of_place(const FunctionData& f, const ModelData& model) {
  const Dimension& dimension = f.parameter_dimensions[0];
  if (!dimension.is_dimensionless()) return print_dimension(dimension);
  const std::set<Ref> angles = find_angles(model);
  for (const CoordinateData& c : model.coordinates)
    if (c.name == f.parameters[0] && angles.count(c.q.ref()) != 0) return "rad";
  return "";
}

}  // namespace

std::vector<Plot> make_table_plots(const ModelData& model) {
  std::vector<Plot> plots;
  for (const FunctionData& f : model.functions) {
    const bool is_curve = f.table && f.table->argument_count() == 1 && f.parameters.size() == 1 &&
                          f.parameter_dimensions.size() == 1;
    if (!is_curve) continue;
    Plot plot{.title = "Table " + f.name + (f.file.empty() ? "" : ": " + f.file),
              .unit = print_dimension(f.dimension),
              .series = {{f.name, {}, {}}}};
    plot.over = f.parameters[0];
    plot.over_unit = unit_of_place(f, model);
    plot.is_of_run = false;
    plot.is_folded = true;
    PlotSeries& curve = plot.series[0];
    for (const double x : list_places(f.table->axis(0))) {
      curve.places.push_back(x);
      curve.values.push_back(f.table->value(x, 0, 0, 0));
      curve.times.push_back(0.0);
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace visviva
