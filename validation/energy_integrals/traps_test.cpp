// Models that look constant and are not, or the other way round: forces that act later or elsewhere,
// potentials that grow with every turn, values that divide by zero. Each verdict follows by hand.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

// A damper that acts above y = 0.9 m only: no sample of configurations may decide for it.
TEST(TrapEnergy, a_damper_that_acts_elsewhere_takes_energy) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, L = 1 m, c = 0.2 N*s/m, g = 9.8 m/s^2
coordinate x = 0.6 m, y = -0.8 m
particle   Q at No + x*N.x + y*N.y, mass m
gravity    -g*N.y
constraint x^2 + y^2 = L^2
force      D on Q = -c*step(y - 0.9 m)*velocity(Q)
)");
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.energy("E").extent, Extent::every_motion);
}

// A damper that is switched on after 5 s.
TEST(TrapEnergy, a_damper_that_acts_later_takes_energy) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 1 N/m, c = 0.2 N*s/m
coordinate x = 1 m
particle   Q at No + x*N.x, mass m
spring     S on x, stiffness k
force      D on Q = -c*step(t - 5 s)*x'*N.x
)");
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.energy("E").extent, Extent::every_motion);
}

// Small is not zero.
TEST(TrapEnergy, a_small_damped_motion_is_damped) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 1 N/m, c = 0.2 N*s/m
coordinate x = 1e-6 m
particle   Q at No + x*N.x, mass m
spring     S on x, stiffness k
damper     D on x, rate c
)");
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.energy("E").extent, Extent::every_motion);
}

// The field of a vortex is curl-free but for its center: its work is k times the angle turned, and
// one turn gives 2 pi k (Feynman, Lectures II 1-5 on circulation). No function of the configuration
// has that.
TEST(TrapEnergy, a_vortex_has_no_potential) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 1 N*m
coordinate x = 1 m, y = 0.1 m, y' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
force      F on Q = k*(x*N.y - y*N.x)/(x^2 + y^2)
)");
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.load("F").role, LoadRole::nonconservative);
  ASSERT_EQ(m.load("F").reasons.size(), 1u);
  EXPECT_EQ(m.load("F").reasons[0].kind, Reason::Kind::potential_jumps);
}

// F = -k cos(a x) has the potential k sin(a x)/a, which has no value for a = 0; for that value it has
// k x.
TEST(TrapEnergy, a_potential_without_a_value_is_not_taken) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 2 N, a = 0 m^-1
coordinate x = 1 m
particle   Q at No + x*N.x, mass m
force      F on Q = -k*cos(a*x)*N.x
output     linear = 2 N*x
)");
  ASSERT_FALSE(m.load("F").reasons.empty());
  EXPECT_EQ(m.load("F").reasons[0].kind, Reason::Kind::integrable_for_values);
  EXPECT_TRUE(same(m.energies().U, m("linear")));
  expect_integrals(m, everything(Says::here));
}

// With d = 0 the damper has no value; for all other d it takes energy.
TEST(TrapEnergy, values_that_divide_by_zero_are_not_put_in) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, d = 0 m, c = 1 N*s
coordinate x = 1 m, x' = 1 m/s
particle   Q at No + x*N.x, mass m
damper     D on x, rate c/d
)");
  expect_integrals(m, nothing_but_E_Z(true));
  ASSERT_FALSE(m.integrals().remarks.empty());
  EXPECT_EQ(m.integrals().remarks[0].kind, Reason::Kind::values_not_put_in);
  ASSERT_TRUE(m.integrals().remarks[0].undefined);
  EXPECT_EQ(m.integrals().remarks[0].undefined->kind, Undefined::Kind::zero_divisor);
}

// Values may use one another: b = 2 c = 0, and a hoist at y = 3 x with x = v t does not accelerate.
TEST(TrapEnergy, values_by_way_of_other_values_are_values) {
  EnergyMechanism damped(R"(
parameter  m = 1 kg, k = 2 N/m, b = 2*c, c = 0 N*s/m
coordinate x = 1 m
particle   Q at No + x*N.x, mass m
spring     S on x, stiffness k
damper     D on x, rate b
)");
  expect_integrals(damped, everything(Says::here));
  EnergyMechanism hoist(R"(
parameter  m = 1 kg, L = 1 m, g = 9.8 m/s^2, v = 2 m/s
specified  y(t) = 3*x, x(t) = v*t
coordinate th = 0.3 rad
frame      B = rotate(N, x, th)
particle   Q at No + y*N.x, mass m
particle   P at Q - L*B.y, mass m
gravity    -g*N.y
)");
  expect_integrals(hoist, {Says::always, Says::here, Says::here, Says::here, Says::here});
}

