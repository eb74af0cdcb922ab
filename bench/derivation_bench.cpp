// How long it takes to derive the equations of motion of chains, and how many operations they cost.
//
// sympy_derivation.py puts the figures beside SymPy's and checks that both derive the same system:
// with VISVIVA_BENCH_VALUES=FOLDER in the environment, M, f and q' of each case at one state are
// written there.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "mechanisms.h"
#include "visviva/equations/equations.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using nlohmann::json;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The kinematical equations: q' of every coordinate.
std::vector<Expr> coordinate_rates(const Kinematics& motion) {
  std::vector<Expr> rates;
  ExprPool& pool = *motion.model().pool;
  for (const CoordinateData& q : motion.model().coordinates) {
    rates.push_back(motion.rate(Quantity(q.q, q.dimension)).expr(pool));
  }
  return rates;
}

// Values between 1/2 and 3/2 for all symbols: irrational steps around the unit circle.
void write_values(const Equations& equations, const std::string& path) {
  const ModelData& model = equations.motion.model();
  std::vector<std::pair<std::string, Expr>> names;
  for (const auto& p : model.parameters) names.emplace_back(p.name, p.symbol);
  for (const auto& p : model.inputs) names.emplace_back(p.name, p.symbol);
  for (const auto& q : model.coordinates) names.emplace_back(q.name, q.q);
  for (std::size_t r = 0; r < equations.motion.speeds().size(); ++r) {
    // A speed of its own name, or the rate of q7 as u7.
    const Speed& speed = equations.motion.speeds()[r];
    const std::string name = speed.coordinate < 0 ? speed.name : "u" + std::to_string(r);
    names.emplace_back(name, speed.u);
  }
  json state;
  std::vector<Expr> symbols;
  std::vector<double> values;
  for (const auto& [name, symbol] : names) {
    symbols.push_back(symbol);
    values.push_back(0.5 +
                     std::fmod(0.6180339887498949 * static_cast<double>(symbols.size()), 1.0));
    state[name] = values.back();
  }
  json rows = json::array();
  for (const std::vector<Expr>& row : equations.mass_matrix) {
    rows.push_back(Evaluator(symbols, row)(values));
  }
  const std::vector<double> f = Evaluator(symbols, equations.forcing)(values);
  const std::vector<double> qdot = Evaluator(symbols, coordinate_rates(equations.motion))(values);
  std::ofstream(path) << json{
      {"state", state}, {"mass_matrix", rows}, {"forcing", f}, {"qdot", qdot}};
}

struct Size {
  std::size_t operations = 0;
  std::size_t nonzeros = 0;  // of M, on and below its diagonal
};

Size measure_size(const Equations& equations) {
  std::vector<Expr> all = coordinate_rates(equations.motion);
  all.insert(all.end(), equations.forcing.begin(), equations.forcing.end());
  Size size;
  for (std::size_t r = 0; r < equations.mass_matrix.size(); ++r) {
    for (std::size_t s = 0; s <= r; ++s) {
      const Expr& entry = equations.mass_matrix[r][s];
      all.push_back(entry);
      if (!entry.is_zero()) ++size.nonzeros;
    }
  }
  size.operations = count_operations(all).total();
  return size;
}

template <class Make>
void measure_derivation(benchmark::State& state, const char* name, Make make_model) {
  const int n = static_cast<int>(state.range(0));
  double whole = std::numeric_limits<double>::infinity(), derivation = whole;
  std::size_t nodes = 0;
  Size size;
  for (auto _ : state) {
    const double start = cpu_seconds();
    const Model model = make_model(n);
    const Kinematics motion = analyze_motion(model);
    const double analyzed = cpu_seconds();
    const Equations equations = derive(motion, Method::kane);
    const double end = cpu_seconds();
    whole = std::min(whole, end - start);
    derivation = std::min(derivation, end - analyzed);

    // What is asked of the result, once, and freeing it are no part of the derivation.
    state.PauseTiming();
    if (size.operations == 0) {
      nodes = model.data().pool->node_count();
      size = measure_size(equations);
      if (const char* folder = std::getenv("VISVIVA_BENCH_VALUES")) {
        write_values(equations,
                     std::string(folder) + "/" + name + "_" + std::to_string(n) + ".json");
      }
    }
    state.ResumeTiming();
  }
  const auto per_nonzero = [&](double x) { return x / static_cast<double>(size.nonzeros); };
  state.counters["least_s"] = whole;
  state.counters["derive_s"] = derivation;
  state.counters["operations"] = static_cast<double>(size.operations);
  state.counters["nonzeros"] = static_cast<double>(size.nonzeros);
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["s/nonzero"] = per_nonzero(whole);
  state.counters["op/nonzero"] = per_nonzero(static_cast<double>(size.operations));
}

void cart_absolute(benchmark::State& state) {
  measure_derivation(state, "cart_absolute",
                     [](int n) { return mechanisms::make_cart(n, mechanisms::Angles::absolute); });
}
void cart_relative(benchmark::State& state) {
  measure_derivation(state, "cart_relative",
                     [](int n) { return mechanisms::make_cart(n, mechanisms::Angles::relative); });
}
void chain_3d(benchmark::State& state) {
  measure_derivation(state, "chain_3d", [](int n) { return mechanisms::make_chain_3d(n); });
}

constexpr auto ms = benchmark::kMillisecond;
BENCHMARK(cart_absolute)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(200)->Unit(ms);
BENCHMARK(cart_relative)->Arg(5)->Arg(8)->Arg(10)->Arg(15)->Arg(50)->Arg(200)->Unit(ms);
BENCHMARK(chain_3d)->Arg(1)->Arg(2)->Arg(3)->Arg(10)->Arg(50)->Unit(ms);

}  // namespace
}  // namespace visviva
