// Homogeneous solids: their inertias about the mass center.
//
// Mass m, radius r, length l, edges a, b, c; "along" is the moment about the solid's axis, "across"
// about any other:
//   sphere 2/5 m r^2    shell 2/3 m r^2    rod: along 0, across m l^2/12 (1) cylinder: along m
//   r^2/2, across m (3 r^2 + l^2)/12    disc: along m r^2/2, across m r^2/4                   (2)
//   box: about x m (b^2 + c^2)/12, and so on (3)    ellipsoid: about x m (b^2 + c^2)/5
//   capsule: a cylinder and two halves of a ball, with masses as their volumes l and 4/3 r; the mass
//   centers of the halves are 3/8 r beyond the ends: across, a ball has m (2/5 r^2 + l^2/4 + 3/8 l r) (4)
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

// (4)
Inertia capsule_inertia(const Solid& solid, const Quantity& m) {
  const Quantity &r = solid.sizes[0], &l = solid.sizes[1];
  const Quantity whole = l + fraction(4, 3) * r;
  const Quantity tube = m * l / whole, ball = m * fraction(4, 3) * r / whole;
  return about_axis(
      solid.axis, fraction(1, 2) * tube * r * r + fraction(2, 5) * ball * r * r,
      fraction(1, 12) * tube * (3.0 * r * r + l * l) +
          ball * (fraction(2, 5) * r * r + fraction(1, 4) * l * l + fraction(3, 8) * l * r));
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
Solid capsule(const Quantity& radius, const Quantity& length, Axis along) {
  return {Kind::capsule, {radius, length}, along};
}
Solid ellipsoid(const Quantity& x, const Quantity& y, const Quantity& z) {
  return {Kind::ellipsoid, {x, y, z}, Axis::z};
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
    case Kind::capsule:
      return capsule_inertia(solid, mass);
    case Kind::ellipsoid: {
      const Quantity m5 = fraction(1, 5) * mass;
      return {m5 * (b * b + c * c), m5 * (c * c + a * a), m5 * (a * a + b * b)};
    }
    case Kind::none:
      break;
  }
  return {};
}

}  // namespace visviva
