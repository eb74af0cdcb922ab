// Pendulums over time: published end states, and closed forms of period, rest and precession.
//
// Sources: IFToMM multibody benchmark A01 (simple pendulum: its period and positions to 16 digits);
// double pendulum and swinging Atwood machine (Tufillaro, Abbott & Griffiths 1984): integrated in
// quadruple precision by an independent program, good to all digits shown; Goldstein, Poole &
// Safko, ch. 2 (bead on a hoop); Landau & Lifshitz, Mechanics, §14 (conical pendulum), §30
// (Kapitza), §39 (Foucault).
#include <numbers>

#include "running.h"

namespace visviva::validation {
namespace {

// ---- Simple pendulum

const char* const by_angle = R"(
parameter  g = 9.81 m/s^2, l = 1 m
coordinate th = -90 deg
frame      A = rotate(N, z, th)
particle   P at No - l*A.y, mass 1 kg
gravity    -g*N.y
output     x = dot(P - No, N.x), y = dot(P - No, N.y)
event      down when dot(P - No, N.x) = 0
)";

const char* const by_position = R"(
parameter  g = 9.81 m/s^2, l = 1 m
coordinate x = -1 m, y = 0 m
particle   P at No + x*N.x + y*N.y, mass 1 kg
gravity    -g*N.y
constraint rod: x^2 + y^2 - l^2 = 0
event      down when x = 0
)";

TEST(Trajectories, simple_pendulum_is_where_the_benchmark_has_it) {
  for (const char* const text : {by_angle, by_position}) {
    const CompiledSystem pendulum = compile_text(text);
    expect_last_row(run_to(pendulum, 1), {{"x", 0.9862917511318753}, {"y", -0.1650108531255412}},
                    1e-11);
    expect_last_row(run_to(pendulum, 10), {{"x", -0.2750874625761169}, {"y", -0.9614192050991251}},
                    1e-11);
  }
}

TEST(Trajectories, simple_pendulum_has_the_period_of_the_benchmark) {
  for (const char* const text : {by_angle, by_position}) {
    const Trajectory run = run_to(compile_text(text), 10);
    ASSERT_GE(run.events.size(), 7u);
    for (std::size_t i = 0; i + 2 < run.events.size(); ++i)
      EXPECT_NEAR(run.events[i + 2].time - run.events[i].time, 2.367841947576237, 1e-11);
    EXPECT_NEAR(run.events[0].time, 2.367841947576237 / 4, 1e-11);
  }
}

// ---- Double pendulum

std::string double_pendulum(const std::string& angle) {
  return "parameter g = 9.81 m/s^2, l = 1 m\ncoordinate q1 = " + angle + ", q2 = " + angle + R"(
frame    A = rotate(N, z, q1)
frame    B = rotate(N, z, q2)
particle P at No - l*A.y, mass 1 kg
particle Q at P - l*B.y, mass 1 kg
gravity  -g*N.y
)";
}

TEST(Trajectories, double_pendulum_agrees_with_quadruple_precision) {
  const CompiledSystem level = compile_text(double_pendulum("pi/2"));
  expect_end(run_to(level, 1),
             {{"q1", -0.62508769980639063},
              {"q2", -1.0345850856800123},
              {"q1'", -3.9222795728879766},
              {"q2'", -1.3030992486963312}},
             1e-11);
  expect_end(run_to(level, 5),
             {{"q1", -0.62718670506653073},
              {"q2", -1.3013155502098117},
              {"q1'", 2.1254086738429107},
              {"q2'", 3.8818887272656074}},
             1e-11);
}

TEST(Trajectories, double_pendulum_from_higher_up_agrees_with_quadruple_precision) {
  expect_end(run_to(compile_text(double_pendulum("2*pi/3")), 5),
             {{"q1", -2.0769407430038133},
              {"q2", -1.5971163665943641},
              {"q1'", -1.9617353129880137},
              {"q2'", -0.54480407916043062}},
             1e-10);
}

// ---- Swinging Atwood machine

TEST(Trajectories, swinging_atwood_agrees_with_quadruple_precision) {
  const CompiledSystem machine = compile_text(R"(
parameter  m = 1 kg, mu = 3, g = 9.81 m/s^2, L = 4 m
coordinate r = 1 m, th = 90 deg
frame      A = rotate(N, z, th)
particle   P at No - r*A.y, mass m
particle   Q at No - (L - r)*N.y, mass mu*m
gravity    -g*N.y
)");
  expect_end(run_to(machine, 1),
             {{"r", 0.57082602269992465},
              {"th", -4.8916062674976582},
              {"r'", -0.13076591404362960},
              {"th'", -9.1347062921146523}},
             1e-11);
}

// ---- Bead on a hoop: cos th = g/(R w^2), small oscillation w sin th

const char* const bead = R"(
parameter  m = 1 kg, R = 1 m, w = 5 rad/s, g = 9.81 m/s^2, rest = 1.1675569038050428
coordinate th = 1.1675569038050428 rad
frame      A = rotate(N, y, w*t)
frame      B = rotate(A, z, th)
particle   P at No - R*B.y, mass m
gravity    -g*N.y
event      at_rest_angle when th - rest = 0
)";

TEST(Trajectories, bead_on_a_hoop_stays_where_it_rests) {
  const Trajectory run = run_to(compile_text(bead), 10);
  for (const double th : run["th"]) ASSERT_NEAR(th, 1.1675569038050428, 1e-13);
}

