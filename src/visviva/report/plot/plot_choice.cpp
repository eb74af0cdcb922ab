#include "visviva/report/plot/plot_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "visviva/base/result_table.h"
#include "visviva/base/words.h"
#include "visviva/report/derivation/angles.h"
#include "visviva/report/derivation/causes.h"
#include "visviva/report/plot/plot_axis.h"
#include "visviva/report/plot/plot_outputs.h"
#include "visviva/report/plot/plot_series.h"
#include "visviva/report/trajectory/trajectory_columns.h"

namespace visviva {
namespace {

constexpr std::size_t most_series_together = 12, most_events = 8, longest_title = 70;
constexpr double largest_shown = 1e100;
constexpr double residual_floor = 1e-18;  // far below rounding at any usual size
const std::string integrals_title = "Energy integrals";

// Energies that are sums of others: E_Z, E, H, C.
std::vector<const EnergyResult*> list_integrals() {
  std::vector<const EnergyResult*> all;
  for (const EnergyResult& r : energies_in_joules())
    if (!r.definition.empty()) all.push_back(&r);
  return all;
}

class PlotChoice {
 public:
  PlotChoice(const Trajectory& run, const Equations& equations)
      : run_(run),
        equations_(equations),
        model_(equations.motion.model()),
        causes_(equations.motion) {
    const std::vector<TrajectoryColumn> columns =
        make_trajectory_columns(run.columns, equations.motion);
    for (std::size_t i = 0; i < std::min(columns.size(), run.samples.size()); ++i) {
      columns_.emplace(columns[i].name, &run.samples[i]);
      units_.emplace(columns[i].name, columns[i].unit);
    }
    name_angles();
  }

  std::vector<Plot> make_asked() {
    if (!has_times()) return {};
    add_statements();
    if (plots_.empty()) {
      add_coordinates();
      add_integrals();
    }
    return std::move(plots_);
  }

  std::vector<Plot> make() {
    if (!has_times()) return {};
    add_statements();
    add_coordinates();
    add_speeds();
    add_energies();
    add_integrals();
    add_deviation();
    add_residuals();
    add_powers();
    add_outputs();
    return std::move(plots_);
  }

 private:
  const std::vector<double>* find(const std::string& column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? nullptr : found->second;
  }
  bool has_times() const {
    const std::vector<double>* times = find("t");
    return times != nullptr && times->size() > 1 && times->front() < times->back();
  }
  std::string unit_of(const std::string& column) const {
    const auto found = units_.find(column);
    return found == units_.end() ? "1" : found->second;
  }
  // A run that goes astray leaves a gap where it is beyond all measure.
  PlotSeries make_series(const std::string& name, std::vector<double> values) const {
    for (double& x : values)
      if (std::abs(x) > largest_shown) x = std::numeric_limits<double>::quiet_NaN();
    return {name, *find("t"), std::move(values), {}};
  }

  // Angles are pure numbers to the model; people read rad.
  void name_angles() {
    const std::set<Ref> angles = find_angles(model_);
    for (const CoordinateData& c : model_.coordinates)
      if (c.dimension.is_dimensionless() && angles.count(c.q.ref()) != 0) {
        units_[c.name] = "rad";
        units_[c.name + "'"] = "rad/s";
        units_[c.name + "''"] = "rad/s^2";
      }
    // Outputs that are such by another name.
    for (const OutputData& o : model_.outputs) {
      if (o.is_vector || units_[o.name] != "1") continue;
      if (angles.count(o.scalar.ref()) != 0) units_[o.name] = "rad";
    }
    for (const Speed& s : equations_.motion.speeds())
      if (units_[s.name] == "1/s" && is_angular(s, model_, angles)) units_[s.name] = "rad/s";
  }

  // ---- Adding: what has no value is left out, what is too much is folded away.

