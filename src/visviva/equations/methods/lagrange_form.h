// Lagrange's equations as textbooks write them: the Lagrangian, its slopes, and equations with multipliers.
//
// y' are rates: q' of each coordinate where the definitions of speeds allow it, free speeds and body-axis rates of
// quaternion frames as they are; K the kinetic, V the potential energy of gravity, springs and potentials, Q the other
// forces (MEEN 617, Handout 4a (46)), A the rows of the constraints, λ their multipliers:
//   L = K - V,    d/dt dL/dq' - dL/dq = Q + A'λ        for each coordinate q                     (1)
//   M y'' = f + A'λ                                     the same, differentiated, for all y       (2)
// With u = S y' + z of the definitions, (2) are S' times the equations of the speeds:
//   M = S' M_u S,    f = S' (f_u - M_u (dS/dt y' + dz/dt)),    A = A_u S                         (3)
#pragma once

#include "visviva/equations/equations.h"

namespace visviva {

struct LagrangeForm {
  Expr K, V, L;
  /// The parts of (1) for a coordinate.
  struct Slopes {
    int coordinate;  ///< in ModelData::coordinates
    Expr by_rate;    ///< dL/dq'
    Expr by_coordinate;
    Expr force;  ///< Q
  };
  /// Of every coordinate but Euler parameters; none where spin frames carry hidden states, with which
  /// velocities are no rates of coordinates.
  std::vector<Slopes> slopes;

  /// A rate y' and its own rate, with their names.
  struct Variable {
    std::string name;  ///< of y', such as x'
    Expr rate, second_rate;
  };
  std::vector<Variable> variables;
  std::vector<std::vector<Expr>> mass_matrix;  ///< M of (2)
  std::vector<Expr> forcing;                   ///< f
  std::vector<std::vector<Expr>> rows;         ///< A, one for each of Equations::rows
  std::vector<Expr> multipliers;               ///< symbols, likewise: lambda, lambda_rod
};

LagrangeForm make_lagrange_form(const Equations& equations);

}  // namespace visviva
