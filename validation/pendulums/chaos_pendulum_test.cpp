// The chaos pendulum: a plate that turns freely about a swinging rod (PyDy example chaos_pendulum;
// SymPy, test_jointsmethod.py, test_chaos_pendulum).
#include "../expect.h"

namespace visviva::validation {
namespace {

TEST(ChaosPendulum, has_the_equations_that_sympy_expects) {
  const Mechanism pendulum(R"(
parameter  mA = 0.01 kg, mB = 0.1 kg, lA = 0.075 m, lB = 0.2 m, g = 9.81 m/s^2
parameter  IAxx = 5e-6 kg*m^2, IBxx = 2.5e-5 kg*m^2, IByy = 5e-5 kg*m^2, IBzz = 2e-5 kg*m^2
coordinate th = 90 deg, ph = 0.5 deg
speed      om = th', al = ph'
frame      A = rotate(N, y, th)
frame      B = rotate(A, z, ph)
body       A at No + lA*A.z, mass mA, inertia IAxx, IAxx, 0
body       B at No + lB*A.z, mass mB, inertia IBxx, IByy, IBzz
gravity    g*N.z
output     dom = (2*(IByy - IBxx)*al*om*sin(ph)*cos(ph) - g*(lA*mA + lB*mB)*sin(th))/
                 (IAxx + IBxx*sin(ph)^2 + IByy*cos(ph)^2 + lA^2*mA + lB^2*mB)
output     dal = (IBxx - IByy)*om^2*sin(ph)*cos(ph)/IBzz
)");
  expect_accelerations(pendulum, {{"om", "dom"}, {"al", "dal"}});
}

}  // namespace
}  // namespace visviva::validation
