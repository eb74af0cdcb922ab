// Model: a mechanism as its user describes it. Roles are declared, positions are given, everything
// else is derived.
//
// The builder checks each declaration as it comes and throws UsageError naming the function and the
// offending name. What it built is read from data(). analyze_motion finishes the model: from then on
// it no longer changes, and declarations are refused.
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
  std::optional<Dimension>
      dimension{};        ///< when no start value tells it; inferred when nothing does
  bool is_guess = false;  ///< the start value may move, as a default may
};

/// How firm a start value is.
struct StartOptions {
  bool is_guess = false;   ///< it may move, as a default may
  bool is_change = false;  ///< it wins over the model's other start values
  std::string name{};      ///< of what a condition gives a value to, for messages
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

/// A homogeneous solid; the axis is that of a rod, cylinder, disc or capsule.
struct Solid {
  SolidData::Kind kind = SolidData::Kind::none;
  std::array<Quantity, 3> sizes{};  ///< radius; length; radius and length; three edges or semiaxes
  Axis axis = Axis::z;
};
Solid sphere(const Quantity& radius);
Solid shell(const Quantity& radius);
Solid rod(const Quantity& length, Axis along);
Solid cylinder(const Quantity& radius, const Quantity& length, Axis along);
Solid disc(const Quantity& radius, Axis along);
Solid box(const Quantity& x, const Quantity& y, const Quantity& z);
/// A cylinder of a length with half a ball at each end.
Solid capsule(const Quantity& radius, const Quantity& length, Axis along);
/// By its semiaxes.
Solid ellipsoid(const Quantity& x, const Quantity& y, const Quantity& z);
/// The inertia of a homogeneous solid about its mass center, along the body's axes.
Inertia solid_inertia(const Solid& solid, const Quantity& mass);

struct BodyOptions {
  Position at;  ///< the mass center
  Quantity mass;
  Inertia inertia{};  ///< or a solid
  Solid solid{};      ///< gives the inertia when that is all zero, and the picture
};

/// A solid or mesh that is drawn and has no mass.
struct PictureOptions {
  Frame frame;  ///< it moves with
  Position
      at;  ///< its middle, or a mesh's origin: a point, and an offset that is fixed in the frame
  std::array<Quantity, 3> turn{};  ///< angles about the frame's x, y, z in turn
  Solid solid{};                   ///< or
  std::shared_ptr<const Mesh> mesh{};
};

struct ForceOptions {
  Point on;                     ///< a particle, or a point fixed in a body
  std::optional<Frame> body{};  ///< the body whose material point at `on` it acts on
  std::optional<Point> from{};  ///< where the opposite force acts
  Vector value;
};

/// What a plot is drawn over.
struct Abscissa {
  std::string name;
  Quantity value;
};

struct TorqueOptions {
  Frame on;
  std::optional<Frame> from{};
  Vector value;
};

/// A spring between two points, or on a scalar of the configuration.
struct SpringOptions {
  std::optional<Point> from{}, to{};
  std::optional<Quantity> on{};
  Quantity stiffness;
  Quantity rest{};
};

struct DamperOptions {
  std::optional<Point> from{}, to{};
  std::optional<Quantity> on{};
  Quantity rate;
};

struct RollOptions {
  Frame body;
  Frame on;
  Position at;
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

  // Without value and dimension, the dimension is inferred from use; `define` gives the value
  // later.

