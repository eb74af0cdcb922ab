// Plot: series over time, or over another quantity, that one picture shows, and what is said beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace visviva {

struct PlotSeries {
  std::string name;
  std::vector<double> times;     ///< ascending
  std::vector<double> values;    ///< as many; what is not finite is a gap
  std::vector<int> causes{};     ///< that light up with it, as numbered by Causes
  std::vector<double> places{};  ///< over another quantity: its values, as many; else empty
};

/// A level drawn across the plot.
struct PlotLimit {
  std::string label;
  double value;
  bool is_bound = true;  ///< nothing should be beyond it
};

struct PlotEvent {
  std::string name;
  double time;
};

struct Plot {
  std::string title;
  std::string unit;  ///< of the values; "1" or empty when there is none worth naming
  std::vector<PlotSeries> series;
  double from = 0.0, until = 1.0;  ///< time, s
  std::string over{};              ///< the quantity whose values are the places; empty: time
  std::string over_unit{};
  std::string quantity{};    ///< what all series are, where their names say other things
  bool is_log = false;       ///< values are not negative; zeros stand at the bottom, too
  double floor = 0.0;        ///< of a log plot: what is smaller means nothing
  double least_range = 0.0;  ///< smaller ranges of values are not worth a whole axis
  std::vector<PlotLimit> limits{};
  std::vector<PlotEvent> events{};
  std::string remark{};    ///< below the plot
  bool is_of_run = true;   ///< else its curves are no motion, and their times mean nothing
  bool is_folded = false;  ///< of less interest: a page folds it away

  bool is_over_time() const { return over.empty(); }
};

/// "theta (rad)"; the name alone where there is no unit worth naming.
std::string label_words(const std::string& name, const std::string& unit);

/// The plot in words, for those who cannot see it: what each series does between which values.
std::string describe_plot(const Plot& plot);

}  // namespace visviva
