// What tests of whole runs share: a model in the language made ready to run, and its end by names.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "visviva/base/render.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/simulation/run/simulate.h"
#include "visviva/text/build/load_model.h"

namespace visviva::validation {

inline Model take_model(ModelReading reading) {
  if (!reading.model)
    throw std::runtime_error(render_diagnostics(reading.diagnostics, reading.source));
  return std::move(*reading.model);
}

inline CompiledSystem compile_model(const Model& model) {
  const Equations equations = derive(analyze_motion(model), Method::kane);
  return compile(equations, analyze_energy(equations));
}

inline CompiledSystem compile_text(const std::string& text, const ReadOptions& options = {}) {
  return compile_model(take_model(read_model({"validation.viva", text}, options)));
}

/// A model of the folder examples/.
inline CompiledSystem compile_example(const std::string& name, const ReadOptions& options = {}) {
  const std::string path = std::string(VISVIVA_SOURCE_DIR) + "/examples/" + name + ".viva";
  return compile_model(load_model(path, options));
}

/// Why a run ended as it did, in words.
inline std::string why(const Trajectory& run) { return write_reason_text(run.reason); }

/// Of the local error, for comparisons to nine digits and more.
constexpr double tight = 1e-13;

inline Trajectory run_to(const CompiledSystem& system, double until, double tolerance = tight) {
  Trajectory run = simulate(system, {.until = until, .tolerance = tolerance});
  EXPECT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_EQ(run.t_end, until);
  return run;
}

/// A state or quadrature at the end of a run.
inline double at_end(const Trajectory& run, const std::string& name) {
  for (std::size_t i = 0; i < run.state_names.size(); ++i)
    if (run.state_names[i] == name) return run.end_state[i];
  throw std::runtime_error("no state is called " + name);
}

using Named = std::vector<std::pair<std::string, double>>;

inline void expect_end(const Trajectory& run, const Named& expected, double tolerance) {
  for (const auto& item : expected)
    EXPECT_NEAR(at_end(run, item.first), item.second, tolerance) << item.first;
}

/// The last row of outputs and other columns.
inline void expect_last_row(const Trajectory& run, const Named& expected, double tolerance) {
  for (const auto& item : expected)
    EXPECT_NEAR(run[item.first].back(), item.second, tolerance) << item.first;
}

}  // namespace visviva::validation
