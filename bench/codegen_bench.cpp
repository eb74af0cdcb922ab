// What machine code for the rates of chains costs to make and to run, against gcc in the same run.
//
// Two texts go to gcc: `same`, the very operations that were emitted, and `export`, what write_export()
// gives, whose NAME_rates solves M u' = f in loops. Nothing here fails: ratios are printed.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/jit/machine_code.h"
#include "visviva/codegen/system/acceleration_equations.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/codegen/system/run_expressions.h"
#include "visviva/codegen/system/written_solution.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

constexpr std::size_t state_set = 64;  // as many states are evaluated in turn
constexpr double unit = 0x1p-53;

// ---- Mechanisms

enum class Angles { absolute, relative };

// n massless rods that carry particles, hung one from the other.
Model make_chain(int n, Angles angles) {
  using namespace units;
  Model model("chain");
  const Frame N = model.newtonian();
  model.gravity(-model.parameter("g", 9.81 * m / (s * s)) * N.y());
  Point end = N.origin();
  Frame link = N;
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    const Quantity q = model.coordinate("q" + number);
    const Quantity l = model.parameter("l" + number, (1.0 + 0.1 / i) * units::m);
    const Quantity mass = model.parameter("m" + number, (1.0 + 0.2 / i) * kg);
    link = model.frame("A" + number, rotate(angles == Angles::absolute ? N : link, Axis::z, q));
    end = model.particle("P" + number, {.at = end - l * link.y(), .mass = mass});
  }
  return model;
}

// ---- Clock

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class F>
double time_once(F&& f) {
  const double start = seconds();
  f();
  return seconds() - start;
}

// The least time of one call: calls are repeated to last a millisecond, those for a tenth of a
// second.
template <class F>
double time_least(F&& f) {
  const double first = std::max(time_once(f), 1e-9);
  const int calls = std::max(1, static_cast<int>(1e-3 / first));
  double least = first;
  for (const double end = seconds() + 0.1; seconds() < end;)
    least = std::min(least, time_once([&] {
                              for (int i = 0; i < calls; ++i) f();
                            }) / calls);
  return least;
}

// ---- The function that a run evaluates

// As compile() makes it: y' and the pivots' margins, or q' and the entries of M and f.
struct RateFunction {
  explicit RateFunction(const Equations& equations) : system(equations), motion(system) {
    inputs = system.arguments();
    outputs = system.configuration_rates;
    const auto append = [this](const std::vector<Expr>& more) {
      outputs.insert(outputs.end(), more.begin(), more.end());
    };
    const auto solution = write_solution(system, {}, SystemOptions().unrolled_operations);
    is_unrolled = solution.has_value();
    if (!is_unrolled) {
      append(motion.entries());
      return;
    }
    append(solution->speed_rates);
    append(solution->multipliers);
    append(solution->margins);
  }

  StagedProgram lower() const {
    return split_prologue(make_program(inputs, system.parameters, outputs));
  }

  RunExpressions system;
  AccelerationEquations motion;
  std::vector<Expr> inputs, outputs;
  bool is_unrolled = false;
};

// Time and state, numbers between -1 and 1: irrational steps. State k is [k * inputs + i].
std::vector<double> make_states(std::size_t inputs) {
  std::vector<double> all(inputs * state_set);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = 2.0 * std::fmod(0.6180339887498949 * static_cast<double>(i + 1), 1.0) - 1.0;
  return all;
}

std::vector<double> transpose(const std::vector<double>& rows, std::size_t columns) {
  std::vector<double> all(rows.size());
  for (std::size_t k = 0; k < state_set; ++k) {
    for (std::size_t i = 0; i < columns; ++i) all[i * state_set + k] = rows[k * columns + i];
  }
  return all;
}

// ---- Interpreter and machine code

// How far output y may be apart in both, to first order: they differ in sines and cosines, by two
// units in the last place, and then in what every later operation rounds.
//   |dy| <= sum_i |dy/dv_i| r_i,   r_i = 2 u |v_i|, for a sine 4 u more                         (1)
double bound_difference(const Program& program, std::uint32_t y, const std::vector<double>& v) {
  std::vector<double> by(v.size(), 0.0);  // dy/dv_i, from y backward
  by[y] = 1.0;
  double sum = 0;
  for (std::uint32_t i = y + 1; i-- > 0;) {
    const Operation& o = program.operations[i];
    const double d = by[i];
    if (d == 0 || is_leaf(o.code)) continue;
    const double first = (o.signs & 1) != 0 ? -d : d, second = (o.signs & 2) != 0 ? -d : d;
    sum += std::abs(d) * 2 * unit * std::abs(v[i]);
    switch (o.code) {
      case Code::add:
        by[o.a] += first;
        by[o.b] += second;
        break;
      case Code::multiply:
        by[o.a] += d * v[o.b];
        by[o.b] += d * v[o.a];
        break;
      case Code::multiply_add:
        by[o.a] += first * v[o.b];
        by[o.b] += first * v[o.a];
        by[o.c] += second;
        break;
      case Code::divide:
        by[o.a] += d / v[o.b];
        by[o.b] -= d * v[i] / v[o.b];
        break;
      case Code::negate:
        by[o.a] -= d;
        break;
      case Code::sin:
        by[o.a] += d * std::cos(v[o.a]);
        sum += std::abs(d) * 4 * unit;
        break;
      case Code::cos:
        by[o.a] -= d * std::sin(v[o.a]);
        sum += std::abs(d) * 4 * unit;
        break;
      default:  // chains have no other
        return std::numeric_limits<double>::infinity();
    }
  }
  return sum;
}

