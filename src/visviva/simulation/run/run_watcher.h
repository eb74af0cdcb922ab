// RunWatcher: what sees a run while it goes on, and may stop it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace visviva {

/// How far a run has come.
struct Progress {
  double t, until, step, deviation;  ///< times in s; deviation of E_Z in J
  std::size_t steps;
};

/// Sees a run while it goes on; all calls come from the thread that called simulate().
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// Comes before the first sample. It comes again when the run begins anew: what came before is void.
  virtual void begin(const std::vector<std::string>& /*columns*/) {}
  /// Takes one value for each column. False stops the run: "stopped", with reason().
  virtual bool take_sample(std::span<const double> /*values*/) { return true; }
  /// Comes after every step. False stops the run.
  virtual bool take_progress(const Progress& /*progress*/) { return true; }
  /// Why this watcher stopped the run, in its own words; empty where it was merely interrupted.
  virtual std::string reason() const { return {}; }
};

}  // namespace visviva
