// Speed and size of the expression pool: nodes a second on the recursions mechanisms are made of,
// bytes a node.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

using Column = std::array<Expr, 3>;

Column operator+(const Column& a, const Column& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Column operator*(const Expr& s, const Column& a) { return {s * a[0], s * a[1], s * a[2]}; }
Expr dot(const Column& a, const Column& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Column cross(const Column& a, const Column& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A chain of bodies, each turning about the axis that follows its parent's: velocities outward in
// body frames.
struct Chain {
  std::vector<Expr> q, u;
  std::vector<Column> w_NB_B, v_NB_B;
  Expr kinetic_energy;
};

Column turn(const Column& v, std::size_t axis, const Expr& c, const Expr& s) {
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  Column r = v;
  r[i] = c * v[i] + s * v[j];
  r[j] = c * v[j] - s * v[i];
  return r;
}

Chain make_chain(ExprPool& pool, int bodies) {
  const Expr zero = pool.zero();
  Chain chain;
  Column w{zero, zero, zero}, v{zero, zero, zero};
  chain.kinetic_energy = zero;
  for (int k = 0; k < bodies; ++k) {
    const std::string n = std::to_string(k);
    const Expr q = pool.symbol("q" + n), u = pool.symbol("u" + n), m = pool.symbol("m" + n);
    const Column p = {pool.symbol("px" + n), pool.symbol("py" + n), pool.symbol("pz" + n)};
    const Column inertia = {pool.symbol("Ix" + n), pool.symbol("Iy" + n), pool.symbol("Iz" + n)};
    const std::size_t axis = static_cast<std::size_t>(k) % 3;
    const Expr c = cos(q), s = sin(q);
    v = turn(v + cross(w, p), axis, c, s);
    w = turn(w, axis, c, s);
    w[axis] += u;
    const Column h = {inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]};
    chain.kinetic_energy += m * dot(v, v) / 2 + dot(w, h) / 2;
    chain.q.push_back(q);
    chain.u.push_back(u);
    chain.w_NB_B.push_back(w);
    chain.v_NB_B.push_back(v);
  }
  return chain;
}

// Velocities, energies, and the products of partial velocities with momenta: what a derivation
// builds.
void build_chain(benchmark::State& state) {
  std::size_t nodes = 0;
  double bytes = 0.0;
  for (auto _ : state) {
    ExprPool pool;
    const Chain chain = make_chain(pool, static_cast<int>(state.range(0)));
    benchmark::DoNotOptimize(chain.kinetic_energy);
    nodes += pool.node_count();
    bytes = pool.bytes_per_node();
  }
  state.counters["nodes/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
  state.counters["bytes/node"] = bytes;
}
BENCHMARK(build_chain)->Arg(10)->Arg(100)->Arg(1000);

// Products of 3x3 matrices of independent entries: sums and products only, every node new.
void build_matrix_products(benchmark::State& state) {
  std::size_t nodes = 0;
  double bytes = 0.0;
  for (auto _ : state) {
    ExprPool pool;
    std::array<Column, 3> product, factor;
    for (std::size_t i = 0; i < 9; ++i) {
      factor[i / 3][i % 3] = pool.symbol("a" + std::to_string(i));
      product[i / 3][i % 3] = pool.symbol("b" + std::to_string(i));
    }
    for (int n = 0; n < state.range(0); ++n) {
      std::array<Column, 3> next = product;
      for (std::size_t i = 0; i < 3; ++i) {
        next[i] = product[i][0] * factor[0] + product[i][1] * factor[1] + product[i][2] * factor[2];
      }
      product = next;
    }
    nodes += pool.node_count();
    bytes = pool.bytes_per_node();
  }
  state.counters["nodes/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
  state.counters["bytes/node"] = bytes;
}
BENCHMARK(build_matrix_products)->Arg(200)->Arg(2000)->Arg(20000);

// The second time everything is known: the price of finding a node again.
void find_again(benchmark::State& state) {
  ExprPool pool;
  make_chain(pool, 100);
  const std::size_t nodes = pool.node_count();
  for (auto _ : state) benchmark::DoNotOptimize(make_chain(pool, 100).kinetic_energy);
  state.counters["nodes/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(find_again);

void make_sine_and_cosine(benchmark::State& state) {
  std::size_t made = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ExprPool pool;
    std::vector<Expr> q;
    for (int i = 0; i < 1000; ++i) q.push_back(pool.symbol("q" + std::to_string(i)));
    state.ResumeTiming();
    for (const Expr& e : q) {
      benchmark::DoNotOptimize(sin(e));
      benchmark::DoNotOptimize(cos(e));
    }
    made += 2000;
  }
  state.counters["calls/s"] =
      benchmark::Counter(static_cast<double>(made), benchmark::Counter::kIsRate);
}
BENCHMARK(make_sine_and_cosine);

void make_quotients(benchmark::State& state) {
  std::size_t made = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ExprPool pool;
    std::vector<Expr> q;
    for (int i = 0; i < 1000; ++i) q.push_back(pool.symbol("q" + std::to_string(i)));
    state.ResumeTiming();
    for (std::size_t i = 1; i < q.size(); ++i) benchmark::DoNotOptimize(q[i - 1] / q[i]);
    made += q.size() - 1;
  }
  state.counters["calls/s"] =
      benchmark::Counter(static_cast<double>(made), benchmark::Counter::kIsRate);
}
BENCHMARK(make_quotients);

// The gradient of a kinetic energy by all coordinates and speeds: its operations over those of the
// energy.
void take_gradient(benchmark::State& state) {
  double ratio = 0.0;
  for (auto _ : state) {
    state.PauseTiming();
    ExprPool pool;
    const Chain chain = make_chain(pool, static_cast<int>(state.range(0)));
    std::vector<Expr> symbols = chain.q;
    symbols.insert(symbols.end(), chain.u.begin(), chain.u.end());
    state.ResumeTiming();
    const std::vector<Expr> g = gradient(chain.kinetic_energy, symbols);
    state.PauseTiming();
    ratio = static_cast<double>(count_operations(g).total()) /
            static_cast<double>(count_operations({chain.kinetic_energy}).total());
    state.ResumeTiming();
  }
  state.counters["cost ratio"] = ratio;
}
BENCHMARK(take_gradient)->Arg(7)->Arg(50);

void evaluate_chain(benchmark::State& state) {
  ExprPool pool;
  const Chain chain = make_chain(pool, 50);
  const std::vector<Expr> symbols = free_symbols(chain.kinetic_energy);
  const Evaluator energy(symbols, {chain.kinetic_energy});
  const std::vector<double> values(symbols.size(), 0.3);
  const double operations = static_cast<double>(count_operations({chain.kinetic_energy}).total());
  for (auto _ : state) benchmark::DoNotOptimize(energy(values));
  state.counters["operations/s"] =
      benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(evaluate_chain);

void substitute_chain(benchmark::State& state) {
  ExprPool pool;
  const Chain chain = make_chain(pool, 50);
  Replacements zeros;
  for (const Expr& u : chain.u) zeros.emplace_back(u, 2 * u);
  for (auto _ : state) benchmark::DoNotOptimize(substitute(chain.kinetic_energy, zeros));
}
BENCHMARK(substitute_chain);

// No witness exists and the fields do not know: all states at all precisions.
void compare_undecided(benchmark::State& state) {
  ExprPool pool;
  const Chain chain = make_chain(pool, static_cast<int>(state.range(0)));
  const Expr x = pool.symbol("x"), e = chain.kinetic_energy;
  const Expr left = e + max(x, pool.one()) + min(x, pool.one()), right = e + x + 1;
  for (auto _ : state) benchmark::DoNotOptimize(compare(left, right).verdict);
}
BENCHMARK(compare_undecided)->Arg(1)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace visviva
