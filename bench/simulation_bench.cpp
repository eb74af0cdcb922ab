// What simulations cost: for a given energy tolerance, against the best fixed local tolerance and
// against other libraries at the same energy error. Nothing here fails: ratios are printed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "measured_run.h"

namespace visviva::bench {
namespace {

// Ratios of all cases so far.
class Ratios {
 public:
  void add(double ratio) {
    sum_ += std::log(ratio);
    worst_ = std::max(worst_, ratio);
    ++count_;
  }
  double mean() const { return count_ > 0 ? std::exp(sum_ / count_) : 0.0; }
  double worst() const { return worst_; }
  double count() const { return count_; }

 private:
  double sum_ = 0.0, worst_ = 0.0, count_ = 0.0;
};

// ---- A run of ten seconds

// The tolerance is a part of the largest K2 + |U - U(0)|, found before.
void measure_target(benchmark::State& state, const std::string& name, double relative,
                    double limit_ms) {
  for (auto _ : state) {
    const Course course(find_system(name));
    const double scale = measure_scale(course);
    const MeasuredRun run = run_moderated(course, "auto", relative * scale, true);
    state.counters["cpu_ms"] = 1e3 * run.seconds;
    state.counters["wanted_ms"] = limit_ms;
    state.counters["drift"] = run.deviation / scale;
    state.counters["evaluations"] = run.evaluations;
    state.counters["ns/evaluation"] = 1e9 * run.seconds / run.evaluations;
    state.counters["rates_ns"] = 1e9 * time_rates(course);
  }
}

// ---- Moderation against the best fixed tolerance

constexpr int first_decade = 3, last_decade = 10;

struct Moderation {
  Ratios evaluations, seconds;
  double refused = 0, violated = 0, without_oracle = 0;
};
Moderation all;

void measure_moderation(benchmark::State& state, const std::string& name) {
  for (auto _ : state) {
    const Course course(find_system(name));
    const std::string& method = find_system(name).method;
    Oracle oracle(course, method);
    Moderation own;
    for (int decade = first_decade; decade <= last_decade; ++decade) {
      const double X = std::pow(10.0, -decade);
      const MeasuredRun ours = run_moderated(course, method, X, true);
      own.refused += ours.is_done ? 0 : 1;
      if (!ours.is_done) continue;
      own.violated += ours.deviation <= X ? 0 : 1;
      MeasuredRun best = oracle.find(X);
      own.without_oracle += best.is_done ? 0 : 1;
      if (!best.is_done) continue;
      best = run_fixed(course, method, best.tolerance, true);
      const double ratio = ours.evaluations / best.evaluations;
      for (Moderation* m : {&own, &all}) {
        m->evaluations.add(ratio);
        m->seconds.add(ours.seconds / best.seconds);
      }
      state.counters[fmt::format("1e-{:02}", decade)] = ratio;
    }
    all.refused += own.refused;
    all.violated += own.violated;
    all.without_oracle += own.without_oracle;
    state.counters["mean"] = own.evaluations.mean();
    state.counters["cpu_mean"] = own.seconds.mean();
    state.counters["refused"] = own.refused;
  }
}

void moderation_of_all(benchmark::State& state) {
  for (auto _ : state) {
    state.counters["mean"] = all.evaluations.mean();
    state.counters["worst"] = all.evaluations.worst();
    state.counters["cpu_mean"] = all.seconds.mean();
    state.counters["cpu_worst"] = all.seconds.worst();
    state.counters["cases"] = all.evaluations.count();
    state.counters["refused"] = all.refused;
    state.counters["violated"] = all.violated;
    state.counters["without_oracle"] = all.without_oracle;
  }
}

// ---- Other libraries at the same energy error

// Our own at a fixed tolerance too, which has the others' advantage.
const std::vector<std::string> peers = {
    "verner98", "dop853",    "boost-dopri5",  "boost-fehlberg78",
    "cvode",    "cvode-bdf", "arkode-dopri5", "arkode-fehlberg78"};
std::vector<Ratios> against(peers.size()), against_stiff(peers.size());

bool is_stiff(const std::string& name) { return find_system(name).method != "auto"; }

// The others are given the tolerance that suits them best, ours finds its own.
void measure_peers(benchmark::State& state, const std::string& name, int decade) {
  for (auto _ : state) {
    const Course course(find_system(name));
    const double X = std::pow(10.0, -decade);
    const MeasuredRun ours = run_moderated(course, "auto", X, true);
    state.counters["ours_ms"] = 1e3 * ours.seconds;
    if (!ours.is_done) continue;
    double best = 0.0;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (!has_method(peers[i]) || (peers[i] == "cvode-bdf" && !is_stiff(name))) continue;
      MeasuredRun run = Oracle(course, peers[i]).find(X);
      if (!run.is_done) continue;
      run = run_fixed(course, peers[i], run.tolerance, true);
      const double ratio = run.seconds / ours.seconds;
      state.counters[peers[i]] = ratio;
      (is_stiff(name) ? against_stiff : against)[i].add(ratio);
      if (peers[i] == "verner98" || peers[i] == "dop853") continue;
      best = best == 0.0 ? ratio : std::min(best, ratio);
    }
    state.counters["best_of_others"] = best;
  }
}

void write_means(benchmark::State& state, const std::vector<Ratios>& ratios) {
  for (auto _ : state) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (ratios[i].count() == 0) continue;
      state.counters[peers[i]] = ratios[i].mean();
      state.counters[peers[i] + "_cases"] = ratios[i].count();
    }
  }
}

// ---- All of them, in this order

const bool are_registered = [] {
  const auto add = [](const std::string& name, std::function<void(benchmark::State&)> f) {
    benchmark::RegisterBenchmark(name.c_str(), std::move(f))
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  };
  add("simulation_double_pendulum",
      [](benchmark::State& s) { measure_target(s, "double_pendulum", 1e-8, 0.25); });
  add("simulation_chain10", [](benchmark::State& s) { measure_target(s, "chain10", 1e-8, 4.0); });
  for (const SimulatedSystem& system : list_systems())
    add("moderation/" + system.name,
        [name = system.name](benchmark::State& s) { measure_moderation(s, name); });
  add("moderation_of_all", moderation_of_all);
  for (const char* name : {"hoist", "kapitza", "kepler", "double_pendulum", "cart", "heavy_top",
                           "chain10", "stiff_rod"}) {
    for (const int decade : {4, 8})
      add(fmt::format("peers/{}/1e-{:02}", name, decade),
          [name, decade](benchmark::State& s) { measure_peers(s, name, decade); });
  }
  add("peers_of_all", [](benchmark::State& s) { write_means(s, against); });
  add("peers_of_stiff", [](benchmark::State& s) { write_means(s, against_stiff); });
  return true;
}();

}  // namespace
}  // namespace visviva::bench
