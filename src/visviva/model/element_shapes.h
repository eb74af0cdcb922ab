// Shapes of finite elements on 0 <= xi <= 1, and sums that integrate polynomials over it exactly.
//
// | element   | values at its nodes                                  |
// |-----------|------------------------------------------------------|
// | linear    | w(0), w(1)                                           |
// | quadratic | w(0), w(1/2), w(1)                                   |
// | cubic     | w(0), dw/dx(0), w(1), dw/dx(1), of Hermite           |
//
// docs/theory/continuous.md (10) to (13).
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

enum class ElementKind { linear, quadratic, cubic };

/// A value of an element that its shapes belong to.
struct ElementValue {
  int node;    ///< in the element; its neighbours share the first and the last
  int slopes;  ///< 0: the value there, 1: its slope
};
const std::vector<ElementValue>& element_values(ElementKind kind);
/// Nodes that an element adds to those before it: 1, or 2 with one in the middle.
int nodes_per_element(ElementKind kind);

/// The factors of the element's values in the derivative of the field by x, `slopes` times, at xi; h is the
/// element's length.
std::vector<Expr> element_shapes(ElementKind kind, int slopes, const Expr& xi, const Expr& h);

/// A place of a sum over 0 <= xi <= 1, and its weight; fractions.
struct QuadratureNode {
  Rational place;
  Rational weight;
};
/// The closed sum of equal steps that is exact for polynomials of this degree, up to 7; what is of a higher
/// degree, or no polynomial, gets the best of them.
const std::vector<QuadratureNode>& quadrature(int degree);

}  // namespace visviva
