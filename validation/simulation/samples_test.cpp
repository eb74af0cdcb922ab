// Samples, watchers and the bound of the state's error, against closed forms.
#include <sys/resource.h>

#include <cmath>
#include <functional>

#include "../trajectories/running.h"

namespace visviva::validation {
namespace {

CompiledSystem make_oscillator() {
  return compile_text(R"(
coordinate x = 1 m
particle   P at No + x*N.x, mass 1 kg
spring     S on x, stiffness 1 N/m, rest 0 m
)");
}

// ---- Samples

TEST(Samples, rows_are_at_equal_distances_and_the_last_is_the_end) {
  const CompiledSystem system = make_oscillator();
  struct Case {
    double until, every;
    std::size_t rows;
  };
  const Case cases[] = {{1.0, 0.3, 5},  // 0, 0.3, 0.6, 0.9, 1
                        {1.0, 1.0, 2},  // the whole run
                        {1.0, 7.0, 2},  // longer than the run
                        {0.3, 0.1, 4},  // 3*0.1 > 0.3 in numbers
                        {10.0, 0.01, 1001}, {1.0 / 3, 1.0 / 7, 4}};
  for (const Case& c : cases) {
    const Trajectory run =
        simulate(system, {.until = c.until, .every = c.every, .tolerance = 1e-12});
    const std::vector<double>& t = run["t"];
    ASSERT_EQ(t.size(), c.rows) << c.until << ' ' << c.every;
    for (std::size_t i = 0; i + 1 < t.size(); ++i)
      EXPECT_NEAR(t[i], c.every * static_cast<double>(i), 1e-15 * c.until);
    EXPECT_EQ(t.back(), c.until);
    EXPECT_EQ(run.t_end, c.until);
    EXPECT_EQ(run["x"].back(), run.end_state[0]);
  }
}

TEST(Samples, a_thousandth_of_the_run_apart_unless_told) {
  EXPECT_EQ(simulate(make_oscillator(), {.until = 7.3})["t"].size(), 1001u);
}

TEST(Samples, values_between_steps_are_as_good_as_those_at_steps) {
  const CompiledSystem system = make_oscillator();
  for (const char* method : {"verner98", "dop853", "dopri5", "radau5"}) {
    const Trajectory run =
        simulate(system, {.until = 20, .every = 0.01, .tolerance = 1e-10, .method = method});
    const std::vector<double>&t = run["t"], &x = run["x"], &v = run["x'"], &E = run["E_Z"];
    double error = 0.0, energy = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      error = std::max({error, std::abs(x[i] - std::cos(t[i])), std::abs(v[i] + std::sin(t[i]))});
      energy = std::max(energy, std::abs(E[i] - 0.5));
    }
    const double at_end = std::hypot(x.back() - std::cos(20.0), v.back() + std::sin(20.0));
    // The error of an oscillator grows with time, so that the end has most of it.
    EXPECT_LE(error, 3 * at_end) << method;
    EXPECT_LE(energy, 3 * at_end) << method;
  }
}

TEST(Samples, two_runs_agree_to_the_last_bit) {
  const CompiledSystem system = make_oscillator();
  for (const char* method : {"auto", "radau5", "cvode"}) {
    const RunOptions options{.until = 10, .energy = 1e-8, .method = method};
    const Trajectory a = simulate(system, options), b = simulate(system, options);
    EXPECT_EQ(a.samples, b.samples) << method;
    EXPECT_EQ(a.end_state, b.end_state);
    EXPECT_EQ(a.evaluations, b.evaluations);
    EXPECT_EQ(a.certificate.max_deviation, b.certificate.max_deviation);
  }
}

TEST(Samples, memory_does_not_grow_with_a_run_that_keeps_none) {
  const CompiledSystem system = make_oscillator();
  const auto used = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // kB
  };
  const RunOptions options{.until = 1e5, .every = 0.05, .tolerance = 1e-6, .keep_samples = false};
  RunOptions brief = options;
  brief.until = 100;
  simulate(system, brief);
  const auto before = used();
  const Trajectory run = simulate(system, options);  // 2 million rows of 5 numbers: 80 MB if kept
  EXPECT_EQ(run.status, RunStatus::done);
  EXPECT_LT(used() - before, 8000);
  EXPECT_THROW(run["x"], UsageError);
}