TEST(Trajectories, bead_on_a_hoop_oscillates_about_its_rest_as_the_textbooks_say) {
  // The amplitude is 3e-5 rad; the period's relative change with it is of second order, 1e-9.
  const Trajectory run =
      run_to(compile_text(bead, {.settings = {{"th", "1.1675869038050428"}}}), 14);
  ASSERT_GE(run.events.size(), 20u);
  const double turns = 9;
  const double period = (run.events[18].time - run.events[0].time) / turns;
  EXPECT_NEAR(2 * std::numbers::pi / period, 4.598973363697597, 5e-9);
}

TEST(Trajectories, bead_on_a_hoop_keeps_H_and_not_K_plus_U) {
  const Trajectory run = run_to(compile_text(bead, {.settings = {{"th", "0.5"}}}), 10);
  EXPECT_LT(run.energies.at("H").max_deviation, 1e-11);
  // K0 = 1/2 m (w R sin th)^2 changes by up to 9 J, and the motor does that work.
  EXPECT_GT(run.energies.at("C").max_deviation, 1);
}

// ---- Kapitza: upright is stable iff a w > sqrt(2 g l), to leading order in a/l

constexpr double kapitza_amplitude = 0.005, kapitza_length = 0.3;

double farthest_from_upright(double part_of_limit) {
  const double limit = std::sqrt(2 * 9.81 * kapitza_length);
  const double w = part_of_limit * limit / kapitza_amplitude;
  const Trajectory run = run_to(compile_text(R"(
parameter  l = 0.3 m, g = 9.81 m/s^2, a = 0.005 m, w = 1 rad/s
coordinate th = 179 deg
frame      A = rotate(N, z, th)
particle   P at No + a*cos(w*t)*N.y - l*A.y, mass 1 kg
gravity    -g*N.y
)",
                                             {.settings = {{"w", std::to_string(w)}}}),
                                6, 1e-9);
  double farthest = 0;
  for (const double th : run["th"]) farthest = std::max(farthest, std::abs(th - std::numbers::pi));
  return farthest;
}

TEST(Trajectories, kapitza_stands_upright_iff_the_pivot_is_fast_enough) {
  const double degree = std::numbers::pi / 180;
  EXPECT_LT(farthest_from_upright(1.05), 3 * degree);
  EXPECT_LT(farthest_from_upright(1.5), 3 * degree);
  EXPECT_GT(farthest_from_upright(0.95), 30 * degree);
  EXPECT_GT(farthest_from_upright(0.5), 90 * degree);
}

// ---- Conical pendulum: Omega^2 = g/(l cos th)

TEST(Trajectories, conical_pendulum_goes_round_at_the_rate_of_the_textbooks) {
  const double l = 0.7, g = 9.81, th = 0.6, until = 10;
  const double Omega = std::sqrt(g / (l * std::cos(th))), rho = l * std::sin(th);
  const CompiledSystem pendulum = compile_text(R"(
parameter  l = 0.7 m, g = 9.81 m/s^2, th = 0.6, Omega = sqrt(g/(l*cos(th)))
coordinate x = l*sin(th), y = 0 m, z = -l*cos(th)
start      y' = Omega*l*sin(th)
particle   P at No + x*N.x + y*N.y + z*N.z, mass 2 kg
constraint string: x^2 + y^2 + z^2 - l^2 = 0
gravity    -g*N.z
)");
  const Trajectory run = run_to(pendulum, until);
  expect_end(run,
             {{"x", rho * std::cos(Omega * until)},
              {"y", rho * std::sin(Omega * until)},
              {"z", -l * std::cos(th)}},
             1e-11);
}

// ---- Foucault: the plane of swing turns at -Om sin(lat)

TEST(Trajectories, foucaults_pendulum_precesses_at_the_earths_rate_times_the_sine_of_the_latitude) {
  const double Om = 7.292e-5, latitude = 48.85 * std::numbers::pi / 180, until = 3600;
  const CompiledSystem pendulum = compile_text(R"(
parameter  m = 28 kg, k = 4.1 N/m, Om = 7.292e-5 rad/s, lat = 48.85 deg
coordinate x = 3 m, y = 0 m
start      y' = -7.292e-5*sin(48.85 deg)*3 m/s    # at rest in the axes that precess
frame      E = rotate(N, z, Om*t)          # z is the earth's axis
frame      S = rotate(E, z, 90 deg)
frame      L = rotate(S, x, 90 deg - lat)  # east, north, up
particle   P at No + x*L.x + y*L.y, mass m
potential  V = 1/2*k*(x^2 + y^2)
)");
  const Trajectory run = simulate(pendulum, {.until = until, .every = 0.5, .tolerance = 1e-11});
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  // The direction at every far turn of the last swings.
  const std::vector<double>&x = run["x"], &y = run["y"], &t = run["t"];
  int turns = 0;
  for (std::size_t i = x.size() / 2; i + 1 < x.size(); ++i) {
    const double r = std::hypot(x[i], y[i]);
    if (r < std::hypot(x[i - 1], y[i - 1]) || r < std::hypot(x[i + 1], y[i + 1])) continue;
    ++turns;
    // What is left out of the rule, the centrifugal Om^2 cos^2(lat), opens the line to an ellipse
    // of 2e-6 in an hour, whose ends samples miss by up to a quarter of a second: a tenth of that.
    EXPECT_NEAR(std::atan(y[i] / x[i]), -Om * std::sin(latitude) * t[i], 3e-7);
  }
  EXPECT_GT(turns, 100);
}

}  // namespace
}  // namespace visviva::validation
