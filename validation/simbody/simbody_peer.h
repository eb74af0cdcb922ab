// Simbody behind a wall: its headers need C++17, ours C++20, so that only numbers pass.
//
// Bodies are numbered as they are added, from 1; 0 is the ground. A body's origin is its mass
// center. Columns and rotations of poses and motions are in the ground frame; stations are in the
// body's frame.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace visviva::simbody {

using Triple = std::array<double, 3>;

struct Joint {
  enum class Kind { pin, slider, cylinder, universal, ball, free };
  Kind kind = Kind::pin;
  int parent = 0;
  Triple offset{};         ///< of the joint from the parent's origin
  Triple arm{};            ///< of the body's origin from the joint
  Triple axis{};           ///< of pin, slider and cylinder, in the parent
  double fixed_angle = 0;  ///< of a slider's body, about x of the parent
};

/// Entries of the inertia matrix about the mass center.
struct Mass {
  double mass, xx, yy, zz, xy, yz, zx;
};

struct Pose {
  std::array<double, 9> R{};  ///< rows
  Triple p{};
};

/// Of a body and its origin: angular and linear velocity, or acceleration.
struct Motion {
  Triple angular{}, linear{};
};

struct Ends {
  int a, b;
  Triple on_a, on_b;
};

class Peer {
 public:
  Peer();
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int add_body(const Joint& joint, const Mass& mass);
  /// The single coordinate of a pin or slider is amplitude sin(rate t + phase).
  void drive(int body, double amplitude, double rate, double phase);

  void add_gravity(const Triple& g);
  void add_force(int body, const Triple& station, const Triple& force);
  void add_torque(int body, const Triple& torque);
  void add_spring(const Ends& ends, double stiffness, double rest);
  void add_damper(const Ends& ends, double rate);
  void add_joint_spring(int body, double stiffness, double rest);
  void add_joint_damper(int body, double rate);

  void add_rod(const Ends& ends, double length);
  void add_ball(const Ends& ends);
  /// on_a of a stays at a height along y of b.
  void add_plane(const Ends& ends, double height);
  /// A sphere about on_a of a rolls on a plane of b at a height along z of b.
  void add_rolling(const Ends& ends, double radius, double height);
  void add_constant_speed(int body, double speed);

  /// Accelerations of all bodies, the ground first. Poses and velocities likewise.
  std::vector<Motion> accelerate(double time, const std::vector<Pose>& poses,
                                 const std::vector<Motion>& velocities);
  /// How far the state that `accelerate` used is from what was asked for.
  double state_error() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace visviva::simbody
