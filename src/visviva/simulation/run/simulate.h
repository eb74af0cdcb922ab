// simulate(): from a CompiledSystem to a Trajectory with its certificate.
//
//   const Trajectory run = simulate(system, {.until = 10.0, .energy = 1e-9});
//   if (run.status != RunStatus::done) ... run.reason
//   run["theta"], run.certificate.max_deviation
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "visviva/codegen/system/compiled_system.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// How far a run has come.
struct Progress {
  double t, until, step, deviation;  ///< deviation of E_Z
  std::size_t steps;
};

/// Sees a run while it goes on; all calls come from the thread that called simulate().
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// Before the first sample. Called again when the run begins anew: what came before is void.
  virtual void begin(const std::vector<std::string>& /*columns*/) {}
  /// One value for each column. False stops the run: "stopped", with reason().
  virtual bool take_sample(const double* /*values*/) { return true; }
  /// After every step. False stops the run.
  virtual bool take_progress(const Progress& /*progress*/) { return true; }
  virtual std::string reason() const { return "interrupted"; }
};

struct RunOptions {
  double from = 0.0;
  double until = 0.0;
  std::optional<double> every{};  ///< a thousandth of the run when not given
  /// Of the local error, relative to 1 + |y|: 1e-9 when not given. With `energy` it is chosen as the
  /// run goes on, and this one is the largest that may be.
  std::optional<double> tolerance{};
  std::optional<double> energy{};   ///< |E_Z - E_Z(from)| at every step, J
  bool is_energy_relative = false;  ///< `energy` is a part of the largest K2 + |U - U(from)|
  /// "auto" (verner98, radau5 where the motion is stiff), one of list_methods(),
  /// list_sundials_methods(), or "variational".
  std::string method = "auto";
  double max_step = std::numeric_limits<double>::infinity();
  bool certify_state = false;  ///< run also at a tenth of the tolerances and return that run
  std::size_t max_steps = 1'000'000'000;
  bool keep_samples = true;
  RunWatcher* watcher = nullptr;
};

struct RunStart {
  std::vector<double> state, parameters, inputs;
};

/// From the model's own start and values.
Trajectory simulate(const CompiledSystem& system, const RunOptions& options);
/// UsageError when a list has not the size that the system asks for. All else that can go wrong is
/// in the trajectory.
Trajectory simulate(const CompiledSystem& system, const RunStart& start, const RunOptions& options);

}  // namespace visviva
