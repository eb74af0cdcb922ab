// Accelerations in closed loops, against a hand-written mass matrix and Schur complement in the same run.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>

#include "loop_peer.h"
#include "measured_run.h"

namespace visviva::bench {
namespace {

constexpr std::size_t state_set = 64;  // as many states are evaluated in turn

// All states of a set, in seconds for one: the least of many.
template <class F>
double time_each(std::size_t size, const std::vector<double>& states, F&& f) {
  return time_run([&] {
           for (int again = 0; again < 16; ++again)
             for (std::size_t k = 0; k < state_set; ++k) f(&states[k * size]);
         }) /
         (16 * state_set);
}

// States near the start. They need not satisfy the constraints: accelerations are defined anyway.
std::vector<double> make_states(const std::vector<double>& start) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<double> all;
  for (std::size_t k = 0; k < state_set; ++k)
    for (const double y : start) all.push_back(y + uniform(random));
  return all;
}

// Ours at each state, then the peer's; the largest difference of accelerations against their size.
void measure(benchmark::State& state, const SimulatedSystem& loop, LoopPeer* peer) {
  const CompiledSystem system = compile_system(loop);
  const PreparedParameters p = system.prepare(system.parameters().values());
  const std::vector<double> states = make_states(system.start().values());
  const std::size_t size = system.state_count(), more = system.quadrature_names().size();
  std::vector<double> rates(size + more), others(size);
  double difference = 0, held = 0;
  for (std::size_t k = 0; k < state_set; ++k) {
    const double* y = &states[k * size];
    system.compute_rates({0, y, nullptr}, p, rates.data());
    held += system.holds_unrolled({0, y, nullptr}, p) ? 1.0 / state_set : 0.0;
    if (peer == nullptr) continue;
    peer->compute_rates(y, others.data());
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      most = std::max(most, std::abs(rates[i] - others[i]));
      largest = std::max(largest, std::abs(others[i]));
    }
    difference = std::max(difference, most / largest);
  }
  for ([[maybe_unused]] const auto _ : state) {
    const double ours = time_each(size, states, [&](const double* y) {
      system.compute_rates({0, y, nullptr}, p, rates.data());
    });
    const double with_quadratures = time_each(size, states, [&](const double* y) {
      system.compute_rates_and_quadratures({0, y, nullptr}, p, rates.data());
    });
    state.counters["rates_ns"] = 1e9 * ours;
    state.counters["quadratures_ns"] = 1e9 * with_quadratures;
    if (peer == nullptr) continue;
    const double theirs =
        time_each(size, states, [&](const double* y) { peer->compute_rates(y, others.data()); });
    state.counters["peer_ns"] = 1e9 * theirs;
    state.counters["ratio"] = ours / theirs;
    state.counters["difference"] = difference;
  }
  state.counters["operations"] = static_cast<double>(system.operation_count());
  state.counters["unrolled"] = held;
}

void measure_four_bar(benchmark::State& state) {
  FourBarPeer peer;
  measure(state, find_system("four_bar"), &peer);
}

void measure_rods(benchmark::State& state) {
  RodLoopPeer peer(static_cast<int>(state.range(0)));
  measure(state, make_rod_loop(static_cast<int>(state.range(0))), &peer);
}

// The same mechanism in coordinates of its own for each rod: M is diagonal, and so is nearly S.
void measure_free_rods(benchmark::State& state) {
  measure(state, make_free_rod_loop(static_cast<int>(state.range(0))), nullptr);
}

BENCHMARK(measure_four_bar)->Name("loop/four_bar")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(measure_rods)
    ->Name("loop/rods")
    ->Arg(20)
    ->Arg(100)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(measure_free_rods)
    ->Name("loop/free_rods")
    ->Arg(20)
    ->Arg(100)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace visviva::bench
