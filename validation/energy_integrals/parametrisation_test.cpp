// One mechanism written in four ways on a table that is turned as told: what is constant, what stores energy and how
// much of it do not depend on how an orientation is written.
#include "../trajectories/running.h"
#include "expect_energy.h"

namespace visviva::validation {
namespace {

// Turned by 0.2 rad about S.x at the start. A spin frame starts without a turn.
struct Writing {
  const char* words;
  double turn;
};
constexpr Writing writings[] = {
    {"coordinate e0 = cos(0.1), e1 = sin(0.1), e2, e3\nframe B = quaternion(S, e0, e1, e2, e3)\n",
     0.2},
    {"coordinate a1 = 0.2 rad, a2, a3\nframe B = rotate(S, xyz, a1, a2, a3)\n", 0.2},
    {"coordinate g1 = tan(0.1), g2, g3\nframe B = rodrigues(S, g1, g2, g3)\n", 0.2},
    {"speed w1, w2, w3\nframe B = spin(S, w1*S.x + w2*S.y + w3*S.z)\n", 0.0}};

std::string write_text(const Writing& writing, const std::string& load) {
  return "parameter c = 2 N*m, k = 10 N/m\nspecified th(t) = 1 rad/s*t\n"
         "frame S = rotate(N, z, th)\n" +
         std::string(writing.words) +
         "body B at No, mass 1 kg, inertia 0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2\n"
         "point T = No + 0.3 m*B.y\n" +
         load;
}

// The table has no mass and nothing stands on it: what acts from N has the potential that it has without the table, and
// K + U is constant. U = slope*cos(turn) + constant.
void expect_one_answer(const std::string& load, double slope, double constant) {
  for (const Writing& writing : writings) {
    const std::string text = write_text(writing, load);
    EnergyMechanism m(text);
    EXPECT_EQ(m.energy("C").constancy, Constancy::constant) << text;
    EXPECT_EQ(m.energy("E").constancy, Constancy::not_constant) << text;
    const Trajectory run = simulate(compile_text(text), {.until = 0.01});
    EXPECT_NEAR(run.energies.at("U").start, slope * std::cos(writing.turn) + constant, 1e-12)
        << text;
  }
}

TEST(Parametrisation, a_torque_that_turns_an_axis_of_the_body_towards_one_of_N) {
  expect_one_answer("torque M on B = c*cross(B.y, N.y)\n", -2.0, 0.0);
}

TEST(Parametrisation, a_spring_written_as_a_force) {
  expect_one_answer("force F on T = -k*(T - No - 1 m*N.y)\n", -3.0, 0.0);
}

// k/2 (0.3^2 + 1 - 0.6 cos)
TEST(Parametrisation, a_spring_to_a_point_of_N) {
  expect_one_answer("point H = No + 1 m*N.y\nspring Sp from T to H, stiffness k, rest 0 m\n", -3.0,
                    5.45);
}

TEST(Parametrisation, weight_at_a_point_of_the_body) {
  expect_one_answer("force W on T = -9.81 N*N.y\n", 2.943, 0.0);
}

}  // namespace
}  // namespace visviva::validation
