#include "visviva/kinematics/check_model.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "visviva/base/words.h"
#include "visviva/kinematics/potential_jump.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/model/field_values.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

class Checker {
 public:
  Checker(const Kinematics& motion, const ConsistentStart& start)
      : motion_(motion), model_(motion.model()), start_(start), state_(make_start_state(model_)) {}

  std::vector<Diagnostic> run() {
    found_ = motion_.warnings();
    check_values();
    check_bodies();
    check_connections();
    check_forces();
    check_constraints();
    check_start();
    check_ground_reaction();
    check_use();
    return std::move(found_);
  }

 private:
  void report(Severity severity, const std::string& code, const std::string& message,
              const std::string& help, const Source& source) {
    found_.push_back({severity, code, message, help, source.span});
  }
  void error(const std::string& code, const std::string& message, const std::string& help,
             const Source& source) {
    report(Severity::error, code, message, help, source);
  }
  void warn(const std::string& code, const std::string& message, const std::string& help,
            const Source& source) {
    report(Severity::warning, code, message, help, source);
  }

  bool has_value(const Expr& e) const {
    if (!undefined_functions({e}).empty()) return false;
    for (const Expr& s : free_symbols(e)) {
      for (const std::string& name : state_.missing) {
        if (s.home().symbol_name(s.ref()) == name) return false;
      }
    }
    return true;
  }
  double value(const Expr& e) const { return state_.value(e); }

  // ---- Values

  void check_values() {
    for (const ParameterData& p : model_.parameters) {
      if (p.value && has_value(*p.value) && !std::isfinite(value(p.symbol)))
        error("E-value-domain", "the value of '" + p.name + "' is not a finite number",
              "look for the root or logarithm of something negative, or a division by zero",
              p.source);
    }
    for (const auto& group : model_.quaternions) {
      double norm = 0;
      for (const int c : group) norm += std::fabs(value(model_.coordinates[c].q));
      const CoordinateData& first = model_.coordinates[group[0]];
      if (!(norm > 0))
        error("E-quaternion-zero",
              "the quaternion that starts with '" + first.name +
                  "' has only zeros as start values, which is no orientation",
              "start at " + first.name + " = 1, or leave the start values out", first.source);
    }
  }

  // ---- Masses and inertias

  void check_bodies() {
    for (const BodyData& body : model_.bodies) {
      const std::string who =
          std::string(body.frame < 0 ? "the particle '" : "the body '") + body.name + "'";
      if (body.line >= 0 && body.frame >= 0) continue;  // a section has one moment of inertia
      if (has_value(body.mass) && value(body.mass) < 0) {
        error("E-mass-negative", fmt::format("the mass of {} is {:.6g} kg", who, value(body.mass)),
              "a mass is positive, or zero", body.source);
      } else if (body.frame >= 0) {
        check_inertia(body, who);  // of a negative mass it is negative too
      }
      check_sizes(body, who);
      if (body.line < 0 && is_point_still(body.point) && is_frame_still(body.frame))
        warn("W-body-free", who + " does not move: no coordinate, speed or given motion reaches it",
             "", body.source);
    }
  }

  // ---- What connects bodies: speeds that two of them share, or that a force, spring, potential or
  // constraint knows

  using Speeds = std::set<int>;

  static void add(Speeds& sum, const VectorMotion& v) {
    for (const auto& entry : v.coefficients) sum.insert(entry.first);
  }
  static void add(Speeds& sum, const ScalarMotion& v) {
    for (const auto& entry : v.coefficients) sum.insert(entry.first);
  }
  void add_point(Speeds& sum, int point) const {
    if (point >= 0) add(sum, motion_.point_motion(Point(model_, point)));
  }
  void add_frame(Speeds& sum, int frame) const {
    if (frame >= 0) add(sum, motion_.body_motion(Frame(model_, frame)));
  }

  Speeds find_loaded_speeds() const {
    Speeds loaded;
    for (const ForceData& f : model_.forces) {
      for (const int point : {f.point, f.from_point}) add_point(loaded, point);
      for (const int frame : {f.frame, f.from_frame}) add_frame(loaded, frame);
    }
    for (const SpringData& s : model_.springs) {
      for (const int point : {s.from, s.to}) add_point(loaded, point);
      if (s.on.valid()) add(loaded, motion_.rate_of(s.on));
    }
    for (const EnergyData& e : model_.energies) {
      const Expr value = motion_.resolve(Quantity(e.value, Dimension())).expr();
      add(loaded, motion_.rate_of(value));
      for (std::size_t r = 0; r < motion_.speeds().size(); ++r) {
        if (depends_on(value, motion_.speeds()[r].u)) loaded.insert(static_cast<int>(r));
      }
    }
    for (const ConstraintRow& row : make_constraint_rows(motion_)) add(loaded, row.velocity);
    return loaded;
  }

