// Draws a random mechanism: MechanismBuilder adds one feature after another to a model, and says each in the model language.
#include "visviva/equations/testing/random_mechanism_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva::mechanisms {
namespace {

std::string number_text(double value) {
  std::string s = std::to_string(value);
  while (s.find('.') != std::string::npos && s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s;
}

/// A scalar or vector, and the same in the model language.
template <class T>
struct Worded {
  T value;
  std::string text;
};
using Term = Worded<Quantity>;
using Direction = Worded<Vector>;

Term operator+(const Term& a, const Term& b) {
  return {a.value + b.value, "(" + a.text + " + " + b.text + ")"};
}
Term operator-(const Term& a, const Term& b) {
  return {a.value - b.value, "(" + a.text + " - " + b.text + ")"};
}
Term operator*(const Term& a, const Term& b) { return {a.value * b.value, a.text + "*" + b.text}; }
Term sin(const Term& a) { return {sin(a.value), "sin(" + a.text + ")"}; }
Term cos(const Term& a) { return {cos(a.value), "cos(" + a.text + ")"}; }
Direction operator*(const Term& a, const Direction& b) {
  return {a.value * b.value, a.text + "*" + b.text};
}
Direction operator+(const Direction& a, const Direction& b) {
  return {a.value + b.value, "(" + a.text + " + " + b.text + ")"};
}
Direction operator-(const Direction& a, const Direction& b) {
  return {a.value - b.value, "(" + a.text + " - " + b.text + ")"};
}
Term dot(const Direction& a, const Direction& b) {
  return {dot(a.value, b.value), "dot(" + a.text + ", " + b.text + ")"};
}

class MechanismBuilder {
 public:
  /// Builds everything; the model must outlive this.
  MechanismBuilder(std::uint64_t seed, const Features& features, Model& to)
      : model_(to), seed_(seed), features_(features) {
    add_scalars();
    const int links = 1 + std::min(stream("links").below(features.links),
                                   stream("fewer links").below(features.links + 2));
    for (int i = 1; i <= links; ++i) add_link(i);
    define_speeds();
    add_gravity();
    add_forces();
    add_torques();
    add_springs();
    add_dampers();
    add_energies();
    add_constraints();
    close_loops();
  }

  std::size_t link_count() const { return links_.size() - 1; }
  const std::vector<std::string>& lines() const { return lines_; }
  const std::vector<Closure>& closures() const { return closures_; }

 private:
  struct Link {
    Frame frame;
    Point joint, center;
    bool is_body = false;
    Term angle{};                   // of a simple rotation that has a coordinate of its own
    std::vector<Term> rotations{};  // own coordinates of the frame
    std::vector<Term> slides{};     // own coordinates of the joint
    bool has_quaternion = false, has_transmission = false;
    int parent = 0;
  };

  Random stream(const std::string& topic, int number = 0) const {
    std::uint64_t hash = 1469598103934665603ull ^ seed_;
    for (const char c : topic + std::to_string(number)) {
      hash ^= static_cast<unsigned char>(c);
      hash *= 1099511628211ull;
    }
    return Random(hash * 2654435761ull + seed_);
  }

  void say(const std::string& line) { lines_.push_back(line); }

  // ---- Scalars

  static Term number(double value, const Quantity& unit = 1, const std::string& unit_text = "") {
    return {value * unit,
            "(" + number_text(value) + (unit_text.empty() ? "" : " " + unit_text) + ")"};
  }
  static Term meters(double value) { return number(value, units::m, "m"); }

  Term add_parameter(const std::string& name, double value, const Quantity& unit,
                     const std::string& unit_text) {
    say("parameter " + name + " = " + number_text(value) + " " + unit_text);
    return {model_.parameter(name, value * unit), name};
  }

  Term add_coordinate(const std::string& name, bool is_length, Random& r) {
    const double start = r.decimal(0.2, 0.9), rate = r.decimal(-0.8, 0.8);
    const Quantity unit = is_length ? units::m : Quantity(1);
    const Quantity q =
        model_.coordinate(name, {.start = start * unit, .start_rate = rate * unit / units::s});
    say("coordinate " + name + " = " + number_text(start) + (is_length ? " m, " : ", ") + name +
        "' = " + number_text(rate) + (is_length ? " m/s" : " rad/s"));
    ++speed_count_;
    coordinates_.push_back({{q, name}, is_length});
    return {q, name};
  }

  void add_scalars() {
    L_ = add_parameter("L", 1.3, units::m, "m");
    time_ = {model_.time(), "t"};
    Random r = stream("scalars");
    const Term hertz = number(r.decimal(0.5, 1.2), units::rad / units::s, "rad/s");
    const Term x = meters(0.4) * sin(hertz * time_);
    const Term y = number(0.3) * cos(hertz * time_) + number(0.2) * hertz * time_;
    if (!features_.specified) return;
    x_ = {model_.specified("x", x.value), "x"};
    y_ = {model_.specified("y", y.value), "y"};
    z_ = {model_.specified("z", Dimension()), "z"};  // nobody says what they are
    f_ = {model_.specified("f", units::N.dimension()), "f"};
    say("specified x(t) = " + x.text + ", y(t) = " + y.text + ", z(t), f(t)");
  }

  Term rate(const Term& q) const { return {model_.rate(q.value), q.text + "'"}; }
  Term hertz(Random& r) const {
    return number(r.decimal(0.3, 0.9), units::rad / units::s, "rad/s");
  }

  template <class List>
  static const auto& any_of(const List& list, Random& r) {
    return list[static_cast<std::size_t>(r.below(static_cast<int>(list.size())))];
  }

  // ---- Directions

  static Direction axis(const Frame& F, std::size_t i) {
    const char* const names[] = {".x", ".y", ".z"};
    return {axis_of(F, i), F.name() + names[i]};
  }
  static Direction any_axis(const Frame& F, Random& r) {
    return axis(F, static_cast<std::size_t>(r.below(3)));
  }
  Direction general_axis(const Frame& F, Random& r) const {
    static constexpr int exact[][3] = {{1, 2, 2}, {-2, 3, 6}, {3, 0, -4}, {2, -1, 2}, {6, 2, -3}};
    static constexpr int any[][3] = {{1, 1, 0}, {1, -2, 3}, {-1, -1, 1}, {0, 5, 1}, {2, 1, -2}};
    const auto& [x, y, z] = (features_.irrational_axes ? any : exact)[r.below(5)];
    return number(x) * axis(F, 0) + number(y) * axis(F, 1) + number(z) * axis(F, 2);
  }
  static Direction fixed_offset(const Frame& F, Random& r) {
    return meters(r.decimal(0.1, 0.8)) * axis(F, 0) + meters(r.decimal(-0.7, -0.1)) * axis(F, 1) +
           meters(r.decimal(0.1, 0.6)) * axis(F, 2);
  }
  static Direction between(const Point& from, const Point& to) {
    return {to - from, "(" + to.name() + " - " + from.name() + ")"};
  }
  static Direction velocity_of(const Point& P) {
    return {velocity(P), "velocity(" + P.name() + ")"};
  }
  static Direction spin_of(const Frame& B, const Frame& A) {
    return {angular_velocity(B, A), "angular_velocity(" + B.name() + ", " + A.name() + ")"};
  }
  static Direction spin_of(const Frame& B) {
    return {angular_velocity(B), "angular_velocity(" + B.name() + ")"};
  }

  // ---- Links

  enum class Turn {
    none,
    axis,
    oblique,
    body_angles,
    space_angles,
    quaternion,
    rodrigues,
    spin_axis,
    spin
  };

  Turn choose_turn(Random& r, int freedom) const {
    static constexpr Turn all[] = {Turn::none,        Turn::axis,         Turn::axis,
                                   Turn::axis,        Turn::oblique,      Turn::oblique,
                                   Turn::body_angles, Turn::space_angles, Turn::quaternion,
                                   Turn::rodrigues,   Turn::spin_axis,    Turn::spin};
    const Turn turn = all[r.below(12)];
    const bool three = turn == Turn::body_angles || turn == Turn::space_angles ||
                       turn == Turn::quaternion || turn == Turn::rodrigues || turn == Turn::spin;
    const bool allowed =
        (turn != Turn::oblique || features_.general_axes) &&
        ((turn != Turn::body_angles && turn != Turn::space_angles) || features_.sequences) &&
        (turn != Turn::quaternion || features_.quaternions) &&
        (turn != Turn::rodrigues || features_.rodrigues) &&
        ((turn != Turn::spin && turn != Turn::spin_axis) || features_.spins) &&
        (!three || freedom >= 3);
    return allowed ? turn : Turn::axis;
  }

  void add_link(int i) {
    Random r = stream("link", i);
    if (links_.empty())
      links_.push_back(
          {model_.newtonian(), model_.newtonian().origin(), model_.newtonian().origin()});
    const int parent = r.chance(60) ? i - 1 : r.below(i);
    const Link base = links_[static_cast<std::size_t>(parent)];
    const std::string n = std::to_string(i);
    Link link;
    link.parent = parent;
    Random kind = stream("turn", i), sliding = stream("slide", i);
    const int freedom = features_.speeds - speed_count_;
    const Turn turn = choose_turn(kind, freedom);
    const bool three = turn != Turn::none && turn != Turn::axis && turn != Turn::oblique &&
                       turn != Turn::spin_axis;
    const bool is_particle = features_.particles && !three && stream("particle", i).chance(35);

    // Where it hangs.
    int slides = 0;
    if (features_.slides && sliding.chance(turn == Turn::none ? 100 : 35))
      slides = sliding.chance(70) || (is_particle && turn != Turn::none) ? 1 : 1 + sliding.below(3);
    slides = std::min(slides, std::max(0, freedom - 1));
    Direction offset = fixed_offset(base.frame, r);
    for (int k = 0; k < slides; ++k) {
      const Term s = add_coordinate("s" + n + std::string(1, static_cast<char>('a' + k)), true, r);
      link.slides.push_back(s);
      offset = offset + s * axis(base.frame, static_cast<std::size_t>(k));
    }
    if (features_.specified && stream("driven", i).chance(12))
      offset = offset + x_ * axis(base.frame, 2);
    if (features_.explicit_time && stream("carried", i).chance(8))
      offset = offset + number(0.2, units::m / units::s, "m/s") * time_ * axis(base.frame, 1);
    link.joint = model_.point("J" + n, base.center + offset.value);
    say("point J" + n + " = " + base.center.name() + " + " + offset.text);

    // How it turns, and what it carries.
    link.frame = make_frame("B" + n, base.frame, turn, freedom, i, link);
    const Direction arm = fixed_offset(link.frame, r);
    const Term mass = add_parameter("m" + n, r.decimal(0.5, 3), units::kg, "kg");
    if (is_particle) {
      link.center = model_.particle("P" + n, {.at = link.joint + arm.value, .mass = mass.value});
      say("particle P" + n + " at J" + n + " + " + arm.text + ", mass m" + n);
    } else {
      add_body(i, link, arm, mass);
    }
    links_.push_back(link);
    points_.push_back(link.center);
    if (r.chance(50)) points_.push_back(link.joint);
  }

  void add_body(int i, Link& link, const Direction& arm, const Term& mass) {
    Random r = stream("inertia", i);
    link.is_body = true;
    const std::string head = "body " + link.frame.name() + " at " + link.joint.name() + " + " +
                             arm.text + ", mass " + mass.text + ", ";
    const Position at = link.joint + arm.value;
    if (features_.solids && r.chance(25)) {
      const double radius = r.decimal(0.2, 0.6), length = r.decimal(0.3, 0.9);
      const bool is_box = r.chance(50);
      const Solid solid = is_box ? box(radius * units::m, length * units::m, 0.4 * units::m)
                                 : cylinder(radius * units::m, length * units::m, Axis::y);
      link.center = model_.body(link.frame, {.at = at, .mass = mass.value, .solid = solid});
      say(head + (is_box ? "box " + number_text(radius) + " m, " + number_text(length) + " m, 0.4 m"
                         : "cylinder radius " + number_text(radius) + " m, length " +
                               number_text(length) + " m along y"));
      return;
    }
    // The inertia of four particles of 1 kg: never impossible.
    std::array<double, 6> I{};
    for (int k = 0; k < 4; ++k) {
      const double x = 0.1 * r.below(9) - 0.4, y = 0.1 * r.below(9) - 0.3,
                   z = 0.1 * r.below(9) - 0.5;
      const std::array<double, 6> added = {y * y + z * z, z * z + x * x, x * x + y * y,
                                           -x * y,        -y * z,        -z * x};
      for (std::size_t e = 0; e < 6; ++e) I[e] += added[e];
    }
    for (std::size_t e = 0; e < 6; ++e) I[e] = std::round(100 * I[e]) / 100 + (e < 3 ? 0.1 : 0);
    const Quantity unit = units::kg * units::m * units::m;
    std::string entries;
    for (const double e : I) entries += (entries.empty() ? "" : ", ") + number_text(e) + " kg*m^2";
    link.center = model_.body(link.frame, {.at = at,
                                           .mass = mass.value,
                                           .inertia = {I[0] * unit, I[1] * unit, I[2] * unit,
                                                       I[3] * unit, I[4] * unit, I[5] * unit}});
    say(head + "inertia " + entries);
  }

  // An angle with a coordinate of its own, unless there are enough of them.
  Term make_angle(const std::string& name, int freedom, int i, Link& link) {
    Random r = stream("angle " + name, i);
    std::vector<Term> known;
    for (const auto& [q, is_length] : coordinates_) {
      if (!is_length) known.push_back(q);
    }
    if (freedom <= 0) {
      if (!known.empty() && r.chance(50)) return number(0.5) * any_of(known, r);
      return features_.specified ? (r.chance(50) ? y_ : z_)
                                 : number(0.4) + number(0.1) * sin(any_time(r));
    }
    const Term q = add_coordinate("q" + name, false, r);
    link.rotations.push_back(q);
    const int choice = r.below(10);
    if (choice < 2 && features_.transmissions && !known.empty()) {
      link.has_transmission = true;
      const Term other = any_of(known, r);
      return q + (choice == 0 ? number(r.decimal(0.2, 0.7)) * other : number(0.3) * sin(other));
    }
    if (choice == 2 && features_.specified) return q + (r.chance(50) ? y_ : z_);
    if (choice == 3 && features_.explicit_time) return q + hertz(r) * time_;
    return q;
  }

  Term any_time(Random& r) const {
    return features_.explicit_time ? hertz(r) * time_ : number(0.3);
  }

  Frame make_frame(const std::string& name, const Frame& P, Turn turn, int freedom, int i,
                   Link& link) {
    Random r = stream("frame", i);
    const std::string head = "frame " + name + " = ";
    const std::string n = std::to_string(i);
    switch (turn) {
      case Turn::none: {
        say(head + "rotate(" + P.name() + ", x, 0.3)");
        return model_.frame(name, rotate(P, Axis::x, 0.3));
      }
      case Turn::axis: {
        const Direction a = any_axis(P, r);
        const Term q = make_angle(n, freedom, i, link);
        link.angle = q;
        say(head + "rotate(" + P.name() + ", " + a.text + ", " + q.text + ")");
        return model_.frame(name, rotate(P, a.value, q.value));
      }
      case Turn::oblique: {
        const Direction a = general_axis(P, r);
        const Term q = make_angle(n, freedom, i, link);
        link.angle = q;
        say(head + "rotate(" + P.name() + ", " + a.text + ", " + q.text + ")");
        return model_.frame(name, rotate(P, a.value, q.value));
      }
      case Turn::body_angles:
      case Turn::space_angles: {
        static const char* const sequences[] = {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx",
                                                "xyx", "yzy", "zxz", "xzx", "yxy", "zyz"};
        const std::string sequence = sequences[r.below(12)];
        const Term a = make_angle(n + "a", 3, i, link), b = make_angle(n + "b", 3, i, link),
                   c = make_angle(n + "c", 3, i, link);
        const bool is_space = turn == Turn::space_angles;
        say(head + "rotate(" + P.name() + ", " + (is_space ? "space " : "") + sequence + ", " +
            a.text + ", " + b.text + ", " + c.text + ")");
        const std::array<Quantity, 3> angles = {a.value, b.value, c.value};
        return model_.frame(
            name, is_space ? rotate_space(P, sequence, angles) : rotate(P, sequence, angles));
      }
      case Turn::quaternion: {
        const std::string e = "e" + n;
        const std::array<double, 4> at = {r.decimal(0.4, 1), r.decimal(-1, 1), r.decimal(-1, 1),
                                          r.decimal(-1, 1)};
        const auto q = model_.quaternion({e + "a", e + "b", e + "c", e + "d"}, at);
        speed_count_ += 3;
        link.has_quaternion = true;
        std::string names;
        for (std::size_t k = 0; k < 4; ++k) {
          const std::string one = e + std::string(1, static_cast<char>('a' + k));
          say("coordinate " + one + " = " + number_text(at[k]));
          names += ", " + one;
        }
        say(head + "quaternion(" + P.name() + names + ")");
        return model_.frame(name, visviva::quaternion(P, q));
      }
      case Turn::rodrigues: {
        const Term a = make_angle(n + "a", 3, i, link), b = make_angle(n + "b", 3, i, link),
                   c = make_angle(n + "c", 3, i, link);
        say(head + "rodrigues(" + P.name() + ", " + a.text + ", " + b.text + ", " + c.text + ")");
        return model_.frame(name, rodrigues(P, {a.value, b.value, c.value}));
      }
      case Turn::spin_axis:
        return make_spin(name, P, 1, i, general_axis(P, r), r);
      case Turn::spin:
        return make_spin(name, P, 3, i, axis(P, 0), r);
    }
    return P;
  }

  Frame make_spin(const std::string& name, const Frame& P, int count, int i, const Direction& first,
                  Random& r) {
    Direction w{};
    // The rest of a simple spin must have the same axis.
    const Frame F =
        count == 1
            ? P
            : links_[static_cast<std::size_t>(r.below(static_cast<int>(links_.size())))].frame;
    for (int k = 0; k < count; ++k) {
      const std::string u = "w" + std::to_string(i) + std::string(1, static_cast<char>('a' + k));
      const Term speed{model_.speed(u, units::Hz.dimension()), u};
      say("speed " + u);
      ++speed_count_;
      const Direction a = count == 1 ? first : axis(F, static_cast<std::size_t>(k));
      w = k == 0 ? speed * a : w + speed * a;
    }
    if (count == 3 && features_.specified && r.chance(40))
      w = w + number(0.4) * rate(y_) * axis(P, 1);
    say("frame " + name + " = spin(" + P.name() + ", " + w.text + ")");
    return model_.frame(name, spin(P, w.value));
  }

  // ---- Speeds

  void define_speeds() {
    if (!features_.speed_definitions) return;
    for (std::size_t i = 1; i < links_.size(); ++i) {
      const Link& link = links_[i];
      Random r = stream("speeds", static_cast<int>(i));
      if (!r.chance(45)) continue;
      const Frame P = links_[static_cast<std::size_t>(link.parent)].frame;
      const std::string n = std::to_string(i);
      if (link.has_quaternion || (link.rotations.size() == 3 && !link.has_transmission)) {
        // Components of the angular velocity, along axes of one frame or the other.
        const Frame along = r.chance(50) ? link.frame : P;
        for (std::size_t k = 0; k < 3; ++k) {
          define_speed("u" + n + std::string(1, static_cast<char>('a' + k)),
                       dot(spin_of(link.frame, P), axis(along, k)));
        }
      } else {
        std::vector<Term> own = link.rotations;
        own.insert(own.end(), link.slides.begin(), link.slides.end());
        define_mixed("u" + n, own, r);
        continue;
      }
      if (!link.slides.empty()) define_mixed("v" + n, link.slides, r);
    }
  }

  void define_speed(const std::string& name, const Term& definition) {
    model_.speed(name, definition.value);
    say("speed " + name + " = " + definition.text);
  }

  // u_k = c (1 + 0.3 sin q) q_k' + 0.2 cos(t) q_j' + something known, all lengths per second
  void define_mixed(const std::string& name, const std::vector<Term>& own, Random& r) {
    const auto scaled = [&](const Term& q) { return is_length(q) ? rate(q) : L_ * rate(q); };
    for (std::size_t k = 0; k < own.size(); ++k) {
      const Term wave = any_angle() ? sin(*any_angle()) : number(0.5);
      Term sum = (number(1) + number(0.3) * wave) * scaled(own[k]);
      for (std::size_t j = 0; j < own.size(); ++j) {
        if (j != k && r.chance(70))
          sum = sum + number(r.decimal(-0.3, 0.3)) * cos(any_time(r)) * scaled(own[j]);
      }
      if (features_.specified && r.chance(40)) sum = sum + L_ * rate(r.chance(50) ? y_ : z_);
      define_speed(name + std::string(1, static_cast<char>('p' + k)), sum);
    }
  }

  bool is_length(const Term& q) const {
    for (const auto& [c, length] : coordinates_) {
      if (c.text == q.text) return length;
    }
    return false;
  }
  std::optional<Term> any_angle() const {
    for (const auto& [q, length] : coordinates_) {
      if (!length) return q;
    }
    return std::nullopt;
  }

  // ---- Loads

  void add_gravity() {
    Random r = stream("gravity");
    if (!features_.gravity || !r.chance(70)) return;
    const Term g = add_parameter("g", 9.81, units::m / (units::s * units::s), "m/s^2");
    const Frame N = model_.newtonian();
    const Direction down = r.chance(60)
                               ? number(-1) * g * axis(N, 1)
                               : number(0.6) * g * axis(N, 0) + number(-0.8) * g * axis(N, 2);
    model_.gravity(down.value);
    say("gravity " + down.text);
  }

  Point any_point(Random& r) const { return any_of(points_, r); }
  Frame any_frame(Random& r) const { return any_of(links_, r).frame; }
  const Link* any_body(Random& r) const {
    for (int k = 0; k < 5; ++k) {
      const Link& link = any_of(links_, r);
      if (link.is_body) return &link;
    }
    return nullptr;
  }

  Direction force_law(const Point& P, Random& r) const {
    const Term newton = number(r.decimal(1, 5), units::N, "N");
    const Frame F = any_frame(r);
    switch (r.below(6)) {
      case 0:
        return newton * any_axis(F, r);
      case 1:
        return number(-r.decimal(0.1, 2), units::N * units::s / units::m, "N*s/m") * velocity_of(P);
      case 2:
        return newton * sin(any_time(r)) * any_axis(F, r) +
               newton * any_axis(model_.newtonian(), r);
      case 3:
        if (features_.specified) return f_ * any_axis(F, r);
        return newton * any_axis(F, r);
      case 4:
        if (any_angle()) return newton * cos(*any_angle()) * any_axis(F, r);
        return newton * any_axis(F, r);
      default: {
        // Quadratic in the velocity.
        const Direction a = any_axis(F, r);
        const Term v = dot(velocity_of(P), a);
        return number(-0.3, units::kg / units::m, "kg/m") * v * v * a;
      }
    }
  }

  void add_forces() {
    for (int i = 1; i <= stream("forces").below(4); ++i) {
      Random r = stream("force", i);
      const std::string name = "F" + std::to_string(i);
      const Point P = any_point(r), Q = any_point(r);
      const Link* body = any_body(r);
      const int kind = r.below(3);
      if (kind == 0 && features_.forces) {
        const Direction law = force_law(P, r);
        model_.force(name, {.on = P, .value = law.value});
        say("force " + name + " on " + P.name() + " = " + law.text);
      } else if (kind == 1 && features_.body_forces && body != nullptr) {
        const Direction law = force_law(P, r);
        model_.force(name, {.on = P, .body = body->frame, .value = law.value});
        say("force " + name + " on " + body->frame.name() + " at " + P.name() + " = " + law.text);
      } else if (kind == 2 && features_.reactions && !(P == Q)) {
        const Direction law =
            r.chance(50) ? number(r.decimal(1, 3), units::N / units::m, "N/m") * between(P, Q)
                         : force_law(P, r);
        model_.force(name, {.on = P, .from = Q, .value = law.value});
        say("force " + name + " on " + P.name() + " from " + Q.name() + " = " + law.text);
      }
    }
  }

  void add_torques() {
    if (!features_.torques) return;
    for (int i = 1; i <= stream("torques").below(3); ++i) {
      Random r = stream("torque", i);
      const Link* body = any_body(r);
      if (body == nullptr) continue;
      const Frame from = any_frame(r);
      const bool has_from = r.chance(60) && !(from == body->frame) && from.index() != 0;
      const Term b = number(-r.decimal(0.1, 1), units::N * units::m * units::s, "N*m*s");
      const Term T = number(r.decimal(0.5, 2), units::N * units::m, "N*m");
      const Direction law =
          r.chance(50) ? b * (spin_of(body->frame) - spin_of(from))
                       : T * cos(any_time(r)) * any_axis(from, r) + T * any_axis(body->frame, r);
      const std::string name = "T" + std::to_string(i);
      TorqueOptions options{.on = body->frame, .value = law.value};
      if (has_from) options.from = from;
      model_.torque(name, options);
      say("torque " + name + " on " + body->frame.name() +
          (has_from ? " from " + from.name() : "") + " = " + law.text);
    }
  }

  struct Ends {
    Point from, to;
  };
  std::optional<Ends> any_ends(Random& r) const {
    const Point P = any_point(r), Q = r.chance(50) ? model_.newtonian().origin() : any_point(r);
    if (P == Q || has_no_motion(dot(P - Q, P - Q).expr())) return std::nullopt;
    return Ends{Q, P};
  }
  bool has_no_motion(const Expr& e) const {
    for (const Expr& s : free_symbols(e)) {
      const SymbolRole* role = model_.data().role(s);
      if (role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden))
        return false;
    }
    return true;
  }

  // A coordinate, or a function of coordinates.
  std::optional<Term> any_configuration(Random& r) const {
    std::vector<Term> angles;
    for (const auto& [q, length] : coordinates_) {
      if (!length) angles.push_back(q);
    }
    if (coordinates_.empty()) return std::nullopt;
    const Term q = any_of(coordinates_, r).first;
    if (angles.size() < 2 || r.chance(70)) return q;
    return any_of(angles, r) + number(0.5) * sin(any_of(angles, r));
  }
  Quantity stiffness_unit(const Term& on) const {
    return units::J /
           (on.value.dimension() == units::m.dimension() ? units::m * units::m : Quantity(1));
  }
  static std::string stiffness_text(const Term& on) {
    return on.value.dimension() == units::m.dimension() ? "N/m" : "N*m";
  }

  void add_springs() {
    for (int i = 1; i <= stream("springs").below(3); ++i) {
      Random r = stream("spring", i);
      const std::string name = "S" + std::to_string(i);
      const double k = r.decimal(1, 20);
      const std::optional<Ends> ends = any_ends(r);
      const std::optional<Term> on = any_configuration(r);
      if (r.chance(50) && features_.point_springs && ends) {
        const Term stiffness = add_parameter("k" + name, k, units::N / units::m, "N/m");
        model_.spring(name, {.from = ends->from,
                             .to = ends->to,
                             .stiffness = stiffness.value,
                             .rest = 0.3 * units::m});
        say("spring " + name + " from " + ends->from.name() + " to " + ends->to.name() +
            ", stiffness " + stiffness.text + ", rest 0.3 m");
      } else if (features_.coordinate_springs && on) {
        const bool length = on->value.dimension() == units::m.dimension();
        model_.spring(name, {.on = on->value,
                             .stiffness = k * stiffness_unit(*on),
                             .rest = 0.1 * (length ? units::m : Quantity(1))});
        say("spring " + name + " on " + on->text + ", stiffness " + number_text(k) + " " +
            stiffness_text(*on) + ", rest 0.1" + (length ? " m" : ""));
      }
    }
  }

  void add_dampers() {
    if (!features_.dampers) return;
    for (int i = 1; i <= stream("dampers").below(3); ++i) {
      Random r = stream("damper", i);
      const std::string name = "D" + std::to_string(i);
      const double b = r.decimal(0.1, 3);
      const std::optional<Ends> ends = any_ends(r);
      const std::optional<Term> on = any_configuration(r);
      if (r.chance(50) && ends) {
        model_.damper(
            name, {.from = ends->from, .to = ends->to, .rate = b * units::N * units::s / units::m});
        say("damper " + name + " from " + ends->from.name() + " to " + ends->to.name() + ", rate " +
            number_text(b) + " N*s/m");
      } else if (on) {
        model_.damper(name, {.on = on->value, .rate = b * stiffness_unit(*on) * units::s});
        say("damper " + name + " on " + on->text + ", rate " + number_text(b) + " " +
            stiffness_text(*on) + "*s");
      }
    }
  }

  void add_energies() {
    Random r = stream("potentials");
    const std::optional<Term> q = any_configuration(r), p = any_configuration(r);
    const Point P = any_point(r), Q = any_point(r);
    if (features_.potentials && r.chance(40) && q && p) {
      const Direction x = axis(model_.newtonian(), 0);
      const Term height = dot(between(model_.newtonian().origin(), P), x);
      const auto angle = [&](const Term& c) {
        return c.value.dimension() == units::m.dimension()
                   ? Term{c.value / units::m, c.text + "/(1 m)"}
                   : c;
      };
      const Term V = number(1.5, units::J, "J") * sin(angle(*q)) * cos(angle(*p) + any_time(r)) +
                     number(2, units::N / units::m, "N/m") * height * height;
      model_.potential("V", V.value);
      say("potential V = " + V.text);
    }
    if (!features_.dissipations || !r.chance(40) || coordinates_.empty()) return;
    const Term s = any_of(coordinates_, r).first;
    const Term b =
        number(0.4) * (is_length(s) ? number(1, units::N * units::s / units::m, "N*s/m")
                                    : number(1, units::N * units::m * units::s, "N*m*s"));
    Term D = b * rate(s) * rate(s);
    if (r.chance(50)) {
      const Term v = dot(velocity_of(Q), any_axis(any_frame(r), r));
      D = D + number(0.2, units::N * units::s / units::m, "N*s/m") * v * v;
    }
    model_.dissipation("R", D.value);
    say("dissipation R = " + D.text);
  }

  // ---- Constraints

  int freedom_left() const { return speed_count_ - row_count_; }

  void add_constraints() {
    if (stream("constrained").chance(45)) return;
    add_loops();
    add_motion_constraints();
    add_roll();
    add_locks();
  }

  Term make_closure(const std::string& name, const Quantity& unit, const std::string& unit_text,
                    const Quantity& defect) {
    const Quantity parameter = model_.parameter(name, unit.dimension());
    closures_.push_back({name, unit_text, parameter, parameter.expr(), defect.expr()});
    return {parameter, name};
  }

  void add_loops() {
    if (!features_.loops) return;
    for (int i = 1; i <= stream("loops").below(3); ++i) {
      Random r = stream("loop", i);
      const std::optional<Ends> ends = any_ends(r);
      if (!ends) continue;
      const std::string name = "loop" + std::to_string(i), c = "c" + std::to_string(i);
      const Direction d = between(ends->from, ends->to);
      const int kind = r.below(3);
      if (kind == 0 && freedom_left() > 1) {
        const Term squared = dot(d, d);
        const Term wanted = make_closure(c, units::m * units::m, "m^2", squared.value);
        model_.constraint(name, squared.value - wanted.value);
        say("constraint " + name + ": " + squared.text + " = " + wanted.text);
        row_count_ += 1;
      } else if (kind == 1 && freedom_left() > 1) {
        const Direction a = any_axis(any_frame(r), r);
        Term g = dot(d, a);
        if (features_.specified && r.chance(30)) g = g + number(0.2) * x_;
        if (has_no_motion(g.value.expr())) continue;
        const Term wanted = make_closure(c, units::m, "m", g.value);
        model_.constraint(name, g.value - wanted.value);
        say("constraint " + name + ": " + g.text + " = " + wanted.text);
        row_count_ += 1;
      } else if (kind == 2 && freedom_left() > 3) {
        Direction target{};
        std::string sum;
        for (std::size_t k = 0; k < 3; ++k) {
          const Direction a = axis(model_.newtonian(), k);
          const Term wanted = make_closure(c + std::string(1, static_cast<char>('x' + k)), units::m,
                                           "m", dot(d, a).value);
          target = k == 0 ? wanted * a : target + wanted * a;
        }
        model_.constraint(name, d.value - target.value);
        say("constraint " + name + ": " + d.text + " = " + target.text);
        row_count_ += 3;
      }
    }
  }

  void add_motion_constraints() {
    if (!features_.motion_constraints) return;
    for (int i = 1; i <= stream("knife edges").below(3) && freedom_left() > 1; ++i) {
      Random r = stream("knife edge", i);
      const Point P = any_point(r);
      Term g = dot(velocity_of(P), any_axis(any_frame(r), r));
      if (r.chance(30)) g = g - number(0.3, units::m / units::s, "m/s") * cos(any_time(r));
      const std::string name = "edge" + std::to_string(i);
      model_.constraint(name, g.value);
      say("constraint " + name + ": " + g.text + " = 0");
      ++row_count_;
    }
  }

  void add_roll() {
    Random r = stream("roll");
    if (!features_.rolls || !r.chance(30) || freedom_left() <= 3) return;
    const Link* body = any_body(r);
    const Link* floor = r.chance(50) ? &links_[0] : any_body(r);
    if (body == nullptr || floor == nullptr || body == floor) return;
    const Direction down = meters(-0.3) * axis(floor->frame, 1);
    model_.roll("roll", {.body = body->frame, .on = floor->frame, .at = body->center + down.value});
    say("roll contact: " + body->frame.name() + " on " + floor->frame.name() + " at " +
        body->center.name() + " + " + down.text);
    row_count_ += 3;
  }

  void add_locks() {
    Random r = stream("lock");
    if (!features_.locks || !r.chance(20) || freedom_left() <= 1 || coordinates_.empty()) return;
    const Term q = any_of(coordinates_, r).first;
    model_.lock(q.value);
    say("lock " + q.text);
    ++row_count_;
  }

  // The parameters of loops get the values that close them at the start.
  void close_loops() {
    const StartState start = make_start_state(model_.data());
    for (Closure& c : closures_) {
      c.start = start.value(c.defect);
      const Quantity unit(Literal{c.start, {0, 0}, 0}, c.parameter.dimension());
      model_.define(c.parameter, unit);
    }
  }

  Model& model_;
  std::uint64_t seed_;
  Features features_;
  std::vector<std::string> lines_;
  Term L_, time_, x_, y_, z_, f_;
  std::vector<std::pair<Term, bool>> coordinates_;  // and whether it is a length
  std::vector<Link> links_;
  std::vector<Point> points_;
  std::vector<Closure> closures_;
  int speed_count_ = 0, row_count_ = 0;
};

}  // namespace

RandomMechanism::RandomMechanism(std::uint64_t seed, const Features& features) : seed_(seed) {
  const MechanismBuilder builder(seed, features, model);
  link_count_ = builder.link_count();
  lines_ = builder.lines();
  closures_ = builder.closures();
}

std::string RandomMechanism::text() const {
  std::string all = "model random_" + std::to_string(seed_) + "\n";
  for (const std::string& line : lines_) all += line + "\n";
  for (const Closure& c : closures_)
    all += "parameter " + c.name + " = " + number_text(c.start) + " " + c.unit + "\n";
  return all;
}

}  // namespace visviva::mechanisms
