// ModelData: what a Model holds, as plain lists that later stages read.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/model/frame.h"
#include "visviva/model/orientation.h"
#include "visviva/symbolic/pool.h"

namespace visviva {

struct ParameterData {
  std::string name;
  Expr symbol;
  Dimension dimension;
  std::optional<Expr> value;
};

struct SpecifiedData {
  std::string name;
  std::array<Expr, 4> derivatives;  // x, x', x'', x'''
  Dimension dimension;
  std::optional<Expr> definition;
};

struct InputData {
  std::string name;
  Expr symbol;
  Dimension dimension;
  Expr value;
};

struct CoordinateData {
  std::string name;
  Expr q;
  Expr rate;         // the symbol q'
  Expr second_rate;  // the symbol q''
  Dimension dimension;
  std::optional<Expr> start;
  std::optional<Expr> start_rate;
  int quaternion = -1;  // which group of four it belongs to
  int order = 0;        // place among all declarations
};

struct SpeedData {
  std::string name;
  Expr u;
  Expr rate;  // the symbol u'
  Dimension dimension;
  std::optional<Expr> definition;  // nothing: a free speed
  std::optional<Expr> start;
  int order = 0;
};

struct FrameData {
  std::string name;
  int parent = -1;
  int depth = 0;
  Orientation orientation;
  Matrix3 R_PB;                       // B-columns into parent columns
  std::vector<Expr> hidden;           // of a spin frame: one angle or four Euler parameters
  std::optional<Column3> fixed_axis;  // of a simple rotation or a simple spin, the unit axis
  int body = -1;
  int order = 0;
};

struct PointData {
  std::string name;
  int parent = -1;
  Vector offset;  // from the parent
  int home_frame =
      0;  // where its velocity is written: the deepest frame of the offset, else the parent's home
};

struct BodyData {
  std::string name;
  int frame = -1;  // -1: a particle
  int point = -1;  // the mass center
  Expr mass;
  Matrix3 inertia;  // in the frame, about the mass center; unused for a particle
};

/// A vector of motion that stands in expressions as three symbols until analyze_motion derives it.
struct MeasureData {
  enum class Kind {
    velocity,
    material_velocity,
    acceleration,
    angular_velocity,
    angular_acceleration
  };
  Kind kind;
  int subject;  // a point, or the frame B of an angular quantity
  int frame;    // in which it is seen, or the body C of a material point
  int home;     // frame of the three symbols
  Column3 symbols;
};

enum class Role {
  parameter,
  specified,
  specified_rate,
  input,
  coordinate,
  rate,
  second_rate,
  speed,
  speed_rate,
  time,
  hidden,
  measure
};

struct SymbolRole {
  Role role;
  int index;  // in the list of that role; for specified_rate too
};

struct ModelData {
  std::string name;
  std::shared_ptr<ExprPool> pool = std::make_shared<ExprPool>();
  Expr time;
  std::vector<ParameterData> parameters;
  std::vector<SpecifiedData> specified;
  std::vector<InputData> inputs;
  std::vector<CoordinateData> coordinates;
  std::vector<std::array<int, 4>> quaternions;  // coordinate indices
  std::vector<SpeedData> speeds;
  std::vector<FrameData> frames;
  std::vector<PointData> points;
  std::vector<BodyData> bodies;
  std::vector<MeasureData> measures;
  int declarations = 0;

  /// The role of a symbol; nullptr for one that the model does not know.
  const SymbolRole* role(const Expr& symbol) const;
  void set_role(const Expr& symbol, Role role, std::size_t index);
  /// R_CB for an ancestor C of B; remembered.
  const Matrix3& ancestor_rotation(int C, int B);
  Matrix3 rotation(int A, int B);
  /// The point that moves with a frame: its body's mass center, or No.
  int frame_origin(int frame) const;

 private:
  std::unordered_map<Ref, SymbolRole> roles_;
  std::map<std::pair<int, int>, Matrix3> rotations_;
};

}  // namespace visviva
