// Mechanisms that pass configurations where the rank of their constraints drops, so that branches of the
// motion meet: every method stays on the branch that it is on, or the run is refused there. E_Z is the same
// on all branches and tells nothing.
#include <cmath>
#include <numbers>

#include "../trajectories/running.h"
#include "visviva/simulation/integrators/sundials_runner.h"

namespace visviva::validation {
namespace {

constexpr double half_turn = std::numbers::pi;

struct Angle {
  double q, rate;
};

// The classical rule of Runge and Kutta for q'' = f(q, q').
template <class Acceleration>
Angle integrate_angle(const Acceleration& f, Angle y, double until) {
  constexpr int n = 20000;
  const double h = until / n;
  for (int i = 0; i < n; ++i) {
    const Angle a{y.rate, f(y.q, y.rate)};
    const Angle b{y.rate + h / 2 * a.rate, f(y.q + h / 2 * a.q, y.rate + h / 2 * a.rate)};
    const Angle c{y.rate + h / 2 * b.rate, f(y.q + h / 2 * b.q, y.rate + h / 2 * b.rate)};
    const Angle d{y.rate + h * c.rate, f(y.q + h * c.q, y.rate + h * c.rate)};
    y.q += h / 6 * (a.q + 2 * b.q + 2 * c.q + d.q);
    y.rate += h / 6 * (a.rate + 2 * b.rate + 2 * c.rate + d.rate);
  }
  return y;
}

// Two cranks and a coupler of the length b, uniform rods, all of 1 kg.
std::string write_parallelogram(const std::string& b, const std::string& more = "",
                                const std::string& start = "60 deg") {
  return "parameter b = " + b + "\ncoordinate q1 = " + start + ", q3 = about " + start +
         R"(, q2 = about 0 deg, q1' = 2 rad/s
frame      A = rotate(N, z, q1), B = rotate(N, z, q2), C = rotate(N, z, q3)
body       A at No + 0.5 m*A.x, mass 1 kg, rod length 1 m along x
body       B at No + 1 m*A.x + b/2*B.x, mass 1 kg, rod length b along x
body       C at No + b*N.x + 0.5 m*C.x, mass 1 kg, rod length 1 m along x
constraint loop: No + 1 m*A.x + b*B.x - (No + b*N.x + 1 m*C.x) = 0
gravity    -9.81 m/s^2*N.y
)" + more;
}

// The coupler only translates: K = (1/3 + 1/3 + 1) q1'^2/2, U = (1/2 + 1/2 + 1) g sin q1.
Angle integrate_parallelogram(double until, Angle start = {half_turn / 3, 2}) {
  return integrate_angle([](double q, double) { return -6.0 / 5.0 * 9.81 * std::cos(q); }, start,
                         until);
}

// Crank and rod of one length: at q1 = 90 deg the slider is at the pivot, where it might stay.
const char* const slider_crank = R"(
coordinate q1 = 30 deg, q2 = about -30 deg, x = about 1.7 m, q1' = 3 rad/s
frame      A = rotate(N, z, q1), B = rotate(N, z, q2)
body       A at No + 0.5 m*A.x, mass 1 kg, rod length 1 m along x
body       B at No + 1 m*A.x + 0.5 m*B.x, mass 1 kg, rod length 1 m along x
particle   P at No + x*N.x, mass 1 kg
constraint along: dot(No + 1 m*A.x + 1 m*B.x - P, N.x) = 0
constraint across: dot(No + 1 m*A.x + 1 m*B.x - P, N.y) = 0
)";

// With q2 = -q1 and x = 2 cos q1, 2 K = (2/3 + 6 sin^2 q1) q1'^2 is constant.
Angle integrate_slider_crank(double until) {
  return integrate_angle(
      [](double q, double rate) {
        const double s = std::sin(q);
        return -6 * s * std::cos(q) * rate * rate / (2.0 / 3.0 + 6 * s * s);
      },
      {half_turn / 6, 3}, until);
}

// The same without the slider's mass: one row keeps the rod's end on the line, and vanishes where the rods stand upright.
const char* const guided_rod = R"(
coordinate q1 = 60 deg, q2 = about 60 deg, q1' = -2 rad/s
frame      A = rotate(N, z, q1), B = rotate(N, z, -q2)
body       A at No + 0.5 m*A.x, mass 1 kg, rod length 1 m along x
body       B at No + 1 m*A.x + 0.5 m*B.x, mass 1 kg, rod length 1 m along x
constraint guide: dot(No + 1 m*A.x + 1 m*B.x - No, N.y) = 0
gravity    -9.81 m/s^2*N.y
)";

// With q2 = q1: 2 K = (2/3 + 2 sin^2 q1) q1'^2, U = g sin q1.
Angle integrate_guided_rod(double until) {
  return integrate_angle(
      [](double q, double rate) {
        const double s = std::sin(q), c = std::cos(q);
        return -(2 * s * c * rate * rate + 9.81 * c) / (2.0 / 3.0 + 2 * s * s);
      },
      {half_turn / 3, -2}, until);
}

struct Passage {
  CompiledSystem system;
  double until;
  Named expected;  // at its end
};

