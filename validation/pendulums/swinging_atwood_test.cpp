// The swinging Atwood machine (Tufillaro, Abbott & Griffiths, American Journal of Physics 52, 1984,
// 895): a bob m swings on a string that a weight mu m holds over a pulley.
//   (1 + mu) r'' = r th'^2 + g (cos th - mu),   r th'' + 2 r' th' + g sin th = 0
#include "../expect.h"

namespace visviva::validation {
namespace {

TEST(SwingingAtwood, has_the_published_equations) {
  const Mechanism machine(R"(
parameter  m = 1 kg, mu = 3, g = 9.81 m/s^2, D = 0.5 m, L = 4 m
coordinate r = 1 m, th = 90 deg
frame      A = rotate(N, z, th)
particle   P at No - r*A.y, mass m
particle   Q at No - D*N.x - (L - r)*N.y, mass mu*m
gravity    -g*N.y
output     ddr = (r*th'^2 + g*(cos(th) - mu))/(1 + mu)
output     ddth = -(2*r'*th' + g*sin(th))/r
)");
  expect_accelerations(machine, {{"r'", "ddr"}, {"th'", "ddth"}});
}

}  // namespace
}  // namespace visviva::validation
