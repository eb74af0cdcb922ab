// Kinematics: everything about a model's motion that follows from its positions alone.
//
//   const Kinematics motion = analyze_motion(model);
//   motion.velocity(P)                      v_NP, as a Vector
//   motion.partial_velocity(P, "u1")        what multiplies u1 in it
//   motion.velocity_remainder(P)            what is left without speeds, v_t
// N is the Newtonian frame, A, B, C frames, P a point, r a speed. Velocities are expressed in the
// speeds, never in q'. Results are derived when first asked for and remembered by the workspace that
// asks (workspace.h), so a Kinematics never changes and any number of threads may ask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/kinematics/speeds.h"
#include "visviva/model/model.h"

namespace visviva {

class MotionEngine;

/// A row of a motion constraint that is the rate of something: `position` vanishes where that keeps its value.
struct IntegratedRow {
  int constraint = -1;  ///< in ModelData::constraints
  int component = 0;
  Expr position;
};

class Kinematics {
 public:
  const ModelData& model() const;
  /// All frames and points, N and No first.
  std::vector<Frame> frames() const;
  std::vector<Point> points() const;
  const std::vector<Speed>& speeds() const;
  /// The place of a speed by name; UsageError when there is none.
  int speed_index(const std::string& name) const;
  /// Things that are legal but suspicious, such as a definition that is singular at the start
  /// state.
  const std::vector<Diagnostic>& warnings() const;

  /// q' of a coordinate in terms of the speeds: the kinematical differential equation.
  Quantity rate(const Quantity& coordinate) const;
  /// The derivative of a scalar by time, where speeds change at their rates u'. UsageError when the
  /// expression contains u' already.
  Quantity time_derivative(const Quantity& scalar) const;
  /// The derivative of a vector in frame A.
  Vector derivative(const Vector& v, const Frame& A) const;

  // ---- Frames: B in A (default N)

  Vector angular_velocity(const Frame& B) const;
  Vector angular_velocity(const Frame& B, const Frame& A) const;
  Vector angular_acceleration(const Frame& B) const;
  Vector angular_acceleration(const Frame& B, const Frame& A) const;
  Vector partial_angular_velocity(const Frame& B, const std::string& speed) const;
  Vector partial_angular_velocity(const Frame& B, const std::string& speed, const Frame& A) const;
  Vector angular_velocity_remainder(const Frame& B) const;
  Vector angular_velocity_remainder(const Frame& B, const Frame& A) const;

  // ---- Points: P in A (default N). A's own origin is its body's mass center, or No when it has no
  // body.

  Vector velocity(const Point& P) const;
  Vector velocity(const Point& P, const Frame& A) const;
  Vector acceleration(const Point& P) const;
  Vector acceleration(const Point& P, const Frame& A) const;
  Vector partial_velocity(const Point& P, const std::string& speed) const;
  Vector partial_velocity(const Point& P, const std::string& speed, const Frame& A) const;
  Vector velocity_remainder(const Point& P) const;
  Vector velocity_remainder(const Point& P, const Frame& A) const;
  /// Velocity in N of the material point of C that is now at P.
  Vector velocity_on(const Point& P, const Frame& C) const;

  // ---- All coefficients at once, for equations

  const VectorMotion& angular_motion(const Frame& B) const;
  /// The angular velocity of B as coefficients of the speeds, with columns in B.
  const VectorMotion& body_motion(const Frame& B) const;
  const VectorMotion& point_motion(const Point& P) const;

  /// The derivative by time of a function of configuration and time, as coefficients of the speeds.
  ScalarMotion rate_of(const Expr& configuration) const;
  /// The definition of a declared speed in terms of rates and free speeds; UsageError when it has
  /// none.
  Expr speed_definition(const std::string& name) const;

  /// The derivative by time of a function of configuration, speeds and time with the speeds held:
  /// what is left of it without u'.
  Expr derivative_at_constant_speeds(const Expr& expr) const;
  /// How rates follow from speeds.
  const SpeedTable& table() const;
  /// The finished pool of what was analyzed; later stages build on top of it.
  const std::shared_ptr<ExprPool>& pool() const;

  /// Rows of motion constraints that are kept as conditions on the configuration, too.
  const std::vector<IntegratedRow>& integrated_rows() const;
  /// The same motion with such rows, whose positions were built in `pool`, on top of this motion's.
  Kinematics with_integrated_rows(std::vector<IntegratedRow> rows,
                                  std::shared_ptr<ExprPool> pool) const;

  /// An expression or vector of the model with its quantities of motion and rates replaced by
  /// speeds.
  Quantity resolve(const Quantity& scalar) const;
  Vector resolve(const Vector& v) const;

 private:
  friend Kinematics analyze_motion(const Model& model);
  friend MotionEngine& engine_of(const Kinematics& motion);
  struct Data;
  explicit Kinematics(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

/// The recursions behind a motion, in the pool where this thread builds; for equations that run them
/// backwards.
MotionEngine& engine_of(const Kinematics& motion);

/// The motion of a model, which is finished by this. ModelError when the speeds do not determine
/// the rates.
Kinematics analyze_motion(const Model& model);

}  // namespace visviva