  Quantity parameter(const std::string& name);
  Quantity parameter(const std::string& name, const Quantity& value);
  Quantity parameter(const std::string& name, const Dimension& dimension);
  /// A known function of time; name' and name'' follow.
  Quantity specified(const std::string& name);
  Quantity specified(const std::string& name, const Quantity& definition);
  Quantity specified(const std::string& name, const Dimension& dimension);
  Quantity input(const std::string& name);
  Quantity input(const std::string& name, const Quantity& value);
  /// A first-order state, which define_state() gives a law; or one that is held, and changed by samples.
  Quantity state(const std::string& name, bool is_held = false);
  /// Every `period`, from t = 0 on, the held states and inputs on the left get the values on the right, made of what is
  /// there just before.
  void sample(const Quantity& period, const std::vector<std::pair<Quantity, Quantity>>& changes);
  /// An energy that is no mechanical one, which the ledger lists.
  void other_energy(const std::string& name, const Quantity& value);
  /// Its rate, of anything that is known without accelerations and forces.
  void define_state(const Quantity& state, const Quantity& law);
  /// A force measure that nobody gave: it must drop out or be solved for.
  Quantity unknown(const std::string& name);
  /// A function of scalars without a definition, for derivations.
  void function(const std::string& name, const std::vector<std::string>& parameters);
  /// A function that a table gives values: the dimension of its values, and of those arguments that have one.
  void function(const std::string& name, const std::vector<std::string>& parameters,
                std::shared_ptr<const TableFunction> table, const Dimension& dimension,
                const std::vector<std::optional<Dimension>>& parameter_dimensions,
                const std::string& file = "");
  /// The value of such a function, or of its derivative by parameters (by their places), at these arguments. UsageError
  /// when there is no such function or the number of arguments is another.
  Quantity call(const std::string& function, const std::vector<Quantity>& arguments,
                const std::vector<std::size_t>& by = {});
  /// A dimension that its use will tell; messages name its owner.
  Dimension unknown_dimension(const std::string& owner) { return data_->dimensions.make(owner); }
  Quantity coordinate(const std::string& name, const CoordinateOptions& options = {});
  /// Four coordinates that stay on the unit sphere, for `quaternion` frames; scalar first.
  std::array<Quantity, 4> quaternion(const std::array<std::string, 4>& names,
                                     const std::array<double, 4>& start = {1.0, 0.0, 0.0, 0.0});
  /// A generalized speed defined by an expression linear in the rates.
  Quantity speed(const std::string& name, const Quantity& definition);
  /// A speed that owns no coordinate and appears in a `spin`.
  Quantity speed(const std::string& name);
  Quantity speed(const std::string& name, const Dimension& dimension);
  /// The value of a parameter or input, the definition of a specified function or of a speed.
  void define(const Quantity& scalar, const Quantity& value);
  /// A specified function by samples, each value times `unit`.
  void define(const Quantity& specified, std::shared_ptr<const Spline> table,
              const Dimension& dimension);
  /// Four names whose coordinates, when declared, will form a quaternion.
  void reserve_quaternion(const std::array<std::string, 4>& names);
  /// The start value of a speed, or of a coordinate's rate.
  void start(const Quantity& scalar, const Quantity& value, const StartOptions& options = {});
  /// q' of a coordinate, x' of a specified function, u' of a speed.
  Quantity rate(const Quantity& scalar) const;

  // ---- Geometry

  Frame frame(const std::string& name, const Orientation& orientation);
  Point point(const std::string& name, const Position& position);
  Point particle(const std::string& name, const ParticleOptions& options);
  /// The body that moves with `frame` and has its name; returns its mass center, the point
  /// `<name>cm`.
  Point body(const Frame& frame, const BodyOptions& options);
  /// What is drawn of a frame besides its body.
  void picture(const std::string& name, const PictureOptions& options);

  // ---- Fields and lines (continuum.h)

  // Fields first, then what holds them, then how they are cut into elements; whatever asks for a value of one comes after.

