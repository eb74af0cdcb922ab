// Orientations: how a frame is turned in its parent. Each is given by configuration; angular
// velocities follow from it.
//
//   rotate(P, axis, angle)          a simple rotation about an axis fixed in both frames
//   rotate(P, "zxz", angles)        three rotations, each about an axis of the frame turned so far
//   rotate_space(P, "zxz", angles)  three rotations about axes of the parent
//   quaternion(P, e)                Euler parameters, scalar first
//   rodrigues(P, g)                 the Gibbs vector g = n tan(angle/2)
//   spin(P, w)                      the one exception: its angular velocity in the parent
#pragma once

#include <array>
#include <string>

#include "visviva/model/frame.h"

namespace visviva {

struct Orientation {
  enum class Kind { simple, sequence, quaternion, rodrigues, spin };
  Kind kind = Kind::simple;
  Frame parent;
  Vector axis;                         // simple
  std::array<int, 3> axes{};           // sequence: body-fixed, 0 to 2
  std::array<Quantity, 4> parameters;  // angles, Euler parameters or Gibbs vector
  Vector angular_velocity;             // spin: in the parent
};

Orientation rotate(const Frame& parent, Axis axis, const Quantity& angle);
/// The rotation about any vector fixed in the parent; its length does not matter.
Orientation rotate(const Frame& parent, const Vector& axis, const Quantity& angle);
/// Body-fixed sequence such as "zxz" or "123". UsageError for an unknown one.
Orientation rotate(const Frame& parent, const std::string& sequence,
                   const std::array<Quantity, 3>& angles);
Orientation rotate_space(const Frame& parent, const std::string& sequence,
                         const std::array<Quantity, 3>& angles);
/// The four must be declared together by Model::quaternion.
Orientation quaternion(const Frame& parent, const std::array<Quantity, 4>& e);
Orientation rodrigues(const Frame& parent, const std::array<Quantity, 3>& g);
/// Linear in speeds; may contain specified functions and time.
Orientation spin(const Frame& parent, const Vector& angular_velocity);

/// R_PB of a simple rotation about a unit column n: 1 cos a + (1 - cos a) n n' + sin a [n]x.
Matrix3 simple_rotation(const Column3& n, const Expr& angle);
/// R_PB of Euler parameters, scalar first.
Matrix3 quaternion_rotation(const std::array<Expr, 4>& e);
/// R_PB of a Gibbs vector.
Matrix3 rodrigues_rotation(const Column3& g);

}  // namespace visviva
