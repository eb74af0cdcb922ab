// ModelData: what a Model holds, as plain lists that later stages read.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/base/spline.h"
#include "visviva/base/table_function.h"
#include "visviva/model/continuum.h"
#include "visviva/model/frame.h"
#include "visviva/model/mesh.h"
#include "visviva/model/orientation.h"
#include "visviva/symbolic/core/shared_pool.h"

namespace visviva {

struct ParameterData {
  std::string name;
  Expr symbol;
  Dimension dimension;
  std::optional<Expr> value;
  Source source{};
};

struct SpecifiedData {
  std::string name;
  std::array<Expr, 4> derivatives;  // x, x', x'', x'''
  Dimension dimension;
  std::optional<Expr> definition;
  std::shared_ptr<const Spline> table{};  // instead of a definition
  std::string drives{};                   // the coordinate that follows it (Model::follow)
  Source source{};
};

/// A first-order state: an integrator, a filter, a current.
struct StateData {
  std::string name;
  Expr symbol;
  Dimension dimension;
  std::optional<Expr> start;  // of parameters; nothing: 0
  Expr law;                   // its rate; zero of one that is held
  bool is_held = false;       // changed by samples alone
  Source source{};
};

struct InputData {
  std::string name;
  Expr symbol;
  Dimension dimension;
  Expr value;
  Source source{};
  int state = -1;  // of one that samples change, its place among the states
};

/// What is done again and again at equal distances in time, from t = 0 on: held states and inputs get new values, made
/// of those just before.
struct SampleData {
  Expr period;                                // of parameters
  std::vector<std::pair<int, Expr>> changes;  // held states, and their new values
  Source source{};
};

/// An energy that is no mechanical one, such as that of a coil: the ledger shows its rate.
struct OtherEnergyData {
  std::string name;
  Expr value;
  Source source{};
};

/// How a start value was given.
struct StartNote {
  bool is_guess = false;   ///< `about`: it moves as defaults do
  bool is_change = false;  ///< a case or the command line gave it: it wins over what the model says
  SourceSpan span{};
};

struct CoordinateData {
  std::string name;
  Expr q;
  Expr rate;         // the symbol q'
  Expr second_rate;  // the symbol q''
  Dimension dimension;
  std::optional<Expr> start;
  std::optional<Expr> start_rate;
  StartNote start_note{}, start_rate_note{};
  int quaternion = -1;  // which group of four it belongs to
  int order = 0;        // place among all declarations
  Source source{};
};

struct SpeedData {
  std::string name;
  Expr u;
  Expr rate;  // the symbol u'
  Dimension dimension;
  std::optional<Expr> definition;  // nothing: a free speed
  std::optional<Expr> start;
  StartNote start_note{};
  int order = 0;
  Source source{};
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
  Source source{};
};

struct PointData {
  std::string name;
  int parent = -1;
  Vector offset;  // from the parent
  int home_frame =
      0;  // where its velocity is written: the deepest frame of the offset, else the parent's home
  Source source{};
};

/// What a body looks like.
struct SolidData {
  enum class Kind { none, sphere, shell, rod, cylinder, disc, box, capsule, ellipsoid };
  Kind kind = Kind::none;
  std::array<Expr, 3> sizes{};  // radius; length; three edges or semiaxes
  Axis axis = Axis::z;
};

/// A solid or mesh that is drawn with a frame and has no mass.
struct PictureData {
  std::string name;
  int frame = -1;
  int point = -1;
  Column3 offset;                      // of its middle from the point, in the frame
  Column3 turn;                        // angles about the frame's x, y, z in turn
  SolidData solid{};                   // or
  std::shared_ptr<const Mesh> mesh{};  // nothing where its file is missing
  Source source{};
};

struct BodyData {
  std::string name;
  int frame = -1;  // -1: a particle
  int point = -1;  // the mass center
  Expr mass;
  Matrix3 inertia;    // in the frame, about the mass center; unused for a particle
  SolidData solid{};  // its picture
  Source source{};
  int line = -1;  // that it is a piece of
};

/// A small displacement of something that a text names: three symbols along N for a point or a frame (a rotation), one
/// for a coordinate, a specified function or time.
struct VirtualData {
  enum class Kind { point, frame, coordinate, specified, time };
  Kind kind = Kind::point;
  int index = -1;  ///< in the list of its kind
  std::vector<Expr> symbols;
};

/// A law once more, with everything that its text names displaced: its slopes tell on what it acts, and how it
/// changes when a rigid motion is superposed. Not known (no virtuals) for laws built in C++.
struct Displaced {
  Expr scalar{};
  Vector vector{};
  std::vector<VirtualData> virtuals{};
};

/// A force at a point or a torque on a body, with its reaction where `from` is given.
struct ForceData {
  std::string name;
  bool is_torque = false;
  int point = -1;  // where a force acts
  int frame = -1;  // body that a torque acts on, or whose material point at `point` a force acts on
  int from_point = -1;  // where the opposite force acts
  int from_frame = -1;  // what the opposite torque acts on
  Vector value;
  Source source{};
  Displaced displaced{};
};

/// A spring or damper along the line between two points, or on a scalar of the configuration.
struct SpringData {
  std::string name;
  bool is_damper = false;
  int from = -1;
  int to = -1;
  Expr on;  // instead of two points
  Expr coefficient;
  Expr rest;  // springs
  Source source{};
};

/// A potential, or a dissipation.
struct EnergyData {
  std::string name;
  bool is_dissipation = false;
  Expr value;
  Source source{};
  int over = -1;  ///< the variable that it is an integral over: then it acts inside of lines
  Displaced displaced{};
};

/// Something that the text of a constraint names.
struct Mention {
  enum class Kind { point, frame, coordinate };
  Kind kind;
  int index;
};

/// A condition on configuration or motion: everything in it vanishes.
struct ConstraintData {
  enum class Kind { configuration, motion, roll, lock };
  std::string name;
  Kind kind = Kind::configuration;
  Expr scalar;            // of a scalar condition
  Vector vector;          // of a vector condition
  Dimension dimension;    // of what vanishes
  int body = -1;          // roll: the rolling frame
  int on = -1;            // roll: what it rolls on
  int point = -1;         // roll: the place of contact
  int coordinate = -1;    // lock, drive
  bool is_drive = false;  // a coordinate follows a function: its motor keeps it (Model::follow)
  Displaced displaced{};  // of a roll, the place of contact as seen from No
  std::vector<Mention>
      mentions{};  // in the order of the text; not known for conditions built in C++
  Source source{};
};

struct AuxiliaryData {
  std::string name;
  Expr symbol;
  Vector along;
  int point = -1;
  Source source{};
};

struct UnknownData {
  std::string name;
  Expr symbol;
  Dimension dimension;
  Source source{};
};

/// A scalar or vector that results show.
struct OutputData {
  std::string name;
  bool is_vector = false;
  Expr scalar;
  Vector vector;
  Dimension dimension;
  bool is_plot = false;
  bool is_abscissa = false;  ///< of plots: they are drawn over it
  std::string over{};        ///< plots: the output that is their abscissa; empty: time
  Source source{};
  std::string speed{};  // of a jacobian's column: results show it where the motion has that speed
};

/// A scalar or vector that a derivation is to write, in a frame where one is named.
struct ExpressedData {
  std::string written;  ///< without the frame
  bool is_vector = false;
  Expr scalar;
  Vector vector;
  int frame = -1;
};

struct EventData {
  std::string name;
  Expr value;  // the event is where this vanishes
  bool stop = false;
  Source source{};
};

/// Start values of quantities of motion: left = right at the start.
struct StartCondition {
  Expr scalar;    // left - right
  Vector vector;  // or the same for vectors
  Source source{};
  std::string name{};  // of what has the value, as it was written
  StartNote note{};
};

/// A function of scalars that nobody defined, or that a table gives values: it stays a function in equations.
struct FunctionData {
  std::string name;
  std::vector<std::string> parameters;
  Dimension dimension;
  std::vector<Dimension> parameter_dimensions;
  Source source{};
  bool is_used = false;
  std::shared_ptr<const TableFunction> table{};
  std::string file{};  ///< of the table, as the text names it
};

/// A path beside that of the motion: a coordinate or specified function plus e times `value`.
struct VariationData {
  std::string name;  // of the coordinate or specified function
  Expr path;         // its symbol
  Expr value;        // what it is varied by, along the motion; vanishes at both ends
  Dimension dimension;
  Source source{};
};

struct StudyData {
  std::optional<double> until, every, tolerance, energy;
};

/// What the author of a model says is true of it; commands prove or refute it.
struct ClaimData {
  enum class Kind { invariant, third_law, constant, holonomic, nonholonomic };
  Kind kind = Kind::constant;
  std::string
      subject;  ///< an interaction, a constraint, an integral such as E_Z or p_x, or an expression as written
  Expr value{};  ///< of what is constant; not valid where the name of an integral says it
  Dimension dimension{};
  bool is_for_these_values = false;  ///< constant for the model's values, if not for all
  Source source{};
};

/// A joint, gear or belt of a text, which declares frames, points and constraints: what it stands for.
struct JointData {
  std::string name;
  std::string kind;                     ///< pin, slider, ..., gear, belt
  std::vector<std::string> statements;  ///< as a user would write them
};

struct CaseData {
  std::string name;
  std::string documentation;
};

/// A vector of motion that stands in expressions as three symbols until analyze_motion derives it.
/// The names of its symbols say what it is: velocity(P, A).x.
struct MeasureData {
  enum class Kind {
    velocity,
    material_velocity,
    acceleration,
    angular_velocity,
    angular_acceleration,
    momentum,
    angular_momentum,  // about the point `frame`
    partial_velocity  // of a point, with `speed`; it stays a symbol where the motion has no such speed
  };
  Kind kind;
  int subject;  // a point, or the frame B of an angular quantity
  int frame;    // in which it is seen, or the body C of a material point
  int home;     // frame of the three symbols
  Column3 symbols;
  std::string speed{};
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
  measure,
  unknown,
  auxiliary,
  state,
  momentum,  // of a coordinate, p_theta; analyze_motion derives it
  result
};

struct SymbolRole {
  Role role;
  int index;  // in the list of that role; for specified_rate too; -1 for a measure
};

struct ModelData {
  std::string name;
  SharedPool pool;
  Expr time;
  std::vector<ParameterData> parameters;
  std::vector<SpecifiedData> specified;
  std::vector<InputData> inputs;
  std::vector<StateData> states;
  std::vector<SampleData> samples;
  std::vector<OtherEnergyData> other_energies;
  std::vector<CoordinateData> coordinates;
  std::vector<std::array<int, 4>> quaternions;  // coordinate indices
  std::vector<std::array<std::string, 4>> quaternion_names;
  std::vector<SpeedData> speeds;
  std::vector<FrameData> frames;
  std::vector<PointData> points;
  std::vector<BodyData> bodies;
  std::vector<FieldVariableData> field_variables;
  std::vector<FieldData> fields;
  std::vector<LineData> lines;
  std::vector<DistributedData> distributed;
  std::vector<PictureData> pictures;
  std::vector<UnknownData> unknowns;
  std::vector<FunctionData> functions;
  std::vector<AuxiliaryData> auxiliaries;
  std::optional<Vector> gravity;
  Source gravity_source;
  Displaced gravity_displaced;
  std::vector<ForceData> forces;
  std::vector<SpringData> springs;
  std::vector<EnergyData> energies;
  std::vector<ConstraintData> constraints;
  std::vector<Source> dependent_sources;  // one for each of `dependent`
  std::vector<Expr> dependent;            // speeds or rates, as the user wants them
  std::vector<StartCondition> start_conditions;
  std::vector<OutputData> outputs;
  std::vector<ExpressedData> expressed;
  std::vector<EventData> events;
  std::vector<ClaimData> claims;
  std::vector<VariationData> variations;
  StudyData study;
  std::vector<JointData> joints;
  std::vector<CaseData> cases;
  std::string case_name;  // the one that was applied; may be empty
  std::string documentation;
  std::unordered_map<std::string, int> frame_places, point_places;  // by name
  int declarations = 0;
  DimensionUnknowns dimensions;  // with the place of the declaration being read
  std::string here_documentation;

  Source source() const { return {dimensions.here, here_documentation}; }

  /// The role of a symbol; nullptr for one that the model does not know.
  const SymbolRole* role(const Expr& symbol) const;
  void set_role(const Expr& symbol, Role role, std::size_t index);
  /// What the symbol of a quantity of motion stands for; nothing for another symbol.
  std::optional<MeasureData> measure(const Expr& symbol) const;
  /// R_AB: turns B-columns into A-columns.
  Matrix3 rotation(int A, int B) const;
  /// True when a field has not been cut into elements: only its field equations can be derived.
  bool is_continuous() const;
  /// The point that moves with a frame: its body's mass center, or No.
  int frame_origin(int frame) const;

 private:
  std::unordered_map<Ref, SymbolRole> roles_;
};

}  // namespace visviva