  void check_connections() {
    if (model_.bodies.size() < 2) return;
    std::vector<Speeds> moved;
    std::map<int, int> users;
    for (const BodyData& body : model_.bodies) {
      Speeds speeds;
      add_point(speeds, body.point);
      add_frame(speeds, body.frame);
      for (const int r : speeds) ++users[r];
      moved.push_back(std::move(speeds));
    }
    // What is driven has no speeds; one body that moves beside it is connected to it by its place.
    if (std::count_if(moved.begin(), moved.end(),
                      [](const Speeds& speeds) { return !speeds.empty(); }) < 2)
      return;
    const Speeds loaded = find_loaded_speeds();
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const bool alone = !moved[i].empty() &&
                         std::all_of(moved[i].begin(), moved[i].end(),
                                     [&](int r) { return users[r] == 1 && loaded.count(r) == 0; });
      if (!alone) continue;
      warn("W-body-free",
           "nothing connects '" + model_.bodies[i].name + "' to the rest of the model",
           "no other body shares its motion, and no force, spring or constraint acts on it",
           model_.bodies[i].source);
    }
  }

  void check_sizes(const BodyData& body, const std::string& who) {
    using Kind = SolidData::Kind;
    const Kind kind = body.solid.kind;
    const std::size_t count = kind == Kind::none                                ? 0
                              : kind == Kind::box || kind == Kind::ellipsoid    ? 3
                              : kind == Kind::cylinder || kind == Kind::capsule ? 2
                                                                                : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Expr& size = body.solid.sizes[i];
      if (has_value(size) && !(value(size) > 0))
        error("E-solid-size", fmt::format("a size of {} is {:.6g} m", who, value(size)),
              "radius, length and edges are more than 0", body.source);
    }
  }

  void check_inertia(const BodyData& body, const std::string& who) {
    Eigen::MatrixXd I(3, 3);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Expr& e = body.inertia[i][j];
        if (!has_value(e)) return;
        I(i, j) = value(e);
      }
    }
    const Eigen::VectorXd p = compute_symmetric_eigen(I).values;
    const double slack = 1e-9 * p.cwiseAbs().maxCoeff();
    const std::string principal = fmt::format("{:.6g}, {:.6g}, {:.6g} kg*m^2", p(0), p(1), p(2));
    if (p(0) < -slack) {
      error("E-inertia-negative", who + " has a negative principal moment of inertia: " + principal,
            "products of inertia are entries of the matrix: Ixy = -sum(m x y)", body.source);
    } else if (p(2) > p(0) + p(1) + slack) {
      error("E-inertia-triangle",
            who +
                " cannot exist: one principal moment of inertia is larger than the sum of the "
                "others: " +
                principal,
            "moments are about the mass center, along the body's axes; those about axes that the "
            "body never turns about may be anything that can exist, such as J/2, J/2, J",
            body.source);
    }
  }

  // ---- Forces

  // A particle, a point fixed in a body, or one fixed in N.
  bool is_material(const Point& P) const {
    for (const BodyData& body : model_.bodies) {
      if (body.point == P.index()) return true;
    }
    // What no speed moves is the ground, or is held by a motor.
    if (motion_.point_motion(P).coefficients.empty()) return true;
    const Vector v = motion_.velocity(P);
    for (const BodyData& body : model_.bodies) {
      if (body.frame >= 0 && v == motion_.velocity_on(P, Frame(model_, body.frame))) return true;
    }
    return false;
  }

  void require_material(int point, const std::string& what, const Source& source) {
    const Point P(model_, point);
    if (is_material(P)) return;
    error("E-force-place",
          what + " acts at '" + P.name() + "', which is neither a particle nor fixed in a body",
          "write: on BODY at " + P.name() + ", for the material point that is there now", source);
  }

  // Whether neither a speed nor a given motion moves it, or there is none.
  bool is_point_still(int point) const {
    return point < 0 || is_still(motion_.point_motion(Point(model_, point)));
  }
  bool is_frame_still(int frame) const {
    return frame < 0 || is_still(motion_.body_motion(Frame(model_, frame)));
  }
  static bool is_still(const VectorMotion& v) {
    return v.coefficients.empty() && is_zero(v.remainder);
  }

  // What acts on the ground alone moves nothing: often the other end was meant.
  void check_ground(const ForceData& f, const std::string& what) {
    if (f.is_torque) {
      const int body = f.frame < 0 ? -1 : model_.frames[static_cast<std::size_t>(f.frame)].body;
      if (body >= 0 && model_.bodies[static_cast<std::size_t>(body)].line >= 0) return;
      if (is_frame_still(f.frame) && is_frame_still(f.from_frame))
        warn("W-force-ground", what + " acts on the ground, which does not move: it does nothing",
             "let it act on a body, as in: torque " + f.name + " on BODY = ...", f.source);
      return;
    }
    // A body's material point stays where the body does; `point` may only pass by.
    const bool is_still = f.frame < 0 ? is_point_still(f.point) : is_body_still(f.frame);
    if (!is_still || !is_point_still(f.from_point) || is_in_evidence(f.point)) return;
    if (is_on_line(model_, f.point)) return;  // a piece of a load per length where the line is held
    const std::string place = f.frame < 0
                                  ? "'" + Point(model_, f.point).name() + "', a point of the ground"
                                  : "'" + Frame(model_, f.frame).name() + "'";
    warn("W-force-ground", what + " acts on " + place + ", which does not move: it does nothing",
         "let it act on a particle or a body, as in: force " + f.name + " on P = ...", f.source);
  }

  // An auxiliary speed moves the point in thought, so that the force there is in an equation.
  bool is_in_evidence(int point) const {
    return std::any_of(model_.auxiliaries.begin(), model_.auxiliaries.end(),
                       [&](const AuxiliaryData& a) { return a.point == point; });
  }

  // A frame that does not turn may still move by its origin, where a body has it.
  bool is_body_still(int frame) const {
    if (!is_frame_still(frame)) return false;
    return std::all_of(model_.bodies.begin(), model_.bodies.end(), [&](const BodyData& body) {
      return body.frame != frame || is_point_still(body.point);
    });
  }

  // Where the line of action is not defined at the start.
  void check_length(const SpringData& s, const std::string& what) {
    if (!s.is_damper && s.rest.is_zero()) return;
    const Vector line = Point(model_, s.to) - Point(model_, s.from);
    double length = 0;
    for (const Expr& e : line.in(Frame(model_, 0))) {
      if (!has_value(e)) return;
      length += std::fabs(value(e));
    }
    if (length > 0) return;
    warn("W-spring-no-length",
         "the ends of " + what + " coincide at the start: it has no direction there",
         "start elsewhere, or let it act on a coordinate", s.source);
  }

  void check_forces() {
    for (const ForceData& f : model_.forces) {
      const std::string what =
          std::string(f.is_torque ? "the torque '" : "the force '") + f.name + "'";
      check_ground(f, what);
      if (f.is_torque) continue;
      if (f.frame < 0) require_material(f.point, what, f.source);
      if (f.from_point < 0) continue;
      require_material(f.from_point, "the reaction of " + what, f.source);
      const Vector line = Point(model_, f.point) - Point(model_, f.from_point);
      if (!cross(line, motion_.resolve(f.value)).is_zero()) {
        warn("W-force-couple",
             what + " is not along the line between '" + Point(model_, f.point).name() + "' and '" +
                 Point(model_, f.from_point).name() + "': the pair leaves a couple",
             "use unit(Q - P), or a torque for the couple", f.source);
      }
    }
    for (const SpringData& s : model_.springs) {
      if (s.from < 0) continue;
      const std::string what =
          std::string(s.is_damper ? "the damper '" : "the spring '") + s.name + "'";
      check_length(s, what);
      if (is_point_still(s.from) && is_point_still(s.to))
        warn("W-force-ground", what + " has both ends on the ground: it does nothing",
             "let one end be a particle or a point of a body", s.source);
    }
    for (const EnergyData& e : model_.energies) {
      if (e.is_dissipation) continue;
      const std::optional<Expr> jump = find_potential_jump(model_, state_, e.value);
      if (!jump) continue;
      error("E-potential-jump",
            "the potential '" + e.name + "' jumps where " + print(*jump) +
                " = 0: its force there is an impulse",
            "write a function without a jump, such as tanh(x/a) with a short length a", e.source);
    }
  }

  // ---- Constraints and start

  Source source_of_constraint(const std::string& name) const {
    for (const ConstraintData& c : model_.constraints) {
      if (c.name == name) return c.source;
    }
    return {};
  }

  // In a plane, some rows of a joint that closes a loop always hold.
  bool is_of_joint(const std::string& constraint) const {
    const std::string head = "constraint " + constraint + ": ";
    const auto declares = [&](const std::string& s) { return s.starts_with(head); };
    return std::any_of(model_.joints.begin(), model_.joints.end(), [&](const JointData& j) {
      return std::any_of(j.statements.begin(), j.statements.end(), declares);
    });
  }

  void check_constraints() {
    for (const ConstraintData& c : model_.constraints) {
      const bool equation =
          c.kind == ConstraintData::Kind::configuration || c.kind == ConstraintData::Kind::motion;
      if (equation && !is_of_joint(c.name) &&
          (c.scalar.valid() ? c.scalar.is_zero() : c.vector.is_zero()))
        warn("W-constraint-trivial", "the constraint '" + c.name + "' always holds",
             "it changes nothing; remove it", c.source);
    }
    check_dependent();
    if (start_.contradiction.empty()) {
      for (const std::string& name : start_.redundant) {
        warn("W-constraint-redundant",
             "the constraint '" + name + "' adds nothing to those before it",
             "it is accepted; its reaction is not determined alone", source_of_constraint(name));
      }
      return;
    }
    std::string names;
    for (const std::string& name : start_.contradiction)
      names += (names.empty() ? "'" : ", '") + name + "'";
    const bool one = start_.contradiction.size() == 1;
    error("E-constraint-contradictory",
          one ? "the constraint " + names + " cannot hold near the start values"
              : "these constraints cannot hold together near the start values: " + names,
          "change a constraint, or start nearer to a configuration that satisfies them",
          source_of_constraint(start_.contradiction.front()));
  }

  void check_dependent() {
    const std::size_t count = model_.dependent.size();
    if (count == 0 || !start_.contradiction.empty()) return;
    if (count != static_cast<std::size_t>(start_.rank)) {
      error("E-dependent-count",
            fmt::format("{} speed(s) are to be dependent; expected {}, as many as independent "
                        "constraints",
                        count, start_.rank),
            "leave `dependent` out for a choice that fits", model_.dependent_sources.back());
    } else if (start_.is_dependent_singular) {
      error("E-dependent-singular", "the constraints do not determine the dependent speeds",
            "choose speeds that appear in the constraints, or leave `dependent` out",
            model_.dependent_sources.front());
    }
  }

  void check_start() {
    check_tables();
    if (start_.is_singular) {
      warn("W-start-singular",
           "the start configuration is singular: the constraints restrain fewer motions there than "
           "nearby",
           "start elsewhere, or check how many degrees of freedom are meant",
           model_.constraints.front().source);
    }
    check_start_values();
    if (start_.contradiction.empty() && start_.start_contradiction.empty()) {
      for (const StartChange& c : start_.changes) report_change(c);
    }
    for (const std::string& name : start_.massless) {
      warn("W-massless-direction", "nothing with mass moves in the direction of '" + name + "'",
           "its acceleration is not determined: give what moves there a mass or an inertia, `lock` "
           "the coordinate, or leave it out; a thin rod has no inertia about its own axis, and a "
           "link without mass is a frame and points, without a body",
           source_of_scalar(name));
    }
    for (const std::string& name : start_.poles) {
      warn(
          "W-massless-direction",
          "at the start nothing with mass moves in the direction of '" + name + "'",
          "its acceleration is not determined there, and beside it is: the coordinates have a pole "
          "at the start, as angles have; start beside it, or choose others, such as a quaternion, "
          "or x and y",
          source_of_scalar(name));
    }
  }

  // Without a value at the start nothing can be computed there.
  void check_tables() {
    for (const SpecifiedData& s : model_.specified) {
      if (s.table == nullptr || s.table->covers(0.0)) continue;
      error("E-table-range",
            fmt::format(
                "the table of '{}' goes from t = {:.6g} s to {:.6g} s and has no value at the "
                "start, t = 0",
                s.name, s.table->first(), s.table->last()),
            "give it more rows, or say what it is outside of them: `hold` or `periodic`", s.source);
    }
  }

  void check_start_values() {
    const std::vector<std::string>& names = start_.start_contradiction;
    if (names.empty()) return;
    const std::string list =
        join_each(names, [](const std::string& name) { return "'" + name + "'"; });
    error("E-start-inconsistent",
          names.size() == 1 ? "no speeds of this model give " + list + " its start value"
                            : "no speeds satisfy these start values together: " + list,
          names.size() == 1 ? "change the value to one that the mechanism can have"
                            : "change or leave out one of them",
          {start_.start_contradiction_span, ""});
  }

  // A guess is there to be moved.
  void report_change(const StartChange& c) {
    using Cause = StartChange::Cause;
    if (c.was_guess || (!c.was_given && c.cause == Cause::quaternion)) return;
    const bool is_constrained = c.cause == Cause::constraints;
    const std::string why = is_constrained                 ? "satisfy the constraints"
                            : c.cause == Cause::quaternion ? "normalise its quaternion"
                                                           : "agree with the values set later";
    warn("W-start-changed",
         fmt::format("the start value of '{}' was changed from {:.6g} to {:.6g} to {}", c.name,
                     c.from, c.to, why),
         c.was_given && is_constrained ? "it was given; the values left open could not do it alone"
                                       : "",
         {c.span, ""});
  }

  Source source_of_scalar(const std::string& name) const {
    for (const CoordinateData& c : model_.coordinates) {
      if (c.name == name || c.name + "'" == name) return c.source;
    }
    for (const SpeedData& s : model_.speeds) {
      if (s.name == name) return s.source;
    }
    return {};
  }

  // ---- What is asked for

  // The points defined from No on which something with mass hangs.
  std::set<int> find_ground_branches() const {
    std::set<int> branches;
    for (const BodyData& body : model_.bodies) {
      int P = body.point;
      while (P > 0 && model_.points[P].parent > 0) P = model_.points[P].parent;
      // All pieces of a line hang where it does.
      if (const int line = find_line_of(model_, P); line >= 0) P = model_.lines[line].points[0];
      if (P > 0) branches.insert(P);
    }
    return branches;
  }

  // Something that turns is placed beside No, as in No + d*N.x - L*A.y: its bearing has no name.
  bool hides_bearing(int P) const {
    bool is_fixed = false, is_turning = false;
    for (const Vector::Part& part : model_.points[P].offset.parts())
      (part.frame == 0 ? is_fixed : is_turning) = true;
    return is_fixed && is_turning;
  }

  void check_ground_reaction() {
    const auto is_asked = [](const Expr& s) {
      const std::string& name = s.home().symbol_name(s.ref());
      return name.starts_with("reaction(No)") || name.starts_with("moment(No)");
    };
    const std::set<int> branches = find_ground_branches();
    const bool is_hidden =
        std::any_of(branches.begin(), branches.end(), [&](int P) { return hides_bearing(P); });
    if (branches.size() < 2 && !is_hidden) return;
    for (const OutputData& o : model_.outputs) {
      std::vector<Expr> inside;
      if (o.scalar.valid()) inside = free_symbols(o.scalar);
      for (const Vector::Part& part : o.vector.parts()) {
        for (const Expr& s : free_symbols({part.column[0], part.column[1], part.column[2]}))
          inside.push_back(s);
      }
      if (!std::any_of(inside.begin(), inside.end(), is_asked)) continue;
      const std::string names =
          join_each(branches, [&](int P) { return "'" + model_.points[P].name + "'"; });
      return warn(
          "W-reaction-sum",
          "'" + o.name + "' is the sum over everything that hangs on the ground: " + names +
              "; its moment is about No",
          "for one bearing make it a point, `point H = No + d*N.x`, define what hangs there "
          "from H, and ask for reaction(H)",
          o.source);
    }
  }

  // ---- What nothing uses

  void use(const Expr& e) {
    if (!e.valid()) return;
    for (const Expr& s : free_symbols(e)) used_.insert(s.ref());
  }
  void use(const Vector& v) {
    for (const Vector::Part& part : v.parts()) {
      for (const Expr& e : part.column) use(e);
    }
  }

  void collect_use() {
    for (const ParameterData& p : model_.parameters) {
      if (p.value) use(*p.value);
    }
    for (const SpecifiedData& s : model_.specified) {
      if (s.definition) use(*s.definition);
    }
    for (const SpeedData& s : model_.speeds) {
      if (s.definition) use(*s.definition);
      if (s.start) use(*s.start);
    }
    for (const CoordinateData& c : model_.coordinates) {
      if (c.start) use(*c.start);
      if (c.start_rate) use(*c.start_rate);
    }
    for (const FrameData& f : model_.frames) {
      for (const Quantity& q : f.orientation.parameters) {
        if (!q.is_literal()) use(q.expr());
      }
      use(f.orientation.axis);
      use(f.orientation.angular_velocity);
    }
    for (const PointData& p : model_.points) use(p.offset);
    for (const BodyData& b : model_.bodies) {
      use(b.mass);
      for (const Column3& row : b.inertia) {
        for (const Expr& e : row) use(e);
      }
      for (const Expr& e : b.solid.sizes) use(e);
    }
    if (model_.gravity) use(*model_.gravity);
    for (const ForceData& f : model_.forces) use(f.value);
    for (const SpringData& s : model_.springs) {
      use(s.on);
      use(s.coefficient);
      use(s.rest);
    }
    for (const EnergyData& e : model_.energies) use(e.value);
    for (const ConstraintData& c : model_.constraints) {
      use(c.scalar);
      use(c.vector);
    }
    for (const AuxiliaryData& a : model_.auxiliaries) use(a.along);
    for (const OutputData& o : model_.outputs) {
      use(o.scalar);
      use(o.vector);
    }
    for (const EventData& e : model_.events) use(e.value);
    for (const StateData& s : model_.states) use(s.law);
    for (const SampleData& s : model_.samples) {
      use(s.period);
      for (const auto& change : s.changes) use(change.second);
    }
    for (const OtherEnergyData& e : model_.other_energies) use(e.value);
    for (const StartCondition& c : model_.start_conditions) {
      use(c.scalar);
      use(c.vector);
    }
  }

  bool is_fixed(const OutputData& o) const {
    std::vector<Expr> parts = {o.is_vector ? model_.pool->zero() : o.scalar};
    for (const Vector::Part& part : o.vector.parts()) {
      if (part.frame != 0) return false;
      parts.insert(parts.end(), part.column.begin(), part.column.end());
    }
    const std::vector<Expr> symbols = free_symbols(parts);
    return std::all_of(symbols.begin(), symbols.end(), [this](const Expr& s) {
      const SymbolRole* role = model_.role(s);
      return role != nullptr && role->role == Role::parameter;
    });
  }

  void check_use() {
    collect_use();
    const auto unused = [this](const Expr& s) { return used_.count(s.ref()) == 0; };
    for (const ParameterData& p : model_.parameters) {
      if (unused(p.symbol))
        warn("W-unused-parameter", "the parameter '" + p.name + "' is never used", "", p.source);
    }
    for (const SpecifiedData& s : model_.specified) {
      if (unused(s.derivatives[0]) && unused(s.derivatives[1]) && unused(s.derivatives[2]))
        warn("W-unused-specified", "the specified function '" + s.name + "' is never used", "",
             s.source);
    }
    for (const InputData& i : model_.inputs) {
      if (unused(i.symbol))
        warn("W-unused-input", "the input '" + i.name + "' is never used", "", i.source);
    }
    for (const UnknownData& u : model_.unknowns) {
      if (unused(u.symbol))
        warn("W-unused-name", "the unknown '" + u.name + "' is never used", "", u.source);
    }
    for (const OutputData& o : model_.outputs) {
      if (is_fixed(o))
        warn("W-unused-output",
             "the output '" + o.name + "' never changes: it contains numbers and parameters only",
             "", o.source);
    }
    for (const CoordinateData& c : model_.coordinates) {
      if (unused(c.q) && unused(c.rate))
        warn("W-unused-coordinate", "nothing depends on the coordinate '" + c.name + "'", "",
             c.source);
    }
  }

  const Kinematics& motion_;
  const ModelData& model_;
  const ConsistentStart& start_;
  StartState state_;
  std::vector<Diagnostic> found_;
  std::set<Ref> used_;
};

}  // namespace

std::vector<Diagnostic> check_model(const Kinematics& motion, const ConsistentStart& start) {
  const Workspace work(motion.pool());
  return Checker(motion, start).run();
}

}  // namespace visviva