  void add(Plot plot) {
    plot.from = run_.samples[0].front();
    plot.until = run_.samples[0].back();
    if (run_.events.size() <= most_events)
      for (const EventRecord& e : run_.events) plot.events.push_back({e.name, e.time});
    std::vector<std::string> empty;
    std::erase_if(plot.series, [&](const PlotSeries& s) {
      if (has_values(s)) return false;
      empty.push_back(s.name);
      return true;
    });
    if (!empty.empty()) say(&plot, "Not determined, and left out: " + join_words(empty) + ".");
    if (plot.is_log && has_small(plot))
      say(&plot, "Zeros, and what is too small to mean anything, are drawn at the bottom.");
    if (plot.series.empty()) return;
    for (Plot& part : split_plot(std::move(plot), most_series_together))
      plots_.push_back(std::move(part));
  }

  static void say(Plot* plot, const std::string& words) {
    plot->remark += (plot->remark.empty() ? "" : " ") + words;
  }

  // One plot for each unit, in order of appearance.
  std::vector<Plot> sort_by_unit(const std::string& title,
                                 const std::vector<std::string>& columns) const {
    std::vector<Plot> parts;
    for (const std::string& name : columns) {
      const std::vector<double>* values = find(name);
      if (values == nullptr) continue;
      const std::string unit = unit_of(name);
      auto part =
          std::find_if(parts.begin(), parts.end(), [&](const Plot& p) { return p.unit == unit; });
      if (part == parts.end())
        part = parts.insert(parts.end(), Plot{.title = title, .unit = unit, .series = {}});
      part->series.push_back(make_series(name, *values));
    }
    for (Plot& part : parts)
      if (part.unit == "J") part.least_range = least_energy();
    return parts;
  }

  void add_by_unit(const std::string& title, const std::vector<std::string>& columns) {
    for (Plot& part : sort_by_unit(title, columns))
      if (!is_shown(part)) add(std::move(part));
  }

  // All of it stands in a plot that the model asked for.
  bool is_shown(const Plot& part) const {
    return std::any_of(plots_.begin(), plots_.end(), [&](const Plot& plot) {
      return plot.unit == part.unit && plot.is_over_time() &&
             std::all_of(part.series.begin(), part.series.end(), [&](const PlotSeries& wanted) {
               return std::any_of(plot.series.begin(), plot.series.end(),
                                  [&](const PlotSeries& s) { return s.name == wanted.name; });
             });
    });
  }

  // ---- What the model asks for

  static std::vector<std::string> columns_of(const OutputData& output) {
    if (!output.is_vector) return {output.name};
    return {output.name + ".x", output.name + ".y", output.name + ".z"};
  }

  void add_statements() {
    // By line, and what they are drawn over.
    std::map<std::pair<int, std::string>, std::vector<std::string>> lines;
    for (const OutputData& output : model_.outputs) {
      if (!output.is_plot || output.is_abscissa) continue;
      for (const std::string& column : columns_of(output))
        lines[{output.source.span.line, output.over}].push_back(column);
    }
    for (const auto& [place, columns] : lines) {
      const std::size_t first = plots_.size();
      if (place.second.empty())
        add_by_unit("", columns);
      else
        add_curves(columns, place.second);
      for (std::size_t i = first; i < plots_.size(); ++i) name_statement(&plots_[i]);
    }
  }

  // Over another quantity: a plot for each unit of the values.
  void add_curves(const std::vector<std::string>& columns, const std::string& over) {
    const std::vector<double>* places = find(over);
    if (places == nullptr) return;
    const PlotSeries across = make_series(over, *places);
    for (Plot& plot : sort_by_unit("", columns)) {
      plot.over = over;
      plot.over_unit = unit_of(over);
      for (PlotSeries& series : plot.series) series.places = across.values;
      if (!has_values(across)) say(&plot, over + " is not determined.");
      add(std::move(plot));
    }
  }

