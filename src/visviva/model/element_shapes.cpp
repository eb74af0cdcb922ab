#include "visviva/model/element_shapes.h"

#include <array>

namespace visviva {
namespace {

// Coefficients of a polynomial in xi, the constant first, and the power of h before it.
struct Shape {
  std::array<int, 4> coefficients;
  int power_of_h;
};

const std::vector<Shape>& shapes_of(ElementKind kind) {
  static const std::vector<Shape> linear = {{{1, -1, 0, 0}, 0}, {{0, 1, 0, 0}, 0}};
  static const std::vector<Shape> quadratic = {
      {{1, -3, 2, 0}, 0}, {{0, 4, -4, 0}, 0}, {{0, -1, 2, 0}, 0}};
  static const std::vector<Shape> cubic = {
      {{1, 0, -3, 2}, 0}, {{0, 1, -2, 1}, 1}, {{0, 0, 3, -2}, 0}, {{0, 0, -1, 1}, 1}};
  return kind == ElementKind::linear ? linear : kind == ElementKind::quadratic ? quadratic : cubic;
}

}  // namespace

const std::vector<ElementValue>& element_values(ElementKind kind) {
  static const std::vector<ElementValue> linear = {{0, 0}, {1, 0}};
  static const std::vector<ElementValue> quadratic = {{0, 0}, {1, 0}, {2, 0}};
  static const std::vector<ElementValue> cubic = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  return kind == ElementKind::linear ? linear : kind == ElementKind::quadratic ? quadratic : cubic;
}

int nodes_per_element(ElementKind kind) { return kind == ElementKind::quadratic ? 2 : 1; }

std::vector<Expr> element_shapes(ElementKind kind, int slopes, const Expr& xi, const Expr& h) {
  ExprPool& pool = xi.pool();
  std::vector<Expr> factors;
  for (const Shape& shape : shapes_of(kind)) {
    Expr sum = pool.zero();
    for (int power = slopes; power < 4; ++power) {
      int factor = shape.coefficients[static_cast<std::size_t>(power)];
      for (int i = 0; i < slopes; ++i) factor *= power - i;
      if (factor != 0) sum = sum + pool.rational(factor) * pow(xi, pool.rational(power - slopes));
    }
    factors.push_back(sum * pow(h, pool.rational(shape.power_of_h - slopes)));
  }
  return factors;
}

const std::vector<QuadratureNode>& quadrature(int degree) {
  static const std::vector<QuadratureNode> midpoint = {{{1, 2}, {1, 1}}};
  static const std::vector<QuadratureNode> simpson = {
      {{0, 1}, {1, 6}}, {{1, 2}, {2, 3}}, {{1, 1}, {1, 6}}};
  static const std::vector<QuadratureNode> boole = {{{0, 1}, {7, 90}},
                                                    {{1, 4}, {16, 45}},
                                                    {{1, 2}, {2, 15}},
                                                    {{3, 4}, {16, 45}},
                                                    {{1, 1}, {7, 90}}};
  static const std::vector<QuadratureNode> seven = {
      {{0, 1}, {41, 840}}, {{1, 6}, {9, 35}}, {{1, 3}, {9, 280}}, {{1, 2}, {34, 105}},
      {{2, 3}, {9, 280}},  {{5, 6}, {9, 35}}, {{1, 1}, {41, 840}}};
  return degree <= 1 ? midpoint : degree <= 3 ? simpson : degree <= 5 ? boole : seven;
}

}  // namespace visviva
