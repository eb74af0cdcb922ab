// Model: a mechanism as its user describes it. Roles are declared, positions are given, everything
// else is derived.
//
// The builder checks each declaration as it comes and throws UsageError naming the function and the
// offending name. What it built is read from data(); later stages never change it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/model/frame.h"
#include "visviva/model/model_data.h"
#include "visviva/model/orientation.h"

namespace visviva {

struct CoordinateOptions {
  std::optional<Quantity> start{};
  std::optional<Quantity> start_rate{};
  Dimension dimension{};  ///< used when no start value tells it
};

struct ParticleOptions {
  Position at;
  Quantity mass;
};

/// Entries of the inertia matrix in the body's frame about its mass center; Ixy = -sum(m x y).
struct Inertia {
  Quantity xx, yy, zz;
  Quantity xy{}, yz{}, zx{};
};

struct BodyOptions {
  Position at;  ///< the mass center
  Quantity mass;
  Inertia inertia;
};

class Model {
 public:
  explicit Model(const std::string& name);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;

  const std::string& name() const { return data_->name; }
  Frame newtonian() const;
  Quantity time() const;
  /// A number that can be used where functions need an expression: sin(model.constant(30 * deg)).
  Quantity constant(const Quantity& number) const;

  // ---- Scalars

  Quantity parameter(const std::string& name, const Quantity& value);
  Quantity parameter(const std::string& name, const Dimension& dimension);
  /// A known function of time; name' and name'' follow.
  Quantity specified(const std::string& name, const Quantity& definition);
  Quantity specified(const std::string& name, const Dimension& dimension);
  Quantity input(const std::string& name, const Quantity& value);
  Quantity coordinate(const std::string& name, const CoordinateOptions& options = {});
  /// Four coordinates that stay on the unit sphere, for `quaternion` frames; scalar first.
  std::array<Quantity, 4> quaternion(const std::array<std::string, 4>& names,
                                     const std::array<double, 4>& start = {1.0, 0.0, 0.0, 0.0});
  /// A generalized speed defined by an expression linear in the rates.
  Quantity speed(const std::string& name, const Quantity& definition);
  /// A speed that owns no coordinate and appears in a `spin`.
  Quantity speed(const std::string& name, const Dimension& dimension);
  /// The start value of a speed, or of a coordinate's rate.
  void start(const Quantity& scalar, const Quantity& value);
  /// q' of a coordinate, x' of a specified function, u' of a speed.
  Quantity rate(const Quantity& scalar) const;

  // ---- Geometry

  Frame frame(const std::string& name, const Orientation& orientation);
  Point point(const std::string& name, const Position& position);
  Point particle(const std::string& name, const ParticleOptions& options);
  /// The body that moves with `frame` and has its name; returns its mass center, the point
  /// `<name>cm`.
  Point body(const Frame& frame, const BodyOptions& options);

  const ModelData& data() const { return *data_; }
  std::shared_ptr<const ModelData> share() const { return data_; }

 private:
  std::shared_ptr<ModelData> data_;
};

// ---- Quantities of motion in a model: they stand for what analyze_motion will derive

/// Velocity of P in A (default N). A's own origin is its body's mass center, or No when it has no
/// body.
Vector velocity(const Point& P);
Vector velocity(const Point& P, const Frame& A);
/// Velocity in N of the material point of C that is now at P, distinct from the velocity of the
/// geometric point P.
Vector velocity_on(const Point& P, const Frame& C);
Vector acceleration(const Point& P);
Vector angular_velocity(const Frame& B);
Vector angular_velocity(const Frame& B, const Frame& A);
Vector angular_acceleration(const Frame& B);

}  // namespace visviva