Passage make_parallelogram(const std::string& b) {
  const double q = integrate_parallelogram(4).q;
  return {compile_text(write_parallelogram(b)), 4, {{"q1", q}, {"q2", 0}, {"q3", q}}};
}

Passage make_slider_crank() {
  const double q = integrate_slider_crank(4).q;
  return {compile_text(slider_crank), 4, {{"q1", q}, {"q2", -q}, {"x", 2 * std::cos(q)}}};
}

Passage make_guided_rod() {
  const double q = integrate_guided_rod(4).q;
  return {compile_text(guided_rod), 4, {{"q1", q}, {"q2", q}}};
}

// Each branch differs from the others by 1; a method's own error, without --energy, by much less.
constexpr double same_branch = 0.05;

std::vector<std::string> list_methods() {
  std::vector<std::string> names{"auto", "verner98", "dop853", "dopri5", "radau5"};
  if (has_sundials()) names.insert(names.end(), {"cvode", "cvode-bdf", "ida"});
  return names;
}

void expect_right_or_refused(const Passage& passage) {
  for (const std::string& method : list_methods()) {
    for (const std::optional<double>& energy : {std::optional<double>{}, {1e-3}, {1e-7}}) {
      SCOPED_TRACE(method + (energy ? " with E_Z within " + std::to_string(*energy) : ""));
      const Trajectory run =
          simulate(passage.system, {.until = passage.until, .energy = energy, .method = method});
      if (run.status == RunStatus::done)
        expect_end(run, passage.expected, same_branch);
      else
        EXPECT_EQ(run.status, RunStatus::refused) << why(run);
      if (method == "auto" || method == "verner98") {
        EXPECT_EQ(run.status, RunStatus::done) << why(run);
        expect_end(run, passage.expected, 1e-6);
      }
    }
  }
}

TEST(Branches, a_parallelogram_stays_one_or_the_run_is_refused) {
  expect_right_or_refused(make_parallelogram("2 m"));
}

TEST(Branches, a_rhombus_stays_one_or_the_run_is_refused) {
  expect_right_or_refused(make_parallelogram("1 m"));
}

TEST(Branches, a_slider_goes_through_the_pivot_or_the_run_is_refused) {
  expect_right_or_refused(make_slider_crank());
}

TEST(Branches, where_the_only_row_vanishes_too) { expect_right_or_refused(make_guided_rod()); }

TEST(Branches, the_refusal_names_the_place) {
  if (!has_sundials()) GTEST_SKIP() << "no SUNDIALS";
  const Passage passage = make_parallelogram("2 m");
  const Trajectory run = simulate(passage.system, {.until = passage.until, .method = "ida"});
  EXPECT_EQ(run.refusal, Refusal::constraints_lost);
  EXPECT_NE(why(run).find("more than one motion seems possible"), std::string::npos) << why(run);
  EXPECT_NEAR(std::sin(at_end(run, "q1")), 0, 1e-2);  // it lies flat
}

void expect_right(const CompiledSystem& system, Angle start, const std::string& method) {
  SCOPED_TRACE(method);
  const double q = integrate_parallelogram(4, start).q;
  const Trajectory run = simulate(system, {.until = 4, .method = method});
  EXPECT_EQ(run.status, RunStatus::done) << why(run);
  expect_end(run, {{"q1", q}, {"q2", 0}, {"q3", q}}, 1e-5);
}

// q2 = 0 and q1 = q3 say what the loop says.
const char* const redundant_rows = "constraint q2 = 0\nconstraint q1 = q3\n";

TEST(Branches, redundant_rows_are_no_reason_to_refuse) {
  const Angle hanging{-half_turn / 3, 2};  // it swings, and never lies flat
  const CompiledSystem system = compile_text(write_parallelogram("2 m", redundant_rows, "-60 deg"));
  for (const std::string& method : list_methods()) expect_right(system, hanging, method);
}

// A sleigh on a knife has no configuration constraint: where it slides straight ahead, x' = 2 m/s.
TEST(Branches, motion_constraints_alone_are_followed_by_every_method) {
  const CompiledSystem system = compile_text(R"(
coordinate x = 0 m, y = 0 m, a = 0 rad, x' = 2 m/s
frame      A = rotate(N, z, a)
body       A at No + x*N.x + y*N.y, mass 1 kg, rod length 1 m along x
constraint knife: dot(velocity(Acm), A.y) = 0
)");
  for (const std::string& method : list_methods()) {
    SCOPED_TRACE(method);
    const Trajectory run = simulate(system, {.until = 3, .method = method});
    EXPECT_EQ(run.status, RunStatus::done) << why(run);
    expect_end(run, {{"x", 6}, {"y", 0}, {"a", 0}}, 1e-7);
  }
}

// Where the loop allows another branch q2 = 0 does not.
TEST(Branches, rows_that_leave_one_branch_are_no_reason_to_refuse) {
  const CompiledSystem system = compile_text(write_parallelogram("2 m", redundant_rows));
  for (const char* method : {"auto", "verner98", "dop853", "dopri5", "radau5"})
    expect_right(system, {half_turn / 3, 2}, method);
}

}  // namespace
}  // namespace visviva::validation
