// RunOptions and RunStart: what is asked of a run, and where it begins.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "visviva/simulation/run/run_watcher.h"

namespace visviva {

struct RunOptions {
  double from = 0.0;
  double until = 0.0;
  std::optional<double> every{};  ///< time between samples: a thousandth of the run when not given
  /// Times of rows, ascending, instead of `every`; those before and after the run do not count.
  std::vector<double> times{};
  /// Tolerance of the local error, relative to 1 + |y|: 1e-9 when not given. With `energy` a smaller
  /// one may be chosen as the run goes on, never a larger one.
  std::optional<double> tolerance{};
  std::optional<double> energy{};   ///< bound of |E_Z - E_Z(from)| at every step, J
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

/// Inputs as a function of time and states, such as a force law that a program computes: it writes one value for each
/// input. It must be smooth, and is called from every thread that runs. What is not finite refuses the run.
using InputLaw =
    std::function<void(double time, std::span<const double> states, std::span<double> inputs)>;

/// What a run starts from: values in the order of the system's names. An empty list stands for the
/// model's own values:
///   simulate(system, {.parameters = system.parameters().with("L", 0.6)}, {.until = 10.0})
struct RunStart {
  std::vector<double> state{}, parameters{}, inputs{};
  InputLaw input_law{};  ///< else the inputs are constant
};

/// The largest tolerance of the local error: what was asked for, else what is usual. A tolerance in
/// joules may only make it smaller.
inline double largest_tolerance(const RunOptions& options) {
  constexpr double usual = 1e-9;
  return options.tolerance.value_or(usual);
}

}  // namespace visviva
