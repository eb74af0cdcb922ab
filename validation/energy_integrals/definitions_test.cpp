// sigma and sigma_R of a rigid body against their definitions for particles (Mitiguy, chapter 34
// (3), (6)), and likewise K0, K1, K2 against (14) to (16).
//
// Six particles of mass mu at ±a, ±b, ±c on the principal axes have the mass 6 mu, the mass center
// in the middle and the moments 2 mu (b^2 + c^2), 2 mu (c^2 + a^2), 2 mu (a^2 + b^2): to the body
// with these they are equimomental (Routh). Both ride in one model, so that what the program finds
// for the body must be what it finds for the particles together.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

const char* const twins = R"(
parameter  mu = 0.3 kg, a = 0.2 m, b = 0.3 m, c = 0.5 m
body       B at Center, mass 6*mu, inertia 2*mu*(b^2 + c^2), 2*mu*(c^2 + a^2), 2*mu*(a^2 + b^2)
particle   X1 at Center + a*B.x, mass mu
particle   X2 at Center - a*B.x, mass mu
particle   Y1 at Center + b*B.y, mass mu
particle   Y2 at Center - b*B.y, mass mu
particle   Z1 at Center + c*B.z, mass mu
particle   Z2 at Center - c*B.z, mass mu
)";

void expect_equal_shares(const EnergyMechanism& m) {
  Expr shares[5], sums[5];
  for (Expr& s : sums) s = m.zero();
  for (const BodyEnergy& b : m.energies().bodies) {
    const Expr parts[5] = {b.K0, b.K1, b.K2, b.sigma, b.sigma_R};
    const bool is_body = m.data().bodies[static_cast<std::size_t>(b.body)].name == "B";
    for (std::size_t k = 0; k < 5; ++k) {
      if (is_body)
        shares[k] = parts[k];
      else
        sums[k] += parts[k];
    }
  }
  const char* const names[5] = {"K0", "K1", "K2", "sigma", "sigma_R"};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_FALSE(sums[k].is_zero()) << names[k];
    EXPECT_TRUE(same(shares[k], sums[k])) << names[k];
  }
}

TEST(EnergyDefinitions, of_a_body_on_a_turning_hoist_are_those_of_its_particles) {
  expect_equal_shares(EnergyMechanism(std::string(twins) + R"(
specified  Omega(t), x(t)
coordinate s = 0.1 m, q1 = 20 deg, q2 = 30 deg, q3 = 40 deg
frame      A = spin(N, Omega*N.y)
frame      B = rotate(A, zxz, q1, q2, q3)
point      Center = No + x*N.x + s*A.x + a*B.z
)"));
}

// Angular rates about body axes, and a frame that is known by them alone.
TEST(EnergyDefinitions, of_a_body_with_body_axis_rates_are_those_of_its_particles) {
  expect_equal_shares(EnergyMechanism(std::string(twins) + R"(
specified  Omega(t), x(t)
coordinate s = 0.1 m, e0 = 0.8, e1 = 0.6, e2 = 0, e3 = 0
frame      A = spin(N, Omega*N.y)
frame      B = quaternion(A, e0, e1, e2, e3)
point      Center = No + x*N.x + s*A.x
)"));
}

// A moving constraint: the transport speeds are what it leaves when the independent ones vanish.
TEST(EnergyDefinitions, of_a_body_that_a_moving_constraint_holds_are_those_of_its_particles) {
  expect_equal_shares(EnergyMechanism(std::string(twins) + R"(
specified  v(t), y(t)
coordinate h = 0 m, k = 0.1 m, q1 = 20 deg, q2 = 30 deg, q3 = 40 deg
frame      B = rotate(N, zxz, q1, q2, q3)
point      Center = No + h*N.x + k*N.y
constraint dot(velocity(Center), B.x) = v
constraint k + a*sin(q2) = y
dependent  h', k'
)"));
}

}  // namespace
}  // namespace visviva::validation