// A drag that grows with s, which is locked at 0: none.
TEST(TrapEnergy, a_locked_coordinate_has_its_start_value) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, c = 2 N*s/m^2
coordinate x = 1 m, x' = 1 m/s, s = 0 m
particle   Q at No + x*N.x + s*N.y, mass m
force      F on Q = -c*s*x'*N.x
lock       s
)");
  ExpectedIntegrals expected = everything(Says::always);
  expected.extent = Extent::on_constraints;
  expect_integrals(m, expected);
}

// A mass of nothing has no momentum to keep.
TEST(TrapEnergy, a_momentum_that_is_zero_is_not_listed) {
  EnergyMechanism m(R"(
parameter  m = 0 kg, M = 1 kg, k = 1 N/m
coordinate x = 1 m, y = 0 m
particle   Q at No + x*N.x, mass m + M
particle   P at No + y*N.y, mass m
particle   R at No + y*N.y, mass M
spring     S on x, stiffness k
)");
  expect_momenta(m, {"p_y", "linear_momentum.y"});
}

// Speeds that contain a function of time move nothing: x' = u - f'. K2 is m u^2/2 and v_t = -f', but
// there is no motor, and K + U is the mechanical energy.
TEST(TrapEnergy, speeds_that_contain_time_are_no_motors) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 2 N/m
specified  f(t) = 1 m*sin(2 rad/s*t)
coordinate x = 1 m
speed      u = x' + f'
particle   Q at No + x*N.x, mass m
spring     S on x, stiffness k
output     K0_is = 1/2*m*f'^2, K1_is = -m*u*f', K2_is = 1/2*m*u^2, U_is = 1/2*k*x^2
output     sigma_R_is = -m*u*f'', sigma_is = -m*(u - f')*f'', P_nonconservative_is = -k*x*f'
)");
  expect_energies(m);
  expect_integrals(m, {Says::no, Says::no, Says::no, Says::always, Says::always});
}

// A force on an unknown support: it may be anything until the equations are solved.
TEST(TrapEnergy, friction_by_an_unknown_force_has_no_potential) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, mu = 0.3, g = 9.81 m/s^2
unknown    Nf
coordinate x = 0 m, x' = 1 m/s
particle   P at No + x*N.x, mass m
auxiliary  ua along N.y at P
gravity    -g*N.y
force      support on P = Nf*N.y
force      friction on P = -mu*Nf*N.x
)");
  EXPECT_EQ(m.load("friction").role, LoadRole::nonconservative);
  ASSERT_FALSE(m.load("friction").reasons.empty());
  EXPECT_EQ(m.load("friction").reasons[0].kind, Reason::Kind::given_from_outside);
  EXPECT_EQ(m.load("friction").reasons[0].names, std::vector<std::string>{"Nf"});
  expect_integrals(m, nothing_but_E_Z(true));
}

// A spring by hand to a wall that t moves: U = k x^2/2 - k a x without the term of time alone, and
// P_nonconservative = dU/dt at fixed x = -k a' x.
TEST(TrapEnergy, a_wall_that_time_moves_stays_in_the_potential) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 3 N/m, b = 0.1 m, w = 2 rad/s
coordinate x = 0.2 m
particle   P at No + x*N.x, mass m
point      W = No + b*cos(w*t)*N.x
force      S on P = -k*(P - W)
output     K2_is = 1/2*m*x'^2, U_is = 1/2*k*(x - b*cos(w*t))^2
output     P_nonconservative_is = k*b*w*sin(w*t)*(x - b*cos(w*t))
)");
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(false));
}

// Drawn to a point W that is not No: the moment of momentum about W, and no other, is kept.
TEST(TrapEnergy, a_center_that_is_not_the_origin_keeps_the_momentum_about_it) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, k = 3 N/m, h = 0.7 m
coordinate x = 0.2 m, y = 0.1 m
particle   P at No + x*N.x + y*N.y, mass m
point      W = No + h*N.x
force      S on P = -k*(P - W)
output     about = m*((x - h)*y' - y*x')
)");
  expect_momenta(m, {"angular_momentum(W).z"});
  EXPECT_TRUE(same(m.momentum("angular_momentum(W).z").value, m("about")));
}

// -k sign(y) N.x would have U = k x sign(y), which jumps where y changes sign: a way around through
// both sides gains energy.
TEST(TrapEnergy, a_force_that_jumps_across_its_direction_has_no_potential) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 1 N
coordinate x = 1 m, y = 0.1 m, y' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
force      F on Q = -k*sign(y)*N.x
)");
  EXPECT_EQ(m.load("F").role, LoadRole::nonconservative);
  expect_integrals(m, nothing_but_E_Z(true));
}

