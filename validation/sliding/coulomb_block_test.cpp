// A block pushed over a rough floor, its normal force brought into evidence by an auxiliary speed
// (as in SymPy's tests of auxiliary speeds): m u' = F - mu N, N - m g = 0.
#include "../expect.h"

namespace visviva::validation {
namespace {

const char* const block = R"(
parameter  m = 2 kg, g = 9.81 m/s^2, mu = 0.3
input      F = 20 N
unknown    Nf
coordinate q = 0 m
speed      u = q'
start      u = 1 m/s
particle   P at No + q*N.x, mass m
auxiliary  ua along N.y at P
gravity    -g*N.y
force      push on P = F*N.x
force      floor on P = Nf*N.y - mu*Nf*N.x
output     mass = m, push = F, weight = m*g, friction = mu
)";

TEST(CoulombBlock, has_its_equation_and_that_of_the_normal_force) {
  const Mechanism mechanism(block);
  const Expr normal = mechanism.data().unknowns.at(0).symbol;
  const Equations e = derive(mechanism.motion());
  EXPECT_TRUE(same(e.mass_matrix[0][0], mechanism("mass")));
  EXPECT_TRUE(same(e.forcing[0], mechanism("push") - mechanism("friction") * normal));
  ASSERT_EQ(e.auxiliary.size(), 1u);
  EXPECT_TRUE(e.auxiliary[0].mass.at(0).is_zero());
  EXPECT_TRUE(same(e.auxiliary[0].forcing, normal - mechanism("weight")));
  ASSERT_EQ(e.unknowns.size(), 1u);
  EXPECT_TRUE(same(e.unknowns[0], normal));
}

TEST(CoulombBlock, is_slowed_by_its_weight_times_the_coefficient) {
  const Mechanism mechanism(block);
  const StartSolution start(derive(mechanism.motion()));
  EXPECT_NEAR(start.solved().unknowns.at(0), 2 * 9.81, 1e-13);
  EXPECT_NEAR(start.rate_of_speed("u"), (20 - 0.3 * 2 * 9.81) / 2, 1e-13);
  EXPECT_TRUE(start.solved().is_unknown_determined.at(0));
  EXPECT_TRUE(start.solved().is_rate_determined.at(0));
}

}  // namespace
}  // namespace visviva::validation
