#include "measured_run.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "peer_runs.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva::bench {
namespace {

constexpr double loosest = 1e-2, tightest = 1e-15;
constexpr double most_evaluations = 1e6;  // then a scan ends
constexpr int bisections = 6;

MeasuredRun run_ours(const Course& course, RunOptions options, bool is_timed) {
  options.until = options.every.emplace(course.until);
  options.keep_samples = false;
  Trajectory t = simulate(course.system, options);
  MeasuredRun run{.is_done = t.status == RunStatus::done,
                  .deviation = t.certificate.max_deviation,
                  .evaluations = static_cast<double>(t.evaluations)};
  if (!run.is_done) return run;
  run.end_state.assign(t.end_state.begin(), t.end_state.begin() + static_cast<std::ptrdiff_t>(
                                                                      course.system.state_count()));
  if (is_timed) run.seconds = time_run([&] { t = simulate(course.system, options); });
  return run;
}

}  // namespace

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool has_method(const std::string& method) {
  return is_peer(method) ? find_peer(method) != nullptr : true;
}

MeasuredRun run_fixed(const Course& course, const std::string& method, double tolerance,
                      bool is_timed) {
  MeasuredRun run;
  if (!is_peer(method)) {
    run = run_ours(course, {.tolerance = tolerance, .method = method}, is_timed);
  } else if (const Peer peer = find_peer(method)) {
    SystemRates rates(course.system, course.system.parameters(), course.system.inputs());
    run = peer(course, rates, tolerance, true);
    if (is_timed && run.is_done)
      run.seconds = time_run([&] { peer(course, rates, tolerance, false); });
  }
  run.tolerance = tolerance;
  return run;
}

MeasuredRun run_moderated(const Course& course, const std::string& method, double X,
                          bool is_timed) {
  return run_ours(course, {.energy = X, .method = method}, is_timed);
}

double measure_scale(const Course& course) {
  return simulate(course.system, {.until = course.until,
                                  .every = course.until,
                                  .tolerance = 1e-9,
                                  .keep_samples = false})
      .certificate.scale;
}

double time_rates(const Course& course) {
  constexpr int calls = 1000;
  SystemRates rates(course.system, course.system.parameters(), course.system.inputs());
  std::vector<double> y = course.system.start(), result(rates.size());
  y.resize(rates.size(), 0.0);
  return time_run([&] {
           for (int i = 0; i < calls; ++i) rates.compute_rates(1e-3 * i, y.data(), result.data());
         }) /
         calls;
}

// ---- Oracle

Oracle::Oracle(const Course& course, std::string method)
    : course_(course), method_(std::move(method)) {}

const MeasuredRun& Oracle::scan(std::size_t k) {
  while (scanned_.size() <= k) {
    const double tolerance = loosest * std::pow(10.0, -0.25 * static_cast<double>(scanned_.size()));
    scanned_.push_back(run_fixed(course_, method_, tolerance, false));
  }
  return scanned_[k];
}

MeasuredRun Oracle::find(double X) {
  const auto is_good = [X](const MeasuredRun& r) { return r.is_done && r.deviation <= X; };
  const auto last = static_cast<std::size_t>(std::lround(4 * std::log10(loosest / tightest)));
  std::size_t k = 0;
  while (k < last && !is_good(scan(k)) && scan(k).evaluations < most_evaluations) ++k;
  MeasuredRun best = scan(k);
  if (!is_good(best)) return {};
  if (k == 0) return best;
  double low = scan(k).tolerance, high = scan(k - 1).tolerance;
  for (int i = 0; i < bisections; ++i) {
    const double middle = std::sqrt(low * high);
    const MeasuredRun run = run_fixed(course_, method_, middle, false);
    (is_good(run) ? low : high) = middle;
    if (is_good(run) && run.evaluations < best.evaluations) best = run;
  }
  // A tighter one may need fewer, where steps happen to fall well.
  for (std::size_t i = k + 1; i <= std::min(k + 2, last); ++i) {
    if (is_good(scan(i)) && scan(i).evaluations < best.evaluations) best = scan(i);
  }
  return best;
}

}  // namespace visviva::bench
