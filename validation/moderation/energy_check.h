// E_Z of a run computed anew, from its states and the energies at them.
#pragma once

#include <algorithm>
#include <set>

#include "../trajectories/running.h"

namespace visviva::validation {

class EnergyCheck {
 public:
  /// From the system's own start. `run` tells which speeds may have become dependent on the way:
  /// where they change, K2 jumps and Z takes up the jump.
  EnergyCheck(const CompiledSystem& system, const Trajectory& run)
      : system_(system), p_(system.prepare(system.parameters())) {
    const double t = run.t_start;
    const std::vector<double>& start = run.start_state;
    const SystemEnergies e = system_.compute_energies(at(t, start), p_);
    E_Z_ = e.K2 + e.U + start[system_.state_count()];
    choices_.insert(e.dependent);
    if (run.certificate.partition_changes == 0) return;
    for (std::size_t row = 0; row < run["t"].size(); ++row)
      choices_.insert(system_.choose_dependent(at(run["t"][row], sampled(run, row)), p_));
  }

  /// |E_Z - E_Z(start)|; `y` are states and then Z.
  double compute_deviation(double t, const std::vector<double>& y) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::vector<int>& dependent : choices_) {
      const SystemEnergies e = system_.compute_energies(at(t, y), p_, dependent);
      least = std::min(least, std::abs(e.K2 + e.U + y[system_.state_count()] - E_Z_));
    }
    return least;
  }

  /// The largest over all samples.
  double compute_largest(const Trajectory& run) const {
    double largest = 0;
    for (std::size_t row = 0; row < run["t"].size(); ++row)
      largest = std::max(largest, compute_deviation(run["t"][row], sampled(run, row)));
    return largest;
  }

 private:
  Instant at(double t, const std::vector<double>& y) const {
    return {t, y.data(), system_.inputs().data()};
  }
  std::vector<double> sampled(const Trajectory& run, std::size_t row) const {
    std::vector<double> y;
    for (const std::string& name : system_.state_names()) y.push_back(run[name][row]);
    y.push_back(run["Z"][row]);
    return y;
  }

  const CompiledSystem& system_;
  PreparedParameters p_;
  double E_Z_ = 0.0;
  std::set<std::vector<int>> choices_;  // of dependent speeds
};

}  // namespace visviva::validation
