// C++17, since Simbody 3.7 does not compile as C++20.
#include "simbody_peer.h"

#include <Simbody.h>

#include <algorithm>

namespace visviva::simbody {
namespace {

using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::SpatialVec;
using SimTK::Transform;
using SimTK::Vec3;

Vec3 column(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const Vec3& a) { return {a[0], a[1], a[2]}; }

Transform transform(const Pose& pose) {
  SimTK::Mat33 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = pose.R[static_cast<std::size_t>(3 * i + j)];
  }
  return Transform(Rotation(R, true), column(pose.p));
}

}  // namespace

struct Peer::Parts {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  std::vector<MobilizedBody> bodies{matter.Ground()};
  std::vector<int> parents{-1};
  double state_error = 0;

  MobilizedBody& body(int i) { return bodies[static_cast<std::size_t>(i)]; }

  // Simbody's joint: frame F on the parent, M on the body; they coincide when the coordinates are
  // 0. A pin turns about F.z, a slider moves along F.x.
  MobilizedBody make(const Joint& joint, const SimTK::Body::Rigid& rigid) {
    MobilizedBody& parent = body(joint.parent);
    const bool has_axis = joint.kind == Joint::Kind::pin || joint.kind == Joint::Kind::slider ||
                          joint.kind == Joint::Kind::cylinder;
    Rotation R_PF, R_BM;
    if (has_axis)
      R_PF = Rotation(SimTK::UnitVec3(column(joint.axis)),
                      joint.kind == Joint::Kind::slider ? SimTK::CoordinateAxis(SimTK::XAxis)
                                                        : SimTK::CoordinateAxis(SimTK::ZAxis));
    R_BM = ~Rotation(joint.fixed_angle, SimTK::XAxis) * R_PF;
    const Transform F(R_PF, column(joint.offset)), M(R_BM, -column(joint.arm));
    switch (joint.kind) {
      case Joint::Kind::pin:
        return MobilizedBody::Pin(parent, F, rigid, M);
      case Joint::Kind::slider:
        return MobilizedBody::Slider(parent, F, rigid, M);
      case Joint::Kind::cylinder:
        return MobilizedBody::Cylinder(parent, F, rigid, M);
      case Joint::Kind::universal:
        return MobilizedBody::Universal(parent, F, rigid, M);
      case Joint::Kind::ball:
        return MobilizedBody::Ball(parent, F, rigid, M);
      case Joint::Kind::free:
        return MobilizedBody::Free(parent, F, rigid, M);
    }
    return MobilizedBody();
  }
};

Peer::Peer() : parts_(new Parts) {}
Peer::~Peer() = default;

int Peer::add_body(const Joint& joint, const Mass& m) {
  const SimTK::Inertia inertia(m.xx, m.yy, m.zz, m.xy, m.zx, m.yz);
  const SimTK::Body::Rigid rigid(SimTK::MassProperties(m.mass, Vec3(0), inertia));
  parts_->bodies.push_back(parts_->make(joint, rigid));
  parts_->parents.push_back(joint.parent);
  return static_cast<int>(parts_->bodies.size()) - 1;
}

void Peer::drive(int body, double amplitude, double rate, double phase) {
  SimTK::Motion::Sinusoid(parts_->body(body), SimTK::Motion::Position, amplitude, rate, phase);
}

// ---- Forces

void Peer::add_gravity(const Triple& g) {
  SimTK::Force::UniformGravity(parts_->forces, parts_->matter, column(g));
}
void Peer::add_force(int body, const Triple& station, const Triple& force) {
  SimTK::Force::ConstantForce(parts_->forces, parts_->body(body), column(station), column(force));
}
void Peer::add_torque(int body, const Triple& torque) {
  SimTK::Force::ConstantTorque(parts_->forces, parts_->body(body), column(torque));
}
void Peer::add_spring(const Ends& e, double stiffness, double rest) {
  SimTK::Force::TwoPointLinearSpring(parts_->forces, parts_->body(e.a), column(e.on_a),
                                     parts_->body(e.b), column(e.on_b), stiffness, rest);
}
void Peer::add_damper(const Ends& e, double rate) {
  SimTK::Force::TwoPointLinearDamper(parts_->forces, parts_->body(e.a), column(e.on_a),
                                     parts_->body(e.b), column(e.on_b), rate);
}
void Peer::add_joint_spring(int body, double stiffness, double rest) {
  SimTK::Force::MobilityLinearSpring(parts_->forces, parts_->body(body), SimTK::MobilizerQIndex(0),
                                     stiffness, rest);
}
void Peer::add_joint_damper(int body, double rate) {
  SimTK::Force::MobilityLinearDamper(parts_->forces, parts_->body(body), SimTK::MobilizerUIndex(0),
                                     rate);
}