// Declared or not: an angle around an axis is no potential energy.
TEST(TrapEnergy, a_declared_potential_that_jumps_is_not_taken) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k = 1 J
coordinate x = 1 m, y = 0.1 m, y' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
potential  V = -k*atan2(y, x)
output     K2_is = 1/2*m*(x'^2 + y'^2), P_nonconservative_is = k*(x*y' - y*x')/(x^2 + y^2)
)");
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(true));
}

// A hoist that starts with a jerk: x'' is zero before and after, and not in between.
TEST(TrapEnergy, a_jerk_is_an_acceleration) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, L = 1 m, g = 9.8 m/s^2
specified  x(t) = 1 m/s*max(0 s, t - 1 s)
coordinate th = 0.3 rad
frame      B = rotate(N, x, th)
particle   Q at No + x*N.x, mass m
particle   P at Q - L*B.y, mass m
gravity    -g*N.y
)");
  expect_integrals(m, {Says::always, Says::no, Says::nothing, Says::no, Says::nothing});
}

// {-k1 y, -k2 x} has the potential k x y if k1 = k2 = k, and none otherwise.
TEST(TrapEnergy, a_potential_for_these_values_is_found) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, k1 = 2 N/m, k2 = 2 N/m
coordinate x = 1 m, y = 0.1 m
particle   Q at No + x*N.x + y*N.y, mass m
force      F on Q = -k1*y*N.x - k2*x*N.y
)");
  EXPECT_EQ(m.load("F").role, LoadRole::both);
  expect_integrals(m, everything(Says::here));
  EnergyMechanism other(R"(
parameter  m = 1 kg, k1 = 2 N/m, k2 = 3 N/m
coordinate x = 1 m, y = 0.1 m
particle   Q at No + x*N.x + y*N.y, mass m
force      F on Q = -k1*y*N.x - k2*x*N.y
)");
  expect_integrals(other, nothing_but_E_Z(true));
}

// A rope over a pulley that a winch shortens: x + y = 3 m + v t. With y eliminated U = (m1 - m2) g x,
// and E and H are constant (seed (20) to (22)): the winch acts on both masses alike.
TEST(TrapEnergy, a_rope_that_a_winch_pulls_leaves_the_potential_of_the_free_coordinate) {
  EnergyMechanism m(R"(
parameter  m1 = 2 kg, m2 = 1 kg, g = 9.8 m/s^2, v = 0.5 m/s
coordinate x = 1 m, y = 2 m
particle   A at No - x*N.y, mass m1
particle   B at No - y*N.y, mass m2
gravity    -g*N.y
constraint x + y = 3 m + v*t
dependent  y'
output     K0_is = 1/2*m2*v^2, K1_is = -m2*v*x', K2_is = 1/2*(m1 + m2)*x'^2
output     U_is = (m2 - m1)*g*x - 3 m*m2*g
)");
  expect_energies(m);
  expect_integrals(m, {Says::always, Says::always, Says::nothing, Says::no, Says::nothing});
}

// Gravity that grows with x is no uniform field, whatever statement it came by: -g x/L along y has no
// potential.
TEST(TrapEnergy, gravity_that_is_not_uniform_is_not_taken_for_it) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, g = 9.8 m/s^2, L = 2 m
coordinate x = 1 m, y = 2 m
particle   A at No + x*N.x + y*N.y, mass m
gravity    -g*x/L*N.y
)");
  EXPECT_EQ(m.load("gravity on A").role, LoadRole::nonconservative);
  expect_integrals(m, nothing_but_E_Z(true));
}

// phi does not enter K or U of a spherical pendulum; x enters U of a sliding block, and p_x of the
// cart below is kept by the balance of two springs that act on it, not because x is ignorable.
TEST(TrapEnergy, ignorable_coordinates_are_called_so) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, l = 1 m, g = 9.81 m/s^2
coordinate phi = 0.1 rad, th = 0.7 rad
frame      A = rotate(N, y, phi)
frame      B = rotate(A, z, th)
particle   P at No - l*B.y, mass m
gravity    -g*N.y
)");
  EXPECT_NE(list_reasons(m.momentum("p_phi")).find("phi is ignorable"), std::string::npos);
  EnergyMechanism cart(R"(
parameter  m = 2 kg, k = 3 N/m
coordinate x = 0.1 m
particle   P at No + x*N.x, mass m
spring     S on x, stiffness k
force      F on P = k*x*N.x + 0.1 N*sin(x'/(1 m/s))*N.x - 0.1 N*sin(x'/(1 m/s))*N.x
)");
  expect_momenta(cart, {"p_x", "linear_momentum.x"});
}

}  // namespace
}  // namespace visviva::validation
