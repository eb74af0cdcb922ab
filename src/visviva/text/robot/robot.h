// Robot: links and joints as robot files describe them, whatever their format.
//
// A link has a frame. A joint places the frame of its child in that of its parent: by `origin`, then
// by its motion about or along `axis`, then by `after`. Lengths in m, angles in rad.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "visviva/base/error.h"

namespace visviva {

using Triple = std::array<double, 3>;

/// A rotation: by a unit quaternion, scalar first; and, where a file said so, by angles about the fixed axes x, y, z in turn.
struct RobotRotation {
  std::array<double, 4> quaternion = {1, 0, 0, 0};
  std::optional<Triple> space_angles{};

  bool is_identity() const { return quaternion[0] == 1 || quaternion[0] == -1; }
};

/// Where a frame is in another.
struct RobotPose {
  Triple position = {0, 0, 0};
  RobotRotation rotation{};
};

/// Mass, mass center and inertia about it, in a link's frame: Ixx, Iyy, Izz, Ixy, Iyz, Izx.
struct RobotMass {
  double mass = 0;
  Triple center = {0, 0, 0};
  std::array<double, 6> inertia = {0, 0, 0, 0, 0, 0};
};

/// What is drawn of a link: a solid about the middle of its pose, along z, or a mesh.
struct RobotPicture {
  RobotPose pose{};
  std::string solid{};  ///< box, cylinder, sphere, capsule or ellipsoid
  std::array<double, 3>
      sizes{};  ///< edges; radius and length; radius; radius and length of its cylinder; semiaxes
  std::string mesh{};  ///< or the file of a mesh, as the robot's file calls it
  std::array<double, 3> scale = {1, 1, 1};
};

struct RobotLink {
  std::string name;
  RobotMass mass{};
  SourceSpan span{};
  std::vector<RobotPicture> pictures{};
};

/// Makes an angle or length follow that of another joint.
struct RobotMimic {
  std::string joint;
  double factor = 1, offset = 0;
};

struct RobotJoint {
  enum class Kind { fixed, hinge, slide, screw, ball, planar, free };
  std::string name;
  Kind kind = Kind::fixed;
  std::size_t parent = 0, child = 0;  ///< links
  RobotPose origin{}, after{};
  Triple axis = {1, 0, 0};
  std::optional<RobotMimic> mimic{};
  double damping = 0, stiffness = 0, rest = 0,
         armature = 0;   ///< damping of every rate of a ball or free joint
  double pitch = 0;      ///< of a screw: how far it moves in a full turn
  double reference = 0;  ///< the value of the coordinate at which the joint does not move its child
  RobotPose start{};     ///< of a free joint: where its child begins, in `origin`
  std::string remark{};  ///< limits, friction: what is not modelled
  SourceSpan span{};
};

/// A condition that closes a loop: a point of a link stays at one of another, turned with it where `is_weld`.
struct RobotClosure {
  std::string name;
  std::size_t first = 0, second = 0;
  Triple first_point = {0, 0, 0}, second_point = {0, 0, 0};
  RobotRotation rotation{};  ///< of the second in the first, of a weld
  bool is_weld = false;
  SourceSpan span{};
};

/// Two joints whose values are coupled: first - its reference = polynomial(second - its reference); without a second one
/// the first stays at the polynomial's constant.
struct RobotCoupling {
  std::string name, first, second;
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};
};

struct Robot {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;  ///< a tree
  std::size_t root = 0;
  bool root_is_world = false;  ///< the root is the ground, no link of its own
  Triple gravity = {0, 0, -9.81};
  std::vector<RobotClosure> closures;
  std::vector<RobotCoupling> couplings;
};

// ---- Rotations and masses, in numbers

using Matrix = std::array<Triple, 3>;

Triple cross_of(const Triple& a, const Triple& b);
double length_of(const Triple& a);

RobotRotation from_space_angles(const Triple& angles);
RobotRotation from_quaternion(const std::array<double, 4>& q);
RobotRotation from_axis_angle(const Triple& axis, double angle);
/// From two axes of the turned frame, of which the second need not be orthogonal.
RobotRotation from_axes(const Triple& x, const Triple& y);
/// The least rotation that turns z there.
RobotRotation from_z(const Triple& z);
/// Angles about the fixed axes x, y, z in turn.
Triple find_space_angles(const RobotRotation& r);
Matrix to_matrix(const RobotRotation& r);
Triple turn(const RobotRotation& r, const Triple& v);
RobotPose compose(const RobotPose& a, const RobotPose& b);
RobotPose invert(const RobotPose& a);
/// A mass given in a frame, told in the one in which that frame has this pose.
RobotMass move_mass(const RobotMass& mass, const RobotPose& pose);
/// The principal moments of an inertia, in no order.
Triple find_principal_moments(const std::array<double, 6>& inertia);
RobotMass add_masses(const RobotMass& a, const RobotMass& b);

}  // namespace visviva