  void name_statement(Plot* plot) {
    std::vector<std::string> names;
    for (const PlotSeries& series : plot->series) names.push_back(series.name);
    const std::vector<const EnergyResult*> integrals = list_integrals();
    const bool has_all =
        std::all_of(integrals.begin(), integrals.end(), [&](const EnergyResult* integral) {
          return std::find(names.begin(), names.end(), integral->name) != names.end();
        });
    const std::string part = plot->title;  // ", part 2" of a long one
    plot->title = cut_text(join_words(names), longest_title) +
                  (plot->is_over_time() ? "" : " over " + cut_text(plot->over, longest_title)) +
                  part;
    if (!plot->is_over_time()) return;
    if (!has_all) return;
    has_integrals_ = true;
    plot->title = integrals_title + ": " + plot->title;
    say_changes(plot);
  }

  void add_outputs() {
    std::vector<std::string> columns;
    for (const OutputData& output : model_.outputs) {
      if (output.is_plot) continue;
      for (const std::string& column : columns_of(output)) columns.push_back(column);
    }
    add_by_unit("Outputs", columns);
  }

  // ---- Motion

  void add_coordinates() {
    std::vector<std::string> plain, parameters;
    for (const CoordinateData& c : model_.coordinates)
      (c.quaternion < 0 ? plain : parameters).push_back(c.name);
    add_by_unit("Coordinates", plain);
    add_by_unit("Euler parameters", parameters);
  }

  void add_speeds() {
    std::vector<std::string> names;
    for (const Speed& s : equations_.motion.speeds()) names.push_back(s.name);
    add_by_unit("Speeds", names);
  }

  // ---- Energy

  double least_energy() const { return 0.02 * run_.certificate.scale; }

  // Empty when the run has not put it out.
  std::vector<double> energy(const std::string& name) const {
    const std::vector<double>* values = find(energy_output(name));
    return values == nullptr ? std::vector<double>() : *values;
  }

  bool is_nothing(const std::vector<double>& values) const {
    return largest_of(values) <= 1e-12 * run_.certificate.scale;
  }

  void add_energies() {
    Plot plot{.title = "Energies", .unit = "J", .series = {}};
    plot.least_range = least_energy();
    const bool is_split = !is_nothing(energy("K0")) || !is_nothing(energy("K1"));
    for (const char* name : {"K", "K2", "K1", "K0", "U"}) {
      const std::vector<double> values = energy(name);
      const bool is_part = name[0] == 'K' && name[1] != '\0';
      const bool is_shown = !is_part || (is_split && !is_nothing(values));
      if (!values.empty() && is_shown) plot.series.push_back(make_series(name, values));
    }
    const std::vector<double>* Z = find("Z");
    if (Z != nullptr && !is_nothing(*Z)) plot.series.push_back(make_series("Z", *Z));
    if (!is_split && plot.series.size() > 1) say(&plot, "K0 and K1 are zero: K2 is K.");
    add(std::move(plot));
  }

  // A sum of others at every sample; E_Z is a column of every run.
  std::vector<double> integral(const EnergyResult& result) const {
    if (result.name == "E_Z") return *find("E_Z");
    std::vector<double> values;
    for (const EnergyTerm& term : result.definition) {
      const std::vector<double> part = energy(write_terms({&term, 1}));
      values = values.empty() ? part : sum(values, part, term.is_negative ? -1.0 : 1.0);
    }
    return values;
  }

  // E_Z, E, H and C. Those that are the same are one curve.
  void add_integrals() {
    if (energy("U").empty() || find("E_Z") == nullptr) return;
    std::vector<PlotSeries> all;
    for (const EnergyResult* r : list_integrals())
      all.push_back(make_series(std::string(r->name), integral(*r)));
    if (!has_integrals_) {
      Plot plot{.title = integrals_title + ": E_Z, E, H, C", .unit = "J", .series = {}};
      plot.least_range = least_energy();
      for (const PlotSeries& series : all) add_distinct(series.name, series.values, &plot);
      say_changes(&plot);
      add(std::move(plot));
    }
    add_closer_view(std::move(all));
  }