// The largest difference of an output relative to it, what (1) allows there, and the largest part
// of (1) that the worst output of any state takes.
struct Difference {
  double relative = 0, allowed = 0, of_bound = 0;
};

Difference compare(const CompiledFunction& code, const std::vector<double>& states,
                   const std::vector<double>& prepared) {
  const Program& program = code.program();
  const std::size_t in = code.input_count(), out = code.output_count();
  const std::vector<double> columns = transpose(states, in);
  std::vector<double> expected(out), found(out), batch(out * state_set), values;
  code.evaluate_batch(columns.data(), state_set, state_set, prepared.data(), batch.data());
  Difference most;
  for (std::size_t k = 0; k < state_set; ++k) {
    run_program(program, &states[k * in], prepared.data(), expected.data(), &values);
    code(&states[k * in], prepared.data(), found.data());
    double relative = 0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < out; ++i) {
      const double difference = std::max(std::abs(found[i] - expected[i]),
                                         std::abs(batch[i * state_set + k] - expected[i]));
      if (difference <= relative * std::abs(expected[i])) continue;
      relative = difference / std::abs(expected[i]);
      worst = i;
    }
    if (relative == 0) continue;
    const double allowed =
        bound_difference(program, program.outputs[worst], values) / std::abs(expected[worst]);
    most.of_bound = std::max(most.of_bound, relative / allowed);
    if (relative > most.relative) {
      most.relative = relative;
      most.allowed = allowed;
    }
  }
  return most;
}

// ---- gcc

// Processor time of programs that were run and have ended: others on the machine do not count.
double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto to_seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
}

// A shared library in a folder of its own, both gone with it.
class GccLibrary {
 public:
  GccLibrary(const std::string& text, const std::string& flags) {
    std::string folder = (std::filesystem::temp_directory_path() / "codegen_bench_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return;
    folder_ = folder;
    const std::string stem = folder + "/rates";
    std::ofstream(stem + ".c") << text;
    const std::string command =
        "gcc " + flags + " -shared -fPIC -o '" + stem + ".so' '" + stem + ".c' -lm";
    const double start = children_seconds();
    const int status = std::system(command.c_str());
    compile_s_ = children_seconds() - start;
    if (status == 0) library_ = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~GccLibrary() {
    if (library_ != nullptr) dlclose(library_);
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  GccLibrary(const GccLibrary&) = delete;
  GccLibrary& operator=(const GccLibrary&) = delete;

  template <class Function>
  Function find(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library_, name));
  }
  double compile_s() const { return compile_s_; }

 private:
  std::string folder_;
  void* library_ = nullptr;
  double compile_s_ = 0;
};

// One statement an operation; gcc decides what it fuses.
std::string write_operations(const Program& program) {
  std::string text =
      "#include <math.h>\nvoid same(const double *restrict in, const double *restrict p, "
      "double *restrict out)\n{\n";
  const auto v = [](std::uint32_t i) { return "v" + std::to_string(i); };
  char number[40];
  for (std::uint32_t i = 0; i < program.operations.size(); ++i) {
    const Operation& o = program.operations[i];
    const std::string first = (o.signs & 1) != 0 ? "-" : "",
                      second = (o.signs & 2) != 0 ? "-" : "+";
    std::string right;
    switch (o.code) {
      case Code::constant:
        std::snprintf(number, sizeof number, "%.17g", program.constants[o.a]);
        right = "(double)" + std::string(number);
        break;
      case Code::input:
        right = "in[" + std::to_string(o.a) + "]";
        break;
      case Code::parameter:
        right = "p[" + std::to_string(o.a) + "]";
        break;
      case Code::add:
        right = first + v(o.a) + " " + second + " " + v(o.b);
        break;
      case Code::multiply:
        right = v(o.a) + "*" + v(o.b);
        break;
      case Code::divide:
        right = v(o.a) + "/" + v(o.b);
        break;
      case Code::multiply_add:
        right = first + v(o.a) + "*" + v(o.b) + " " + second + " " + v(o.c);
        break;
      case Code::negate:
        right = "-" + v(o.a);
        break;
      case Code::sin:
        right = "sin(" + v(o.a) + ")";
        break;
      case Code::cos:
        right = "cos(" + v(o.a) + ")";
        break;
      default:
        right = "NAN";  // chains have no other
    }
    text += "  const double " + v(i) + " = " + right + ";\n";
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i)
    text += "  out[" + std::to_string(i) + "] = " + v(program.outputs[i]) + ";\n";
  return text + "}\n";
}

using SameFunction = void (*)(const double*, const double*, double*);
using ExportFunction = int (*)(double, const double*, const double*, const double*, double*);

// Of two results, relative to the largest number in them: both are the same function.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return most / size;
}

