// Homogeneous solids: their inertias about the mass center.
//
// Mass m, radius r, length l, edges a, b, c; "along" is the moment about the solid's axis, "across"
// about any other:
//   sphere 2/5 m r^2    shell 2/3 m r^2    rod: along 0, across m l^2/12 (1) cylinder: along m
//   r^2/2, across m (3 r^2 + l^2)/12    disc: along m r^2/2, across m r^2/4                   (2)
//   box: about x m (b^2 + c^2)/12, and so on (3)
#include "visviva/model/model.h"

namespace visviva {
namespace {

using Kind = SolidData::Kind;

Quantity fraction(double num, double den) { return Quantity(num) / Quantity(den); }

Inertia about_axis(Axis axis, const Quantity& along, const Quantity& across) {
  Inertia I{across, across, across};
  (axis == Axis::x ? I.xx : axis == Axis::y ? I.yy : I.zz) = along;
  return I;
}

}  // namespace

Solid sphere(const Quantity& radius) { return {Kind::sphere, {radius}, Axis::z}; }
Solid shell(const Quantity& radius) { return {Kind::shell, {radius}, Axis::z}; }
Solid rod(const Quantity& length, Axis along) { return {Kind::rod, {length}, along}; }
Solid cylinder(const Quantity& radius, const Quantity& length, Axis along) {
  return {Kind::cylinder, {radius, length}, along};
}
Solid disc(const Quantity& radius, Axis along) { return {Kind::disc, {radius}, along}; }
Solid box(const Quantity& x, const Quantity& y, const Quantity& z) {
  return {Kind::box, {x, y, z}, Axis::z};
}

Inertia solid_inertia(const Solid& solid, const Quantity& mass) {
  const Quantity &a = solid.sizes[0], &b = solid.sizes[1], &c = solid.sizes[2];
  const Quantity none = 0.0 * mass * a * a;
  switch (solid.kind) {
    case Kind::sphere: {
      const Quantity I = fraction(2, 5) * mass * a * a;  // (1)
      return {I, I, I};
    }
    case Kind::shell: {
      const Quantity I = fraction(2, 3) * mass * a * a;
      return {I, I, I};
    }
    case Kind::rod:
      return about_axis(solid.axis, none, fraction(1, 12) * mass * a * a);
    case Kind::cylinder:  // (2)
      return about_axis(solid.axis, fraction(1, 2) * mass * a * a,
                        fraction(1, 12) * mass * (3.0 * a * a + b * b));
    case Kind::disc:
      return about_axis(solid.axis, fraction(1, 2) * mass * a * a, fraction(1, 4) * mass * a * a);
    case Kind::box: {  // (3)
      const Quantity m12 = fraction(1, 12) * mass;
      return {m12 * (b * b + c * c), m12 * (c * c + a * a), m12 * (a * a + b * b)};
    }
    case Kind::none:
      break;
  }
  return {};
}

}  // namespace visviva
