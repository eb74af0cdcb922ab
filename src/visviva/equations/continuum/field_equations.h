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
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

struct BoundaryCondition {
  Expr place;
  int slopes = 0;  ///< of the variation that it belongs to
  bool is_natural = true;
  Expr left;   ///< natural: vanishes; geometric: the value of the field
  Expr right;  ///< geometric: what it is
};

struct FieldEquation {
  int field = -1;
  Expr inertia;  ///< the inertia forces with a minus: what stands on the left
  Expr forces;   ///< what stands on the right
  std::vector<BoundaryCondition> boundary;  ///< in the order of places, then of slopes
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

struct FieldEquations {
  std::vector<FieldEquation> fields;
  std::vector<IntegralEquation> integrals;
  std::vector<FieldSymbol> values;
  std::shared_ptr<ExprPool> pool;
};

/// The field equations of a model whose fields were left whole. ModelError for a model with constraints, or with a moment
/// where nothing bends.
FieldEquations derive_field_equations(const Equations& equations);

}  // namespace visviva