// ---- Watchers

class Counter : public RunWatcher {
 public:
  explicit Counter(std::size_t most_steps) : most_steps_(most_steps) {}
  void begin(const std::vector<std::string>& columns) override {
    ++begins;
    width = columns.size();
    rows = 0;
  }
  bool take_sample(std::span<const double> values) override {
    ++rows;
    last_time = values[0];
    return true;
  }
  bool take_progress(const Progress&) override { return ++steps < most_steps_; }
  std::string reason() const override { return "enough"; }

  std::size_t begins = 0, width = 0, rows = 0, steps = 0;
  double last_time = 0.0;

 private:
  std::size_t most_steps_;
};

TEST(Watchers, see_every_row_and_can_stop_a_run) {
  const CompiledSystem system = make_oscillator();
  for (const char* method : {"auto", "cvode", "variational"}) {
    Counter all(1'000'000), few(5);
    RunOptions options{.until = 10, .every = 0.1, .method = method, .watcher = &all};
    EXPECT_EQ(simulate(system, options).status, RunStatus::done);
    EXPECT_EQ(all.begins, 1u);
    EXPECT_EQ(all.rows, 101u);
    EXPECT_EQ(all.last_time, 10.0);
    options.watcher = &few;
    const Trajectory run = simulate(system, options);
    EXPECT_EQ(run.status, RunStatus::stopped);
    EXPECT_EQ(run.refusal, Refusal::interrupted);
    EXPECT_EQ(why(run), "enough");
    EXPECT_EQ(run.steps, 5u);
    EXPECT_GT(run.t_end, 0.0);
    EXPECT_LT(run.t_end, 10.0);
  }
}

// 1e9 s would take hours in either run.
TEST(Watchers, stop_the_runs_that_come_before_and_beside_the_one_asked_for) {
  const CompiledSystem system = make_oscillator();
  const auto expect_stopped = [&](RunOptions options) {
    Counter few(5);
    options.until = 1e9;
    options.watcher = &few;
    EXPECT_EQ(simulate(system, options).status, RunStatus::stopped);
    EXPECT_LE(few.steps, 5u);
  };
  expect_stopped({.energy = 1e-6, .is_energy_relative = true});
  expect_stopped({.certify_state = true});
  expect_stopped({.energy = 1e-3, .method = "cvode"});
}

// ---- The bound of the state's error

using Exact = std::function<std::vector<double>(double)>;

// The bound is not below the largest error at any sample; nor is it useless.
void expect_bound(const std::string& text, double until, const std::vector<std::string>& columns,
                  const Exact& exact) {
  const CompiledSystem system = compile_text(text);
  for (const double tolerance : {1e-6, 1e-9}) {
    for (const bool is_moderated : {false, true}) {
      RunOptions options{.until = until, .certify_state = true};
      (is_moderated ? options.energy : options.tolerance) = tolerance;
      const Trajectory run = simulate(system, options);
      ASSERT_EQ(run.status, RunStatus::done) << why(run);
      ASSERT_TRUE(run.certificate.state_error.has_value())
          << write_no_state_error_text(run.certificate);
      double error = 0.0;
      for (std::size_t k = 0; k < run["t"].size(); ++k) {
        const std::vector<double> expected = exact(run["t"][k]);
        for (std::size_t i = 0; i < columns.size(); ++i)
          error = std::max(error, std::abs(run[columns[i]][k] - expected[i]));
      }
      const double bound = *run.certificate.state_error;
      EXPECT_GE(bound, error) << columns[0] << ' ' << tolerance << ' ' << is_moderated;
      EXPECT_LE(bound, 1e-2) << columns[0] << ' ' << tolerance << ' ' << is_moderated;
    }
  }
}

TEST(StateError, bounds_that_of_an_oscillator) {
  expect_bound(R"(
coordinate x = 1 m
particle   P at No + x*N.x, mass 1 kg
spring     S on x, stiffness 1 N/m, rest 0 m
)",
               50, {"x", "x'"}, [](double t) -> std::vector<double> {
                 return {std::cos(t), -std::sin(t)};
               });
}