// ---- Cases

// All that is measured of one mechanism without gcc.
struct Case {
  explicit Case(const Model& model)
      : motion(analyze_motion(model)), equations(derive(motion, Method::kane)) {
    unroll_s = time_once([&] { rates.emplace(equations); });
    lower_s = time_least([&] { staged = rates->lower(); });
    const InstructionSet set = detect_instructions();
    if (set != InstructionSet::none) emit_s = time_least([&] { MachineCode(staged.main, 1, set); });
    code.emplace(rates->inputs, rates->system.parameters, rates->outputs);
    states = make_states(code->input_count());
    const StartState start = make_start_state(model.data());
    for (const Expr& p : rates->system.parameters) parameters.push_back(start.known.at(p));
    prepared = code->prepare(parameters);

    std::vector<double> out(code->output_count() * state_set);
    run_s = each([&](std::size_t k) {
      (*code)(&states[k * code->input_count()], prepared.data(), out.data());
    });
    const std::vector<double> columns = transpose(states, code->input_count());
    batch_s =
        time_least([&] {
          code->evaluate_batch(columns.data(), state_set, state_set, prepared.data(), out.data());
        }) /
        state_set;
    difference = compare(*code, states, prepared);
    if (set == InstructionSet::avx512) measure_eight(columns);
    if (rates->is_unrolled) return;
    MotionNumbers numbers;
    (*code)(states.data(), prepared.data(), out.data());
    const double* entries = out.data() + rates->system.configuration_rates.size();
    solve_s = time_least([&] { rates->motion.solve(entries, &numbers); });
  }

  // The code for eight states by itself: evaluate_batch() copies into its layout and out of it.
  void measure_eight(const std::vector<double>& columns) {
    struct alignas(64) Lanes {
      double lane[8];
    };
    constexpr std::size_t blocks = state_set / 8;
    const MachineCode eight(staged.main, 8, InstructionSet::avx512);
    const std::size_t in = code->input_count();
    std::vector<Lanes> inputs(in * blocks), out(code->output_count()),
        scratch(eight.scratch_size() / 8 + 1);
    for (std::size_t b = 0; b < blocks; ++b) {
      for (std::size_t i = 0; i < in; ++i)
        std::copy_n(&columns[i * state_set + 8 * b], 8, inputs[b * in + i].lane);
    }
    std::vector<const double*> from(in * blocks);
    std::vector<double*> to(out.size());
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = inputs[i].lane;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = out[i].lane;
    eight_s = time_least([&] {
                for (std::size_t b = 0; b < blocks; ++b)
                  eight(&from[b * in], prepared.data(), to.data(), scratch[0].lane, 0);
              }) /
              state_set;
  }

  // Seconds for one state of all.
  template <class F>
  static double each(F&& f) {
    return time_least([&] {
             for (std::size_t k = 0; k < state_set; ++k) f(k);
           }) /
           state_set;
  }

  void write(benchmark::State& state) const {
    const auto operations = static_cast<double>(staged.main.operations.size());
    state.counters["operations"] = operations;
    state.counters["unrolled"] = rates->is_unrolled ? 1 : 0;
    state.counters["lower_ms"] = 1e3 * lower_s;
    state.counters["emit_ms"] = 1e3 * emit_s;
    state.counters["emit_ns/op"] = 1e9 * emit_s / operations;
    state.counters["run_ns"] = 1e9 * run_s;
    state.counters["x8_ratio"] = run_s / batch_s;
    if (eight_s > 0) state.counters["x8_code_ratio"] = run_s / eight_s;
    if (solve_s > 0) state.counters["solve_ns"] = 1e9 * solve_s;
    state.counters["difference"] = difference.relative;
    state.counters["allowed"] = difference.allowed;
    state.counters["of_bound"] = difference.of_bound;
    state.SetLabel(code->backend());
  }

  Kinematics motion;
  Equations equations;
  std::optional<RateFunction> rates;
  StagedProgram staged;
  std::optional<CompiledFunction> code;
  std::vector<double> states, parameters, prepared;
  double unroll_s = 0, lower_s = 0, emit_s = 0, run_s = 0, batch_s = 0, eight_s = 0, solve_s = 0;
  Difference difference;
};