  static double range_of(const PlotSeries& series) {
    const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
    return series.values.empty() ? 0.0 : *high - *low;
  }

  // Integrals that move, but too little to be seen beside the others: once more with E_Z alone.
  void add_closer_view(const std::vector<PlotSeries>& integrals) {
    constexpr double part = 0.1;
    double largest = 0.0;
    for (const PlotSeries& s : integrals) largest = std::max(largest, range_of(s));
    Plot plot{.title = "", .unit = "J", .series = {integrals.front()}};
    plot.least_range = least_energy();
    for (std::size_t i = 1; i < integrals.size(); ++i) {
      const double range = range_of(integrals[i]);
      if (range > least_energy() && range < part * largest) plot.series.push_back(integrals[i]);
    }
    if (plot.series.size() < 2) return;
    std::vector<std::string> names;
    for (const PlotSeries& s : plot.series) names.push_back(s.name);
    plot.title = "Closer: " + list_words(names);
    add(std::move(plot));
    // Beside the one that it looks into.
    const auto whole = std::find_if(plots_.begin(), plots_.end(), [](const Plot& p) {
      return p.title.rfind(integrals_title, 0) == 0;
    });
    if (whole != plots_.end()) std::rotate(whole + 1, plots_.end() - 1, plots_.end());
  }

  // What is too small to see beside the others.
  void say_changes(Plot* plot) const {
    std::vector<std::string> changes;
    for (const EnergyResult* integral : list_integrals()) {
      const std::string name(integral->name);
      const auto found = run_.energies.find(name);
      if (found != run_.energies.end() && std::isfinite(found->second.max_deviation))
        changes.push_back(
            fmt::format("{} {} J", name, number_label(found->second.max_deviation, 3)));
    }
    if (!changes.empty()) say(plot, "Largest change from the start: " + join_words(changes) + ".");
  }

  bool is_same(const std::vector<double>& a, const std::vector<double>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) {
      return std::abs(x - y) <= 1e-12 * run_.certificate.scale;
    });
  }

  void add_distinct(const std::string& name, const std::vector<double>& values, Plot* plot) const {
    for (PlotSeries& other : plot->series) {
      if (!is_same(values, other.values)) continue;
      other.name += " = " + name;
      return;
    }
    plot->series.push_back(make_series(name, values));
  }

  void add_deviation() {
    const std::vector<double>* E_Z = find("E_Z");
    if (E_Z == nullptr) return;
    const Certificate& c = run_.certificate;
    std::vector<double> deviation = *E_Z;
    for (double& x : deviation) x = std::abs(x - c.start);
    Plot plot{.title = "Deviation of E_Z", .unit = "J", .series = {}, .is_log = true};
    plot.series.push_back(make_series("|E_Z - E_Z(start)|", std::move(deviation)));
    if (c.tolerance)
      plot.limits.push_back({"tolerance " + number_label(*c.tolerance, 3) + " J", *c.tolerance});
    if (c.noise > 0.0) {
      plot.limits.push_back({"what rounding may do", c.noise, false});
      plot.floor = 0.01 * c.noise;
    }
    say(&plot, fmt::format("Largest over all accepted steps: {} J at t = {} s.",
                           number_label(c.max_deviation, 3), number_label(c.max_time, 5)));
    add(std::move(plot));
  }

  // ---- Constraints

  // "ball.x" of a constraint with several rows.
  std::string row_name(std::size_t i) const {
    const ConstraintRow& row = equations_.rows[i];
    const std::string& name = model_.constraints[std::size_t(row.constraint)].name;
    const auto rows = std::count_if(
        equations_.rows.begin(), equations_.rows.end(),
        [&](const ConstraintRow& other) { return other.constraint == row.constraint; });
    return rows == 1 ? name : name + "." + "xyz"[row.component];
  }

