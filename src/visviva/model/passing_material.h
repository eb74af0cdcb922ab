// Material that passes the places of a line at v: what its inertia has beside that of material at rest there.
//
//   d^2/dt^2 of the place     ->   d^2P/dt^2 + 2 v d/dt(dP/dx) + v^2 d^2P/dx^2 + v' dP/dx              (1)
// and likewise for the angle of its sections; docs/theory/continuous.md (9) and (16).
#pragma once

#include "visviva/model/model.h"

namespace visviva {

/// The rate of an expression of coordinates, specified functions and time.
Expr rate_of_expression(const ModelData& data, const Expr& e);

/// The last three terms of (1), from P(x) - its origin does not depend on x - and x' = v.
Vector passing_acceleration(const ModelData& data,
                            const std::function<Vector(const Expr& x)>& offset, const Expr& x,
                            const Dimension& length, const Quantity& v);

/// The moment per J of sections that turn by angle(x) about n.
Vector passing_turn(const ModelData& data, const std::function<Expr(const Expr& x)>& angle,
                    const Expr& x, const Dimension& length, const Vector& n, const Quantity& v);

}  // namespace visviva
