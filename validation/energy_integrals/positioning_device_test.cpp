// A sphere that rolls at the end of a flexible tube turned by a motor: the eight simulations of seed
// energy_integrals 34.3 and what they show.
//
// The seed's four observations: E_Z is constant always; E when s' = 0 and b = 0; H when Omega' = 0
// and b = 0; "K + U is not constant for any of the simulations", which is not so for constant
// Omega, rigid tube, no damping: then K0 is constant, K1 = 0, and C = E + K0.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

const char* const device = R"(
parameter  m = 1 kg, r = 0.1 m, L = 1 m, k = 200 N/m, b = 2 N*m*s
specified  Omega(t) = 0.5 rad/s^2 * t
coordinate s = 0 m
speed      ds = s'
speed      wx, wy, wz
frame      A = spin(N, Omega*N.y)
frame      C = spin(N, wx*A.x + wy*A.y + wz*A.z)
body       C at No + r*N.y + (L + s)*A.x, mass m, sphere radius r
roll       C on N at Ccm - r*N.y
spring     tube on s, stiffness k, rest 0 m
torque     fluid on C from A = -b*(angular_velocity(C) - angular_velocity(A))
output     K0_is = 0.7*m*(L + s)^2*Omega^2, K2_is = 0.2*m*(3.5*s'^2 + r^2*wy^2)
output     U_is = 1/2*k*s^2
output     sigma_R_is = -1.4*m*Omega^2*(L + s)*s', sigma_is = 1.4*m*Omega*Omega'*(L + s)^2
output     P_nonconservative_is = -b*(wy - Omega)*wy - b*s'^2/r^2
output     spin_y = 0.4*m*r^2*wy
case constant_undamped: Omega = 4 rad/s, b = 0 N*m*s
case constant_damped:   Omega = 4 rad/s
case constant_rigid_undamped: Omega = 4 rad/s, b = 0 N*m*s, lock s
case constant_rigid_damped:   Omega = 4 rad/s, lock s
case ramp_undamped:     b = 0 N*m*s
case ramp_damped:       b = 2 N*m*s
case ramp_rigid_undamped: b = 0 N*m*s, lock s
case ramp_rigid_damped: lock s
)";

struct DeviceCase {
  const char* name;
  ExpectedIntegrals expected;
};

// The name of a test's case, for people.
void PrintTo(const DeviceCase& c, std::ostream* out) { *out << c.name; }

class PositioningDeviceEnergy : public testing::TestWithParam<DeviceCase> {};

// s' = 0 in the rigid cases, where ds is a dependent speed; the forms are the seed's. The power of
// the fluid is that of -b (w_C - Omega A.y) through w_R = wy A.y - s'/r A.z.
TEST_P(PositioningDeviceEnergy, has_the_forms_and_the_integrals_of_the_seed) {
  ReadOptions options;
  options.case_name = GetParam().name;
  EnergyMechanism m(device, options);
  expect_energies(m);
  expect_integrals(m, GetParam().expected);
}

// Without the fluid nothing turns the sphere about the vertical: wy is constant.
TEST_P(PositioningDeviceEnergy, spin_about_the_vertical_is_constant_without_damping) {
  ReadOptions options;
  options.case_name = GetParam().name;
  EnergyMechanism m(device, options);
  const bool is_damped = std::string(GetParam().name).find("undamped") == std::string::npos;
  if (!is_damped) return expect_momentum(m, "p_wy", "spin_y", Scope::these_values);
  expect_momenta(m, {});
}

const ExpectedIntegrals only_E = {Says::here, Says::no, Says::nothing, Says::no, Says::nothing};
const ExpectedIntegrals only_H_here = {Says::no, Says::here, Says::nothing, Says::no,
                                       Says::nothing};
const ExpectedIntegrals none = {Says::no, Says::no, Says::nothing, Says::no, Says::nothing};

INSTANTIATE_TEST_SUITE_P(
    EightCases, PositioningDeviceEnergy,
    testing::Values(DeviceCase{"constant_undamped", only_H_here},
                    DeviceCase{"constant_damped", none},
                    DeviceCase{"constant_rigid_undamped", everything(Says::here)},
                    DeviceCase{"constant_rigid_damped", none}, DeviceCase{"ramp_undamped", none},
                    DeviceCase{"ramp_damped", none}, DeviceCase{"ramp_rigid_undamped", only_E},
                    DeviceCase{"ramp_rigid_damped", none}),
    [](const auto& device_case) { return std::string(device_case.param.name); });

}  // namespace
}  // namespace visviva::validation