  void add_residuals() {
    Plot positions{.title = "Residuals of configuration constraints", .unit = "", .series = {}};
    Plot velocities{.title = "Residuals of motion constraints", .unit = "", .series = {}};
    for (std::size_t i = 0; i < equations_.rows.size(); ++i) {
      add_residual(i, position_output(i), &positions);
      add_residual(i, velocity_output(i), &velocities);
    }
    const Certificate& c = run_.certificate;
    for (Plot* plot : {&positions, &velocities}) {
      plot->is_log = true;
      plot->floor = std::max(residual_floor, 1e-6 * largest_of(*plot));
      say(plot, "Absolute values, in SI units of each, at the samples.");
      const double drift = plot == &positions ? c.position_drift : c.velocity_drift;
      if (drift > 0.0)
        say(plot, "Before each correction they were at most " + number_label(drift, 2) + ".");
      add(std::move(*plot));
    }
  }

  void add_residual(std::size_t row, const std::string& column, Plot* plot) const {
    const std::vector<double>* values = find(column);
    if (values == nullptr) return;
    PlotSeries series = make_series(row_name(row), *values);
    for (double& x : series.values) x = std::abs(x);
    const std::string& name = model_.constraints[std::size_t(equations_.rows[row].constraint)].name;
    if (const auto cause = causes_.find(Cause::Kind::constraint, name))
      series.causes.push_back(*cause);
    plot->series.push_back(std::move(series));
  }

  // ---- Power

  void add_powers() {
    Plot plot{.title = "Power by source", .unit = "W", .series = {}};
    std::vector<std::string> idle;
    std::vector<int> gravity;
    for (std::size_t i = 0; i < causes_.list().size(); ++i) {
      const Cause& cause = causes_.list()[i];
      const bool is_load = cause.kind == Cause::Kind::load;
      if (cause.weight_of)
        gravity.push_back(int(i));
      else if (is_load)
        add_power(cause.name, power_output(cause.name), {int(i)}, &plot);
      else if (cause.kind == Cause::Kind::motor)
        add_power(cause.name, motor_output(cause.name), {int(i)}, &plot);
    }
    add_power("gravity", gravity_output(), gravity, &plot);
    std::erase_if(plot.series, [&](const PlotSeries& s) {
      if (!has_values(s) || largest_of(s.values) > 0.0) return false;
      idle.push_back(s.name);
      return true;
    });
    const std::vector<std::string> nameless = list_nameless_motors(equations_);
    if (!nameless.empty())
      say(&plot, "Left out: what drives " + join_words(nameless) +
                     ", since power(...) means the load of that name.");
    if (!idle.empty()) say(&plot, "Without power: " + join_words(idle) + ".");
    say(&plot, "Whole powers; E_Z takes only what goes through the independent speeds.");
    add(std::move(plot));
  }

  void add_power(const std::string& name, const std::string& column, const std::vector<int>& causes,
                 Plot* plot) const {
    const std::vector<double>* values = find(column);
    if (values == nullptr) return;
    plot->series.push_back(make_series(name, *values));
    plot->series.back().causes = causes;
  }

  const Trajectory& run_;
  const Equations& equations_;
  const ModelData& model_;
  const Causes causes_;
  std::map<std::string, const std::vector<double>*> columns_;
  std::map<std::string, std::string> units_;
  std::vector<Plot> plots_;
  bool has_integrals_ = false;  // a statement of the model shows them
};

}  // namespace

std::vector<Plot> make_asked_plots(const Trajectory& run, const Equations& equations) {
  return PlotChoice(run, equations).make_asked();
}

std::vector<Plot> make_plots(const Trajectory& run, const Equations& equations) {
  return PlotChoice(run, equations).make();
}

std::size_t choose_plot_samples(const std::vector<Plot>& plots) {
  constexpr std::size_t most = 120'000;  // of all together: about a megabyte
  std::size_t series = 1;
  for (const Plot& plot : plots) series += plot.series.size();
  return std::clamp<std::size_t>(most / series, 300, 1500);
}

}  // namespace visviva