// x'' + 0.2 x' + x = cos(2 t) from rest: x_p = a cos 2t + b sin 2t with a = -3/9.16, b = 0.4/9.16.
TEST(StateError, bounds_that_of_a_driven_damped_oscillator) {
  expect_bound(R"(
coordinate x = 0 m
specified  f(t) = 1 N*cos(2 rad/s*t)
particle   P at No + x*N.x, mass 1 kg
force      F on P = (f - 0.2 N*s/m*x' - 1 N/m*x)*N.x
)",
               50, {"x"}, [](double t) -> std::vector<double> {
                 const double a = -3 / 9.16, b = 0.4 / 9.16, w = std::sqrt(0.99);
                 const double c = -a, d = (0.1 * c - 2 * b) / w;
                 return {a * std::cos(2 * t) + b * std::sin(2 * t) +
                         std::exp(-0.1 * t) * (c * std::cos(w * t) + d * std::sin(w * t))};
               });
}

// Kepler, e = 0.6, a = GM = 1, from the pericentre: t = E - e sin E.
TEST(StateError, bounds_that_of_an_orbit) {
  expect_bound(R"(
coordinate x = 0.4 m, y = 0 m, y' = 2 m/s
particle   P at No + x*N.x + y*N.y, mass 1 kg
potential  V = -1 N*m^2/sqrt(x^2 + y^2)
)",
               30, {"x", "y"}, [](double t) -> std::vector<double> {
                 double E = t;
                 for (int k = 0; k < 200; ++k)
                   E -= (E - 0.6 * std::sin(E) - t) / (1 - 0.6 * std::cos(E));
                 return {std::cos(E) - 0.6, 0.8 * std::sin(E)};
               });
}

// From rest at 120 deg, g/L = 1: sin(theta/2) = k cn/dn of t with k = sin 60 deg; sn, cn, dn by the
// arithmetic-geometric mean, Abramowitz and Stegun 16.4.
TEST(StateError, bounds_that_of_a_pendulum) {
  expect_bound(R"(
coordinate q = 120 deg
frame      A = rotate(N, z, q)
particle   P at No - 1 m*A.y, mass 1 kg
gravity    -1 m/s^2*N.y
)",
               30, {"q"}, [](double t) -> std::vector<double> {
                 const double k = std::sin(std::acos(-1.0) / 3);
                 double a[12], c[12], b = std::sqrt(1 - k * k);
                 a[0] = 1;
                 c[0] = k;
                 for (int n = 1; n < 12; ++n) {
                   a[n] = (a[n - 1] + b) / 2;
                   c[n] = (a[n - 1] - b) / 2;
                   b = std::sqrt(a[n - 1] * b);
                 }
                 double phi = std::ldexp(a[11] * t, 11);
                 for (int n = 11; n > 0; --n)
                   phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
                 const double dn = std::sqrt(1 - k * k * std::sin(phi) * std::sin(phi));
                 return {2 * std::asin(k * std::cos(phi) / dn)};
               });
}

// Thrown up at 3 m/s with drag v^2 per metre, g = 10: v = sqrt(10) tan(atan(3/sqrt 10) - sqrt(10) t) up,
// v = -sqrt(10) tanh(sqrt(10)(t - t1)) down.
TEST(StateError, bounds_that_of_a_projectile_with_drag) {
  expect_bound(R"(
coordinate y = 0 m, y' = 3 m/s
particle   P at No + y*N.y, mass 1 kg
gravity    -10 m/s^2*N.y
force      D on P = -1 N*s^2/m^2*y'*abs(y')*N.y
)",
               2, {"y'"}, [](double t) -> std::vector<double> {
                 const double c = std::sqrt(10.0), t1 = std::atan(3 / c) / c;
                 return {t < t1 ? c * std::tan(c * (t1 - t)) : -c * std::tanh(c * (t - t1))};
               });
}

// A particle in a turning tube, r'' = w^2 r: r = cosh(w t).
TEST(StateError, bounds_that_of_a_particle_driven_out_of_a_tube) {
  expect_bound(R"(
coordinate r = 1 m
frame      A = rotate(N, z, 1 rad/s*t)
particle   P at No + r*A.x, mass 1 kg
)",
               4, {"r", "r'"}, [](double t) -> std::vector<double> {
                 return {std::cosh(t), std::sinh(t)};
               });
}

}  // namespace
}  // namespace visviva::validation
