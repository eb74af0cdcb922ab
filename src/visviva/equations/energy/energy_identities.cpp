#include "visviva/equations/energy/energy_identities.h"

#include "visviva/equations/loads/loads.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {

namespace {
using Claim = EnergyClaim::Kind;

// The right side as the left one where only roots hide from the fields that they are equal.
Expr told_equal(const Expr& left, const Expr& right) {
  return !(left == right) && is_proved_zero(left - right) ? left : right;
}
}  // namespace

std::vector<EnergyIdentity> make_energy_identities(const Kinematics& motion, const EnergyTerms& e,
                                                   const VelocitySplit& split) {
  std::vector<EnergyIdentity> result;
  result.push_back(
      {{Claim::kinetic_energy_by_degrees}, "", e.K, told_equal(e.K, e.K0 + e.K1 + e.K2)});  // (1)
  result.push_back({{Claim::transport_power},
                    "",
                    e.sigma - e.sigma_R,
                    told_equal(e.sigma - e.sigma_R, split.rate(e.K0))});  // (2)
  Expr power = motion.model().pool->zero();
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> F = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < F.size(); ++r) power += F[r] * split.moved_speeds()[r];
  }
  result.push_back({{Claim::generalized_power}, "", e.P, told_equal(e.P, power)});  // (3)
  return result;
}

std::vector<EnergyIdentity> make_energy_identities(const Equations& equations, const EnergyTerms& e,
                                                   const VelocitySplit& split,
                                                   Embedding* embedding) {
  const Kinematics& motion = equations.motion;
  ExprPool& pool = *motion.model().pool;
  std::vector<EnergyIdentity> result;

  std::vector<Expr> speeds;
  for (const Speed& s : motion.speeds()) speeds.push_back(s.u);
  const std::vector<Expr> slopes = gradient(e.K2, speeds);
  Expr rate = split.rate(e.K2) + e.sigma_R - e.P_nonconservative;
  for (std::size_t r = 0; r < speeds.size(); ++r) {
    Expr p = pool.zero();
    for (std::size_t s = 0; s < speeds.size(); ++s)
      p += equations.mass_matrix[r][s] * split.moved_speeds()[s];
    result.push_back({{Claim::slopes_of_K2, equations.method},
                      motion.speeds()[r].name,
                      slopes[r],
                      told_equal(slopes[r], p)});  // (4)
    rate += split.moved_speeds()[r] * equations.forcing[r];
  }
  rate += split.rate(e.U);
  bool needs_constraints = false;
  for (const LoadEnergy& load : e.loads) needs_constraints |= load.needs_constraints;
  if (needs_constraints && embedding != nullptr && !rate.is_zero()) rate = (*embedding)(rate);
  if (is_proved_zero(rate)) rate = pool.zero();  // where roots hide it from the fields
  result.push_back({{Claim::E_Z_is_constant, equations.method}, "", rate, pool.zero()});  // (5)
  return result;
}

}  // namespace visviva