void compare_same(benchmark::State& state, const Case& c, const std::string& flags,
                  const std::string& name) {
  const GccLibrary gcc(write_operations(c.staged.main), flags);
  const auto same = gcc.find<SameFunction>("same");
  if (same == nullptr) return;
  std::vector<double> out(c.code->output_count());
  const double run_s = Case::each([&](std::size_t k) {
    same(&c.states[k * c.code->input_count()], c.prepared.data(), out.data());
  });
  std::vector<double> ours(out.size());
  same(c.states.data(), c.prepared.data(), out.data());
  (*c.code)(c.states.data(), c.prepared.data(), ours.data());
  state.counters[name + "_difference"] = relative_difference(ours, out);
  state.counters[name + "_gcc_s"] = gcc.compile_s();
  state.counters[name + "_compile_ratio"] = gcc.compile_s() / (c.lower_s + c.emit_s);
  state.counters[name + "_run_ratio"] = run_s / c.run_s;
}

// With the checks of compute_rates() and the solve, whichever each has.
void compare_export(benchmark::State& state, const Case& c) {
  const CompiledSystem system = compile(c.equations, analyze_energy(c.equations),
                                        {.jacobian = false, .sensitivities = false});
  const PreparedParameters p = system.prepare(c.parameters);
  std::vector<double> out(system.state_count() * state_set);
  const auto y = [&](std::size_t k) { return &c.states[k * c.code->input_count()] + 1; };
  const double ours_s = Case::each([&](std::size_t k) {
    system.compute_rates({0.0, y(k), nullptr}, p, out.data());
  });
  const std::vector<double> columns = transpose(c.states, c.code->input_count());
  const double batch_s = time_least([&] {
                           system.compute_rates_batch(columns.data(), columns.data() + state_set,
                                                      nullptr, state_set, state_set, p, out.data());
                         }) /
                         state_set;
  state.counters["rates_ns"] = 1e9 * ours_s;
  state.counters["rates_x8_ratio"] = ours_s / batch_s;

  const std::string text = write_export(
      make_exported_system(c.equations, make_consistent_start(c.motion)), ExportLanguage::c);
  const GccLibrary gcc(text, "-O2");
  const auto rates = gcc.find<ExportFunction>("chain_rates");
  if (rates == nullptr) return;
  const double run_s = Case::each(
      [&](std::size_t k) { rates(0.0, y(k), nullptr, c.parameters.data(), out.data()); });
  std::vector<double> ours(system.state_count()), theirs(system.state_count());
  system.compute_rates({0.0, y(0), nullptr}, p, ours.data());
  rates(0.0, y(0), nullptr, c.parameters.data(), theirs.data());
  state.counters["export_difference"] = relative_difference(ours, theirs);
  state.counters["export_compile_ratio"] = gcc.compile_s() / (c.lower_s + c.emit_s);
  state.counters["export_run_ratio"] = run_s / ours_s;
}

void measure_against_gcc(benchmark::State& state, Angles angles) {
  for (auto _ : state) {
    const Model model = make_chain(static_cast<int>(state.range(0)), angles);
    const Case c(model);
    c.write(state);
    compare_same(state, c, "-O2", "same");
    compare_same(state, c, "-O2 -march=native", "native");
    compare_export(state, c);
  }
}

void codegen_double_pendulum(benchmark::State& state) {
  measure_against_gcc(state, Angles::absolute);
}
void codegen_chain(benchmark::State& state) { measure_against_gcc(state, Angles::relative); }

// The larger ones are left out when those before them took long.
void codegen_growth(benchmark::State& state) {
  static double spent_s = 0;
  constexpr double limit_s = 40;
  for (auto _ : state) {
    if (spent_s > limit_s) {
      state.SkipWithError("left out: the smaller ones took long");
      return;
    }
    spent_s += time_once([&] {
      const Case c(make_chain(static_cast<int>(state.range(0)), Angles::relative));
      c.write(state);
      const auto operations = static_cast<double>(c.staged.main.operations.size());
      state.counters["unroll_ms"] = 1e3 * c.unroll_s;
      state.counters["lower_ns/op"] = 1e9 * c.lower_s / operations;
      state.counters["run_ns/op"] = 1e9 * c.run_s / operations;
    });
  }
}

constexpr auto ms = benchmark::kMillisecond;
BENCHMARK(codegen_double_pendulum)->Arg(2)->Iterations(1)->Unit(ms);
BENCHMARK(codegen_chain)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Iterations(1)->Unit(ms);
BENCHMARK(codegen_growth)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Iterations(1)
    ->Unit(ms);

}  // namespace
}  // namespace visviva
