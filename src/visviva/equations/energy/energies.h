// Energies: the kinetic energy by degrees, power, potential energy, sigma, sigma_R and Z' of a
// model, each with the bodies and loads it comes from (Mitiguy, chapter 34).
//
// B are bodies (mass m, central inertia I, mass center p), the portions R and t those of
// velocity_split.h, derivatives of vectors in N unless a frame is named:
//   K0 = sum_B 1/2 m v_t · v_t + 1/2 w_t · I · w_t                                             (14)
//   K1 = sum_B m v_t · v_R + w_t · I · w_R                                                     (15)
//   K2 = sum_B 1/2 m v_R · v_R + 1/2 w_R · I · w_R                                             (16)
//   P  = sum_forces F · v_R + sum_torques T · w_R = P_conservative + P_nonconservative         (17)
//   sigma_R = sum_B m v_R · dv_t/dt + w_R · I · Bdw_t/dt + w_R · (w_t x I · w)                 (32)
//   sigma   = sum_B m v · dv_t/dt + w · I · dw_t/dt                                            (33)
//   Z' = sigma_R - P_nonconservative                                                           (2)
// U collects the potentials of loads (load_energy.h). Nothing here comes from u', and Z' neither
// from K2 nor from the equations of motion: E_Z = K2 + U + Z can fail to be constant.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/energy/reason.h"
#include "visviva/equations/energy/velocity_split.h"
#include "visviva/equations/loads/loads.h"

namespace visviva {

struct BodyEnergy {
  int body;                    ///< in ModelData::bodies
  int frame, spin_frame;       ///< in which v and w are written
  Column3 v_R, v_t, w_R, w_t;  ///< w is zero for a particle
  Expr K0, K1, K2, sigma, sigma_R;
};

/// What a load does to energy.
enum class LoadRole {
  none,             ///< its generalized power is zero
  conservative,     ///< it has a potential
  nonconservative,  ///< it has none
  both              ///< a part of it has one
};

struct LoadEnergy {
  std::string name;
  Load::Kind kind = Load::Kind::force;
  Source source{};
  LoadRole role = LoadRole::none;
  Reasons reasons;                 ///< why it has a potential, or none
  Expr power;                      ///< F · v
  Expr generalized_power;          ///< F · v_R, (17)
  Expr carried_power;              ///< F · v_t of its part with a potential
  Expr carried_potential;          ///< U_t of load_energy.h
  Expr potential;                  ///< its share of U; zero when it has none
  Expr potential_rate;             ///< d/dt of its share of U
  Expr whole_potential;            ///< with the terms of time alone that U leaves out
  Expr nonconservative_power;      ///< its share of P_nonconservative
  bool needs_constraints = false;  ///< its potential is one only where the constraints hold
};

struct EnergyTerms {
  Expr K;  ///< from whole velocities, not from its parts
  Expr K0, K1, K2;
  Expr U;
  Expr V;  ///< U with the terms of time alone that it leaves out, of all loads
  Expr sigma, sigma_R;
  Expr P;                  ///< generalized power of all loads
  Expr P_nonconservative;  ///< of P, with the signs of (21)
  std::vector<BodyEnergy> bodies;
  std::vector<LoadEnergy> loads;
};

struct Energies : EnergyTerms {  ///< in terms of independent speeds
  Equations equations;
  EmbeddedEquations embedded;
  VelocitySplit split;
  EnergyTerms formal;                ///< in terms of all speeds, w and w'
  std::shared_ptr<ExprPool> pool{};  ///< holds the expressions; finished
};

}  // namespace visviva
