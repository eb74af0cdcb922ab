// Field equations: what Hamilton's principle says of fields, with all boundary conditions.
//
// The model's fields were left whole: its coordinates are the values and slopes w_k = d^k w/dx^k of each field at the
// station x, which stands for every place, and at the places that the model names. F and F* are the generalized
// forces on them, of a piece of the line at the station, of what hangs on the line elsewhere. In every
// variation that fields allow (docs/theory/continuous.md)
//   integral of sum_k (F_k + F*_k) d^k(dw)/dx^k dx + sum of (F_j + F*_j) d^j(dw)/dx^j at places = 0      (1)
// With R_k = F_k + F*_k, integrated by parts until dw stands alone
//   sum_k (-d/dx)^k R_k = 0                                                                              (2)
//   B_j = sum_{k > j} (-d/dx)^(k-1-j) R_k                                                                (3)
//   at the end of the interval   B_j + (F_j + F*_j) = 0   or d^j w/dx^j is given                         (4)
//   at its beginning            -B_j + (F_j + F*_j) = 0   or it is given                                 (5)
//   between them        B_j before - B_j behind + (F_j + F*_j) = 0                                       (6)
// Where material passes the places at v, d/dt of it is d/dt + v d/dx in F*.                              (7)
// Constraints are kept by multipliers: sum_i A_ij lambda_i goes with F_j.
// With e the kinetic and potential energy per length, W = dw/dt + v dw/dx the rate of the material, and p the power
// of what has no potential, the equations (2) make
//   de/dt + dS/dx = p,    S = v e + sum over fields and j of B_j d^jW/dx^j                             (8)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

/// What one load, or inertia, or a constraint brings to an equation: to its right side, or to what vanishes at an end.
struct FieldTerm {
  std::string from;  ///< "inertia", the name of a load, of a constraint
  Expr value;
};

struct BoundaryCondition {
  Expr place;
  int slopes = 0;  ///< of the variation that it belongs to
  bool is_natural = true;
  Expr left;                       ///< natural: vanishes; geometric: the value of the field
  Expr right;                      ///< geometric: what it is
  std::vector<FieldTerm> terms{};  ///< of `left`, natural
};

struct FieldEquation {
  int field = -1;
  Expr inertia;  ///< the inertia forces with a minus: what stands on the left
  Expr forces;   ///< what stands on the right
  std::vector<BoundaryCondition> boundary;  ///< in the order of places, then of slopes
  std::vector<FieldTerm> terms{};           ///< of `forces`, and `inertia` with a minus
};

/// The equation of an ordinary coordinate: the integral of `density` over the variable plus `rest` vanishes.
struct IntegralEquation {
  std::string speed;
  std::vector<std::pair<int, Expr>> densities;  ///< by variable
  Expr rest;
};

/// What a symbol of the equations stands for: the value of a field, of a slope or rate of it.
struct FieldSymbol {
  Expr symbol;
  int field = -1;
  int slopes = 0;
  int rates = 0;
  Expr place{};  ///< nothing: the station
};

/// What a constraint says, and what keeps it.
struct FieldConstraint {
  std::string name;
  Expr multiplier;
  Expr condition;  ///< vanishes
};

/// (8), along one variable.
struct PowerBalance {
  int variable = -1;
  Expr energy;                                 ///< e
  Expr flux;                                   ///< S, towards greater values of the variable
  Expr power;                                  ///< p
  Expr given;                                  ///< what given motions bring: beside p
  std::vector<std::pair<Expr, Expr>> through;  ///< S at both ends: place, value
  bool is_proved = false;                      ///< (8) is an identity, given motions counted
};

struct FieldEquations {
  std::vector<FieldEquation> fields;
  std::vector<IntegralEquation> integrals;
  std::vector<FieldConstraint> constraints;
  std::vector<PowerBalance> balances;
  std::vector<FieldSymbol> values;
  std::shared_ptr<ExprPool> pool;
};

/// The field equations of a model whose fields were left whole. ModelError for a model with a moment where nothing bends.
FieldEquations derive_field_equations(const Equations& equations);

}  // namespace visviva