// ---- Constraints

void Peer::add_rod(const Ends& e, double length) {
  SimTK::Constraint::Rod(parts_->body(e.a), column(e.on_a), parts_->body(e.b), column(e.on_b),
                         length);
}
void Peer::add_ball(const Ends& e) {
  SimTK::Constraint::Ball(parts_->body(e.a), column(e.on_a), parts_->body(e.b), column(e.on_b));
}
void Peer::add_plane(const Ends& e, double height) {
  SimTK::Constraint::PointInPlane(parts_->body(e.b), SimTK::UnitVec3(0, 1, 0), height,
                                  parts_->body(e.a), column(e.on_a));
}
void Peer::add_rolling(const Ends& e, double radius, double height) {
  SimTK::Constraint::SphereOnPlaneContact(parts_->body(e.b), Transform(Vec3(0, 0, height)),
                                          parts_->body(e.a), column(e.on_a), radius, true);
}
void Peer::add_constant_speed(int body, double speed) {
  SimTK::Constraint::ConstantSpeed(parts_->body(body), speed);
}

// ---- Accelerations

std::vector<Motion> Peer::accelerate(double time, const std::vector<Pose>& poses,
                                     const std::vector<Motion>& velocities) {
  SimTK::State state = parts_->system.realizeTopology();
  parts_->system.realizeModel(state);
  state.setTime(time);
  const std::size_t n = parts_->bodies.size();
  const auto parent_of = [&](std::size_t i) {
    return static_cast<std::size_t>(parts_->parents[i]);
  };

  // Each joint is set from the poses of its two bodies, then from their velocities.
  std::vector<Transform> X_GF(n), X_GM(n);
  for (std::size_t i = 1; i < n; ++i) {
    const MobilizedBody& body = parts_->bodies[i];
    X_GF[i] = transform(poses[parent_of(i)]) * body.getInboardFrame(state);
    X_GM[i] = transform(poses[i]) * body.getOutboardFrame(state);
    body.setQToFitTransform(state, ~X_GF[i] * X_GM[i]);
  }
  parts_->system.realize(state, SimTK::Stage::Position);
  for (std::size_t i = 1; i < n; ++i) {
    const auto velocity_at = [&](std::size_t k) {
      return column(velocities[k].linear) +
             column(velocities[k].angular) % (X_GM[i].p() - column(poses[k].p));
    };
    const Vec3 w = column(velocities[i].angular) - column(velocities[parent_of(i)].angular);
    const Vec3 v = velocity_at(i) - velocity_at(parent_of(i));
    parts_->bodies[i].setUToFitVelocity(state, SpatialVec(~X_GF[i].R() * w, ~X_GF[i].R() * v));
  }
  parts_->system.realize(state, SimTK::Stage::Acceleration);

  std::vector<Motion> result;
  parts_->state_error = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const MobilizedBody& body = parts_->bodies[i];
    const Vec3 position = body.getBodyOriginLocation(state) - column(poses[i].p);
    const Vec3 velocity = body.getBodyOriginVelocity(state) - column(velocities[i].linear);
    const Vec3 spin = body.getBodyAngularVelocity(state) - column(velocities[i].angular);
    parts_->state_error =
        std::max({parts_->state_error, position.norm(), velocity.norm(), spin.norm()});
    const SpatialVec A = body.getBodyAcceleration(state);
    result.push_back({triple(A[0]), triple(A[1])});
  }
  return result;
}

double Peer::state_error() const { return parts_->state_error; }

}  // namespace visviva::simbody
