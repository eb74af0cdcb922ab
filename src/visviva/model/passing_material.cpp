#include "visviva/model/passing_material.h"

#include "visviva/model/declare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

Vector differentiate_vector(const ModelData& data, const Vector& v, const Expr& x,
                            const Dimension& length) {
  std::vector<Vector::Part> parts;
  for (const Vector::Part& part : v.parts()) {
    Vector::Part slope = part;
    for (Expr& e : slope.column) e = differentiate(e, x);
    parts.push_back(slope);
  }
  return {data, parts, v.dimension() / length};
}

Vector at_value(const ModelData& data, const Vector& v, const Expr& x, const Expr& value) {
  std::vector<Vector::Part> parts = v.parts();
  for (Vector::Part& part : parts)
    for (Expr& e : part.column) e = substitute(e, {{x, value}});
  return {data, parts, v.dimension()};
}

// In N.
Vector rate_of_vector(const ModelData& data, const Vector& v) {
  std::vector<Vector::Part> rates;
  Vector turned;
  for (const Vector::Part& part : v.parts()) {
    Vector::Part rate = part;
    for (Expr& e : rate.column) e = rate_of_expression(data, e);
    rates.push_back(rate);
    if (part.frame == 0) continue;
    turned = turned +
             cross(angular_velocity(Frame(data, part.frame)), Vector(data, {part}, v.dimension()));
  }
  return Vector(data, rates, v.dimension() / dimensions::duration) + turned;
}

}  // namespace

Expr rate_of_expression(const ModelData& data, const Expr& e) {
  std::vector<std::pair<Expr, Expr>> rates = {{data.time, data.pool->one()}};
  for (const CoordinateData& c : data.coordinates) {
    rates.emplace_back(c.q, c.rate);
    rates.emplace_back(c.rate, c.second_rate);
  }
  for (const SpecifiedData& s : data.specified)
    for (std::size_t k = 0; k < 3; ++k) rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  return Tangent(*data.pool, rates)(e);
}

Vector passing_acceleration(const ModelData& data,
                            const std::function<Vector(const Expr& x)>& offset, const Expr& x,
                            const Dimension& length, const Quantity& v) {
  const Expr any = data.pool->scratch_symbol("place");
  const Vector slope = differentiate_vector(data, offset(any), any, length);
  const Vector here = at_value(data, slope, any, x);
  const Vector curved = at_value(data, differentiate_vector(data, slope, any, length), any, x);
  const Quantity rate(rate_of_expression(data, v.expr(*data.pool)),
                      v.dimension() / dimensions::duration);
  return Quantity(2.0) * v * rate_of_vector(data, here) + v * v * curved + rate * here;
}

Vector passing_turn(const ModelData& data, const std::function<Expr(const Expr& x)>& angle,
                    const Expr& x, const Dimension& length, const Vector& n, const Quantity& v) {
  const Expr any = data.pool->scratch_symbol("place");
  const Expr slope = differentiate(angle(any), any);
  const auto here = [&](const Expr& e, int slopes) {
    return Quantity(substitute(e, {{any, x}}), Dimension() / length.power(slopes));
  };
  const Quantity rate(rate_of_expression(data, v.expr(*data.pool)),
                      v.dimension() / dimensions::duration);
  const Quantity turn = here(slope, 1);
  const Quantity turn_rate(rate_of_expression(data, turn.expr()),
                           turn.dimension() / dimensions::duration);
  const Vector moment =
      (Quantity(2.0) * v * turn_rate + v * v * here(differentiate(slope, any), 2) + rate * turn) *
      n;
  const int frame = n.parts()[0].frame;
  if (frame == 0) return moment;
  return moment + (v * turn) * cross(angular_velocity(Frame(data, frame)), n);
}

}  // namespace visviva
