// Ten thousand random mechanisms by four methods: how long, and how many hold.
//
// The same checks as the tests make on five hundred. Nothing here fails: the lines say how many
// mechanisms agree in all methods and with the equations that positions alone give.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

#include "visviva/equations/testing/mechanism_checks_test.h"

namespace visviva {
namespace {

using namespace mechanisms;

constexpr std::uint64_t first_seed = 10001, last_seed = 20000;

struct Tally {
  int mechanisms = 0, good = 0, undecided = 0, constrained = 0, four_methods = 0, states = 0;
};

void print_failure(std::uint64_t seed, const std::string& what) {
  std::printf("random mechanism, seed %llu: %s\n", static_cast<unsigned long long>(seed),
              what.c_str());
}

void check(std::uint64_t seed, Tally& tally) {
  ++tally.mechanisms;
  try {
    const MechanismReport report = check_mechanism(seed);
    tally.undecided += report.is_undecided ? 1 : 0;
    tally.constrained += report.rows > 0 ? 1 : 0;
    tally.four_methods += report.methods == 4 ? 1 : 0;
    tally.states += report.states;
    if (report.failures.empty()) {
      ++tally.good;
    } else {
      print_failure(seed, report.failures[0]);
    }
  } catch (const std::exception& e) {
    print_failure(seed, e.what());
  }
}

void random_mechanisms(benchmark::State& state) {
  Tally tally;
  for (auto _ : state) {
    for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) check(seed, tally);
  }
  std::printf("random mechanisms that hold: %d/%d\n", tally.good, tally.mechanisms);
  std::printf("random mechanisms undecided: %d/%d\n", tally.undecided, tally.mechanisms);
  std::printf("random mechanisms by all four methods: %d/%d\n", tally.four_methods,
              tally.mechanisms);
  std::printf("random mechanisms with constraints: %d/%d\n", tally.constrained, tally.mechanisms);
  state.SetItemsProcessed(tally.mechanisms);
  state.counters["failures"] = tally.mechanisms - tally.good;
  state.counters["states"] = tally.states;
}
BENCHMARK(random_mechanisms)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace visviva
