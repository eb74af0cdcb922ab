// Integrals of the motion: which energies and momenta are constant, and why.
//
// Along every motion (Mitiguy, chapter 34 (1) to (9), (59); ' is d/dt):
//   E_Z = K2 + U + Z          E_Z' = 0                                                          (1)
//   E = K2 + U                E' = P_nonconservative - sigma_R                                  (4)
//   H = K2 - K0 + U           H' = P_nonconservative - sigma                                    (5)
//   C = K + U                 C' = P_nonconservative - sigma + 2 K0' + K1'                      (8)
// The Hamiltonian (7) is H, and the mechanical energy (9) is C, where U is a potential energy and
// not only a generalized one (34.7): where motors do no work, U does not depend on time, and the
// whole power of the loads with a potential, not only that through v_R, is -U'. The power of the motors and of moving
// constraints is what the balance of kinetic energy leaves:
//   P_motors = K0' + K1' - sigma_R - sum_loads F · v_t                                          (10)
// A quantity is constant when its derivative vanishes identically: decided by exact zero tests,
// first for all parameters and specified functions, then with their values put in. One that is
// constant in the motion from the start state alone is not constant, and that is said too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/energy/energies.h"

namespace visviva {

enum class Constancy { constant, not_constant, not_defined, undecided };

/// The definition of an integral.
struct IntegralDefinition {
  enum class Kind { formula, linear_momentum, angular_momentum };
  Kind kind = Kind::formula;
  std::string formula{};                ///< "K2 + U + Z", "dK/dq'"; empty for the other kinds
  bool needs_potential_energy = false;  ///< U must be a potential energy
  std::string about{};                  ///< point of an angular momentum; empty: the mass center
  char axis = 'x';                      ///< of N, along which the momentum is taken
};

struct Integral {
  std::string name;  ///< "E_Z", "hamiltonian", "p_phi", "angular_momentum(No).z"
  IntegralDefinition definition;
  Expr value;  ///< in terms of independent speeds; of E_Z with the symbol Z
  Constancy constancy = Constancy::undecided;
  Scope scope = Scope::all_parameters;
  Extent extent = Extent::every_motion;
  Reasons reasons;
};

struct PotentialEnergy {
  bool exists = false;
  Scope scope = Scope::all_parameters;
  Reasons reasons;
};

struct Integrals {
  std::shared_ptr<ExprPool> pool{};  ///< holds the expressions
  std::vector<Integral> energies;    ///< E_Z, E, H, hamiltonian, C, mechanical_energy
  std::vector<Integral> momenta;     ///< those that are constant
  PotentialEnergy potential_energy;
  Reasons remarks;   ///< what was not examined
  Expr motor_power;  ///< (10); not valid where accelerations are not determined
};

}  // namespace visviva