  Field field(const std::string& name, const FieldOptions& options);
  /// Holds a field, or its slope, at a place; the value may be a function of time.
  void fix(const Field& field, int slopes, const Quantity& place, const Quantity& value);
  void discretize(const Field& field, const DiscretizeOptions& options);
  /// A place on the interval of a variable. UsageError for one outside.
  FieldPlace place(const std::string& variable, const Quantity& x) const;
  /// The value of a field at a place: of its slope, and of their rates.
  Quantity value(const Field& field, const FieldPlace& place, int slopes = 0, int rates = 0);
  /// The nodes of a sum over the variable, in their order; exact for a density that is a polynomial there. A
  /// density that is continuous between elements has one node for both where they meet.
  std::vector<FieldNode> field_nodes(const std::string& variable,
                                     const std::function<Quantity(const FieldPlace&)>& density,
                                     bool is_continuous = false);
  void line(const std::string& name, const LineOptions& options);
  /// Energies per length. The density is asked for at places.
  void potential_over(const std::string& name, const std::string& variable,
                      const std::function<Quantity(const FieldPlace&)>& density);
  void dissipation_over(const std::string& name, const std::string& variable,
                        const std::function<Quantity(const FieldPlace&)>& density);
  /// Says that forces or torques declared already stand for one per length.
  void distribute(const std::string& name, const std::vector<std::string>& forces);
  /// The point of a line at a place that was given a point already; nothing where there is none.
  std::optional<Point> find_line_point(const std::string& line, const FieldPlace& place) const;
  /// The same, made where there is none.
  Point line_point(const std::string& line, const FieldPlace& place, const Position& at);

  // ---- Forces and energies

  /// Uniform gravity, which acts on every particle and body.
  void gravity(const Vector& acceleration);
  void force(const std::string& name, const ForceOptions& options);
  void torque(const std::string& name, const TorqueOptions& options);
  void spring(const std::string& name, const SpringOptions& options);
  void damper(const std::string& name, const DamperOptions& options);
  /// A potential energy: any function of configuration and time.
  void potential(const std::string& name, const Quantity& value);
  /// A dissipation: a Rayleigh function of the rates.
  void dissipation(const std::string& name, const Quantity& value);

  // ---- Constraints: what vanishes

  /// A constraint by a quantity that vanishes: of configuration, or of motion and then linear in
  /// the rates. An empty name gets a number.
  void constraint(const std::string& name, const Quantity& vanishing);
  void constraint(const std::string& name, const Vector& vanishing);
  /// What the text of the last constraint names, in its order.
  void mention(const std::vector<Mention>& mentions);
  void roll(const std::string& name, const RollOptions& options);
  /// Locks a coordinate: it keeps its start value.
  void lock(const Quantity& coordinate);
  /// Start values so far may move, as guesses may.
  void release_start();
  /// A coordinate moves along a curve over time in SI units, kept there by a motor between what it moves: the
  /// constraint that has its name. Start value and rate are those of the curve.
  void follow(const Quantity& coordinate, std::shared_ptr<const Spline> curve);
  void dependent(const Quantity& speed);
  void auxiliary(const std::string& name, const Vector& along, const Point& at);
  /// Gives a quantity of motion its value at the start: left - right vanishes there.
  void start_condition(const Quantity& vanishing, const StartOptions& options = {});
  void start_condition(const Vector& vanishing, const StartOptions& options = {});

  // ---- Laws written once more, with what they name displaced (Displaced)

  /// Symbols for a small displacement of a point, a small rotation of a frame, a small change of a coordinate, a
  /// specified function or time.
  VirtualData virtual_displacement(const Point& P);
  VirtualData virtual_rotation(const Frame& A);
  VirtualData virtual_change(const Quantity& scalar);
  /// The gravity, force or torque, potential or dissipation, constraint or roll declared last, displaced.
  void displace_gravity(const Displaced& displaced);
  void displace_force(const Displaced& displaced);
  void displace_energy(const Displaced& displaced);
  void displace_constraint(const Displaced& displaced);

  // ---- What results show

