// What must hold identically for E_Z to be constant along equations of motion.
//
// M u' = f + A^T l are the equations, x' = Y u + z the rates of the configuration, w the transport
// speeds of velocity_split.h with A (u - w) = 0; derivatives d/dt go through x, w and t:
//   K = K0 + K1 + K2                                                                            (1)
//   sigma - sigma_R = dK0/dt                                                                    (2)
//   P = sum_r F_r (u_r - w_r)                                                                   (3)
//   dK2/du_r = sum_s M_rs (u_s - w_s)   for every speed r                                       (4)
//   sum_r (u_r - w_r) f_r + dK2/dt at fixed u + dU/dt + sigma_R - P_nonconservative = 0         (5)
// By (4), E_Z' = sum_r dK2/du_r u_r' + dK2/dt at fixed u + dU/dt + Z' is (u - w)^T M u' and the
// rest; M u' = f + A^T l and A (u - w) = 0 make it (5). No constraint has to be solved: (5) holds
// for all x, u, w, w', t. Only where a load has a potential by virtue of the constraints is (5)
// taken with these embedded.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/energy/energies.h"
#include "visviva/equations/energy/energy_claim.h"

namespace visviva {

struct EnergyIdentity {
  EnergyClaim claim;
  std::string speed{};  ///< of (4)
  Expr left, right;
};

/// The identities (1) to (3), which no equations of motion enter.
std::vector<EnergyIdentity> make_energy_identities(const Kinematics& motion,
                                                   const EnergyTerms& formal,
                                                   const VelocitySplit& split);

/// The identities (4) and (5). `embedding` may be nullptr when no potential needs the constraints.
std::vector<EnergyIdentity> make_energy_identities(const Equations& equations,
                                                   const EnergyTerms& formal,
                                                   const VelocitySplit& split,
                                                   Embedding* embedding);

}  // namespace visviva
