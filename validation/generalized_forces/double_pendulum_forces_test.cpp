// The double simple pendulum of the lecture seed `generalized_forces`: its generalized active
// forces, into which the tensions T1 and T2 of the strings do not enter. In F_1 and F_2 the seed
// misprints the sign of T2 s2; with it mended, T1 and T2 drop out.
#include <algorithm>

#include "../expect.h"
#include "visviva/equations/loads/loads.h"

namespace visviva::validation {
namespace {

const char* const double_pendulum = R"(
parameter  m1 = 1 kg, m2 = 1 kg, L = 1 m, g = 9.81 m/s^2
unknown    T1, T2
coordinate q1 = 120 deg, q2 = 120 deg
particle   P1 at No + L*(sin(q1)*N.x - cos(q1)*N.y), mass m1
particle   P2 at P1 + L*(sin(q2)*N.x - cos(q2)*N.y), mass m2
gravity    -g*N.y
force      string1 on P1 from No = T1*unit(No - P1)
force      string2 on P2 from P1 = T2*unit(P1 - P2)
output     F1 = -L*sin(q1)*g*(m1 + m2), F2 = -L*sin(q2)*m2*g
)";

TEST(DoublePendulumForces, active_forces_are_those_of_the_seed) {
  const Mechanism pendulum(double_pendulum);
  for (const Equations& e : derive_by(pendulum)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const EmbeddedEquations embedded = embed_constraints(e);
    EXPECT_TRUE(same(embedded.active_forces[0], pendulum("F1")));
    EXPECT_TRUE(same(embedded.active_forces[1], pendulum("F2")));
    EXPECT_TRUE(e.unknowns.empty());
  }
}

TEST(DoublePendulumForces, the_tensions_are_named_as_noncontributing) {
  const Mechanism pendulum(double_pendulum);
  const std::vector<Load> loads = collect_loads(pendulum.motion());
  std::vector<std::string> names;
  for (const Noncontributing& n : find_noncontributing(pendulum.motion(), loads))
    names.push_back(n.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"string1", "string2"}));
  for (const Load& load : loads) {
    if (load.name != "string1" && load.name != "string2") continue;
    for (const Expr& F : compute_generalized_forces(pendulum.motion(), load))
      EXPECT_TRUE(F.is_zero());
  }
}

}  // namespace
}  // namespace visviva::validation
