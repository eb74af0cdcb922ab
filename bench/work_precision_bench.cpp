// Work-precision curves: processor time against the largest energy deviation and the error of the state
// at the end, for each method over its local tolerance. work_precision.py draws them.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "measured_run.h"

namespace visviva::bench {
namespace {

constexpr int first_decade = 2, last_decade = 13;
constexpr double longest_s = 0.5;  // the tighter tolerances are left out then

struct Reference {
  explicit Reference(const std::string& name) : course(find_system(name)) {
    end = run_fixed(course, "verner98", 1e-14, false).end_state;
    error = find_error(run_fixed(course, "dop853", 1e-14, false).end_state);
  }
  /// Largest difference of a state, relative to 1 + its size.
  double find_error(const std::vector<double>& y) const {
    double most = 0.0;
    for (std::size_t i = 0; i < std::min(y.size(), end.size()); ++i)
      most = std::max(most, std::abs(y[i] - end[i]) / (1 + std::abs(end[i])));
    return most;
  }

  Course course;
  std::vector<double> end;
  double error = 0.0;  ///< how far two methods at their best are apart
};

const Reference& find_reference(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Reference>> known;
  auto& reference = known[name];
  if (!reference) reference = std::make_unique<Reference>(name);
  return *reference;
}

// "energy" is simulate() with an energy tolerance; all others have local ones.
void measure(benchmark::State& state, const std::string& name, const std::string& method,
             int decade) {
  static std::map<std::string, double> longest;
  for (auto _ : state) {
    if (longest[name + method] > longest_s) {
      state.SkipWithError("left out: looser tolerances took long");
      return;
    }
    const Reference& reference = find_reference(name);
    const double tolerance = std::pow(10.0, -decade);
    const MeasuredRun run = method == "energy"
                                ? run_moderated(reference.course, "auto", tolerance, true)
                                : run_fixed(reference.course, method, tolerance, true);
    if (!run.is_done) {
      state.SkipWithError("did not reach the end");
      return;
    }
    longest[name + method] = run.seconds;
    state.counters["cpu_ms"] = 1e3 * run.seconds;
    state.counters["deviation"] = run.deviation;
    state.counters["state_error"] = reference.find_error(run.end_state);
    state.counters["reference_error"] = reference.error;
    state.counters["evaluations"] = run.evaluations;
  }
}

const bool are_registered = [] {
  const std::vector<std::string> explicit_ones = {
      "energy", "verner98", "dop853", "dopri5", "boost-dopri5", "boost-fehlberg78", "cvode"};
  std::vector<std::string> with_implicit = explicit_ones;
  with_implicit.insert(with_implicit.end(), {"radau5", "cvode-bdf"});
  const auto add = [](const std::string& name, const std::vector<std::string>& methods) {
    for (const std::string& method : methods) {
      if (!has_method(method)) continue;
      for (int decade = first_decade; decade <= last_decade; ++decade)
        benchmark::RegisterBenchmark(
            fmt::format("work_precision/{}/{}/1e-{:02}", name, method, decade).c_str(),
            [name, method, decade](benchmark::State& s) { measure(s, name, method, decade); })
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
    }
  };
  add("double_pendulum", explicit_ones);
  add("chain10", explicit_ones);
  add("heavy_top", explicit_ones);
  add("stiff_rod", with_implicit);
  return true;
}();

}  // namespace
}  // namespace visviva::bench
