// How long it takes to form all partial velocities of a planar chain in relative angles.
//
// The chain of n links has n (n + 1)/2 non-zero partial velocities of points and as many of frames;
// the time per non-zero must not grow with n.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {
namespace {

struct Chain {
  Model model{"chain"};
  std::vector<Frame> links;
  std::vector<Point> ends;
};

Chain make_chain(int n) {
  Chain chain;
  const Quantity L = chain.model.parameter("L", 1.0 * units::m);
  Frame link = chain.model.newtonian();
  Point end = link.origin();
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    const Quantity q = chain.model.coordinate("q" + number);
    link = chain.model.frame("A" + number, rotate(link, Axis::z, q));
    end = chain.model.point("P" + number, end + L * link.x());
    chain.links.push_back(link);
    chain.ends.push_back(end);
  }
  return chain;
}

void partial_velocities_of_planar_chain(benchmark::State& state) {
  std::size_t nonzeros = 0, nodes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const Chain chain = make_chain(static_cast<int>(state.range(0)));
    nonzeros = 0;
    state.ResumeTiming();
    const Kinematics motion = analyze_motion(chain.model);
    for (const Frame& A : chain.links) nonzeros += motion.angular_motion(A).coefficients.size();
    for (const Point& P : chain.ends) nonzeros += motion.point_motion(P).coefficients.size();
    state.PauseTiming();
    nodes = chain.model.data().pool->node_count();
    state.ResumeTiming();
  }
  state.counters["nonzeros"] = static_cast<double>(nonzeros);
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["s/nonzero"] = benchmark::Counter(
      static_cast<double>(nonzeros),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(partial_velocities_of_planar_chain)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace visviva