  /// A result by its name: K, E_Z and the other results that every model has.
  Quantity result(const std::string& name);
  /// The force of a constraint, roll or lock by name, or of a point, and its moment; components in N.
  Vector reaction(const std::string& name);
  Vector moment(const std::string& name);
  /// The force and the moment of an interaction (a force, spring, potential, constraint, specified motion or "gravity") on a
  /// part: a body, particle, frame or point by name.
  Vector force_on(const std::string& interaction, const std::string& part);
  Vector moment_on(const std::string& interaction, const std::string& part);
  /// A scalar that derivations write out.
  void express(const std::string& written, const Quantity& value);
  /// A vector that derivations write out by components in a frame; without one, in the shortest.
  void express(const std::string& written, const Vector& value, const std::optional<Frame>& in);
  /// The momentum p_theta of a coordinate, dK/dtheta'; UsageError for an Euler parameter.
  Quantity momentum(const std::string& coordinate);
  /// The multiplier of a scalar constraint or lock; UsageError for others.
  Quantity multiplier(const std::string& constraint);
  /// The multipliers of a vector constraint or roll, as a vector; UsageError for others.
  Vector multipliers(const std::string& constraint);
  /// Force or torque of the motor of a specified function.
  Quantity motor(const std::string& specified);
  void output(const std::string& name, const Quantity& value, bool plot = false);
  void output(const std::string& name, const Vector& value, bool plot = false);
  /// An output that is plotted over another quantity, which becomes an output too.
  void plot(const std::string& name, const Quantity& value, const Abscissa& over);
  void plot(const std::string& name, const Vector& value, const Abscissa& over);
  /// Results show the last output only where the motion has this speed.
  void show_with_speed(const std::string& speed);
  void event(const std::string& name, const Quantity& vanishing, bool stop);
  /// Varies the path of a coordinate or specified function: path + e variation is compared with it.
  void vary(const Quantity& path, const Quantity& variation);
  void study(const StudyData& study);
  /// Says that something is true of the model. UsageError when there is no such interaction or constraint.
  void claim(ClaimData::Kind kind, const std::string& subject, bool is_for_these_values = false);
  void add_joint(const JointData& joint);
  /// Claims that a scalar is constant along every motion; it may mention what output() may.
  void claim_constant(const std::string& written, const Quantity& value,
                      bool is_for_these_values = false);
  void add_case(const CaseData& listed);
  void set_case(const std::string& name);
  void document(const std::string& text);

  /// Sets the place in a text, and the author's words, for the declarations that follow.
  void set_source(const SourceSpan& span, const std::string& documentation);

  std::optional<Frame> find_frame(const std::string& name) const;
  std::optional<Point> find_point(const std::string& name) const;

  const ModelData& data() const { return *data_.share(); }
  std::shared_ptr<const ModelData> share() const { return data_.share(); }

 private:
  // The lists of the model, which change until it is finished: UsageError afterwards.
  class Draft {
   public:
    Draft() : data_(std::make_shared<ModelData>()) {}
    ModelData& operator*();
    ModelData* operator->() { return &**this; }
    const ModelData& operator*() const { return *data_; }
    const ModelData* operator->() const { return data_.get(); }
    std::shared_ptr<const ModelData> share() const { return data_; }

   private:
    std::shared_ptr<ModelData> data_;
  };
  /// The integral of a density over a variable.
  Quantity integrate(const std::string& name, const std::string& variable,
                     const std::function<Quantity(const FieldPlace&)>& density,
                     const Dimension& wanted);
  void add_abscissa(const Abscissa& over);
  Draft data_;
};

// ---- Quantities of motion in a model: they stand for what analyze_motion will derive

/// The velocity of P in A (default N). A's own origin is its body's mass center, or No when it has
/// no body.
Vector velocity(const Point& P);
Vector velocity(const Point& P, const Frame& A);
/// The part of the velocity of P in N that a unit of a speed makes; `dimension` is that of the speed.
Vector partial_velocity(const Point& P, const std::string& speed, const Dimension& dimension);
/// The velocity in N of the material point of C that is now at P, distinct from the velocity of the
/// geometric point P.
Vector velocity_on(const Point& P, const Frame& C);
Vector acceleration(const Point& P);
Vector angular_velocity(const Frame& B);
Vector angular_velocity(const Frame& B, const Frame& A);
Vector angular_acceleration(const Frame& B);
/// The linear momentum of a particle or body by the point of its mass center, and its angular
/// momentum about P.
Vector momentum(const Point& center);
Vector angular_momentum(const Point& center, const Point& P);
/// The force of a constraint, roll or lock by name, or of a point; components in N.
inline Vector reaction(Model& model, const std::string& name) { return model.reaction(name); }
}  // namespace visviva
