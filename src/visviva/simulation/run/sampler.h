// Sampler: rows of a trajectory, at equal distances in time or at times that are given.
#pragma once

#include <string>
#include <vector>

#include "visviva/simulation/run/energy_watch.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/simulation/run/system_rates.h"

namespace visviva {

class Sampler {
 public:
  Sampler(SystemRates& rates, const EnergyWatch& watch, const RunOptions& options);

  /// Gives the columns and the first row. False when the watcher wants no more.
  bool begin(double t, const double* y);
  /// The time of the next row that is due; infinite when there is none.
  double next() const { return next_; }
  bool give_next(const double* y) { return give(next_, y); }
  /// Gives the last row, unless it is there already.
  bool finish(double t, const double* y);

  /// The row of a state, which is not given to anybody.
  std::vector<double> make_row(double t, const double* y);

  void write(Trajectory* trajectory);

 private:
  bool give(double t, const double* y);
  void fill_row(double t, const double* y);
  double choose_side(double t, const double* y);
  void advance();
  void advance_to_given();
  void note_gaps(double t);

  SystemRates& rates_;
  const EnergyWatch& watch_;
  RunWatcher* watcher_;
  double from_, until_, every_, next_, last_;
  double count_ = 0;  // rows at equal distances so far
  bool keeps_;
  std::vector<double> given_times_;  // of rows at other distances
  std::vector<std::string> columns_;
  std::vector<std::size_t> shown_;    // states that have a column
  std::vector<std::size_t> outputs_;  // outputs that have one of their own
  std::vector<double> row_, values_;
  std::vector<double> before_, after_;  // switches on both sides of a row
  std::vector<OutputGap> gaps_;         // one for each of outputs_
  std::size_t rows_ = 0;
  std::vector<std::vector<double>> samples_;
};

}  // namespace visviva
