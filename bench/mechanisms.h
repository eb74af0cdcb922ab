// The mechanisms that benchmarks derive: every mass, length and inertia is a symbol of its own.
//
// sympy_derivation.py builds the same ones, with the same names.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/model/model.h"

namespace visviva::mechanisms {

enum class Angles { absolute, relative };

/// A cart of mass m0 pushed by F, with n massless rods that carry particles, one after the other.
inline Model make_cart(int n, Angles angles) {
  using namespace units;
  Model model(angles == Angles::absolute ? "cart_absolute" : "cart_relative");
  const Frame N = model.newtonian();
  model.gravity(-model.parameter("g", (m / (s * s)).dimension()) * N.y());

  const Quantity q0 = model.coordinate("q0", {.dimension = m.dimension()});
  Point end = model.particle(
      "P0", {.at = N.origin() + q0 * N.x(), .mass = model.parameter("m0", kg.dimension())});
  model.force("push", {.on = end, .value = model.input("F") * N.x()});
  Frame link = N;
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    const Quantity q = model.coordinate("q" + number);
    const Quantity l = model.parameter("l" + number, units::m.dimension());
    const Quantity mass = model.parameter("m" + number, kg.dimension());
    link = model.frame("A" + number, rotate(angles == Angles::absolute ? N : link, Axis::z, q));
    end = model.particle("P" + number, {.at = end + l * link.y(), .mass = mass});
  }
  return model;
}

/// Bodies with mass center at c from their joint and the next joint at d; each joint is three
/// body-fixed rotations, the speeds are relative angular velocities in body axes.
inline Model make_chain_3d(int n) {
  using namespace units;
  Model model("chain_3d");
  Frame frame = model.newtonian();
  Point joint = frame.origin();
  model.gravity(-model.parameter("g", (m / (s * s)).dimension()) * frame.z());
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    const auto scalar = [&](const char* name, const Quantity& unit) {
      return model.parameter(name + number, unit.dimension());
    };
    std::array<Quantity, 3> q;
    for (int k = 0; k < 3; ++k) {
      q[static_cast<std::size_t>(k)] = model.coordinate("q" + std::to_string(3 * i - 2 + k));
    }
    const Frame B = model.frame("B" + number, rotate(frame, "123", q));
    const Vector w = angular_velocity(B, frame);
    const std::array<Vector, 3> axes = {B.x(), B.y(), B.z()};
    for (int k = 0; k < 3; ++k) {
      model.speed("u" + std::to_string(3 * i - 2 + k), dot(w, axes[static_cast<std::size_t>(k)]));
    }

    // Evaluated in order, so that names are declared in order.
    const auto offset = [&](const char* x, const char* y, const char* z) {
      const Quantity cx = scalar(x, m), cy = scalar(y, m), cz = scalar(z, m);
      return cx * B.x() + cy * B.y() + cz * B.z();
    };
    const Quantity I = kg * m * m;
    const Vector c = offset("cx", "cy", "cz"), d = offset("dx", "dy", "dz");
    model.body(B, {.at = joint + c,
                   .mass = scalar("m", kg),
                   .inertia = {.xx = scalar("Ixx", I),
                               .yy = scalar("Iyy", I),
                               .zz = scalar("Izz", I),
                               .xy = scalar("Ixy", I),
                               .yz = scalar("Iyz", I),
                               .zx = scalar("Izx", I)}});
    joint = model.point("J" + number, joint + d);
    frame = B;
  }
  return model;
}

}  // namespace visviva::mechanisms
