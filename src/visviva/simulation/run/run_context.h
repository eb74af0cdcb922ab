// RunContext: what all parts of a run share: the system with its values, its energies, its constraints,
// and what was asked for.
#pragma once

#include "visviva/simulation/run/energy_watch.h"
#include "visviva/simulation/run/projection.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/simulation/run/system_rates.h"

namespace visviva {

struct RunContext {
  /// `of_run` must outlive it.
  RunContext(const CompiledSystem& of_run, const RunStart& from, const RunOptions& asked)
      : system(of_run),
        options(asked),
        span(asked.until - asked.from),
        rates(of_run, from.parameters, from.inputs, from.input_law),
        watch(rates),
        projection(of_run, rates.prepared(), rates.inputs().data()),
        start(from.state) {
    start.resize(rates.size(), 0.0);
  }
  RunContext(const RunContext&) = delete;
  RunContext& operator=(const RunContext&) = delete;

  const CompiledSystem& system;
  const RunOptions options;
  const double span;  ///< length of the run in time
  SystemRates rates;
  EnergyWatch watch;
  Projection projection;
  std::vector<double> start;  ///< states, then quadratures, which begin at zero
};

}  // namespace visviva
