// Mechanism, defined once for all tests.
#include "visviva/kinematics/random_model_test.h"

#include <algorithm>

namespace visviva::mechanisms {
namespace {

Scalar operator+(const Scalar& a, const Scalar& b) {
  return {a.value + b.value, "(" + a.python + " + " + b.python + ")"};
}
Scalar operator*(const Scalar& a, const Scalar& b) {
  return {a.value * b.value, a.python + "*" + b.python};
}
Scalar sin(const Scalar& a) { return {sin(a.value), "sin(" + a.python + ")"}; }
Scalar cos(const Scalar& a) { return {cos(a.value), "cos(" + a.python + ")"}; }
Scalar number(double value, const Quantity& unit = 1) {
  return {value * unit, "(" + std::to_string(value) + ")"};
}

}  // namespace

Vector axis_of(const Frame& f, std::size_t i) { return i == 0 ? f.x() : i == 1 ? f.y() : f.z(); }

Mechanism::Mechanism(std::uint64_t seed, const Options& options)
    : random_(seed), options_(options) {
  add_scalars();
  if (options_.speeds && random_.chance(50)) define_block({"a1", "a2"});
  for (int i = 0; i < options_.frames; ++i) add_frame("F" + std::to_string(i));
  for (int i = 0; i < options_.points; ++i) add_point("P" + std::to_string(i));
  if (options_.bodies) add_bodies();
  name_quaternion_speeds();
  if (options_.speeds) define_remaining_speeds();
}

// ---- Scalars

Scalar Mechanism::add_coordinate(const std::string& name, bool is_length) {
  const Quantity q = model.coordinate(
      name, {.start = random_.decimal(0.2, 0.9) * (is_length ? units::m : Quantity(1))});
  const Scalar scale = is_length ? number(1) : Scalar{L_, "L"};
  coordinates_.push_back({{q, name}, {model.rate(q), name + "_dot"}, scale});
  return coordinates_.back().q;
}

void Mechanism::add_scalars() {
  L_ = model.parameter("L", 1.3 * units::m);
  time_ = {model.time(), "t"};
  const Scalar hertz = number(random_.decimal(0.5, 1.2), 1 / units::s);
  add_coordinate("a1", false);
  add_coordinate("a2", false);
  add_coordinate("s1", true);
  const auto specified = [&](const std::string& name, const Scalar& definition) {
    return Scalar{model.specified(name, definition.value), name};
  };
  x_ = specified("x", number(0.4, units::m) * sin(hertz * time_));
  y_ = specified("y", number(0.3) * cos(hertz * time_) + number(0.2) * hertz * time_);
  z_ = {model.specified("z", Dimension()), "z"};  // nobody says what it is
  rates_ = {{model.rate(y_.value), "y_dot"}, {model.rate(z_.value), "z_dot"}};
}

Scalar Mechanism::angle() {
  switch (random_.below(8)) {
    case 0:
      return any_angle();
    case 1:
      return fresh_angle() + number(random_.decimal(0.1, 0.6)) * any_angle();
    case 2:
      return fresh_angle() + number(0.3) * sin(any_angle());
    case 3:
      return number(random_.decimal(0.3, 0.9), 1 / units::s) * time_ + any_angle();
    case 4:
      return y_ + number(0.2) * any_angle() * y_;
    case 5:
      return z_ + fresh_angle();
    default:
      return fresh_angle();
  }
}

Scalar Mechanism::length() {
  const Scalar L{L_, "L"};
  switch (random_.below(8)) {
    case 0:
      return coordinates_[2].q;
    case 1:
      return L * sin(any_angle());
    case 2:
      return x_;
    case 3:
      return number(random_.decimal(0.1, 0.4), units::m / units::s) * time_ * cos(any_angle());
    case 4:
      return L + number(0.5) * x_;
    case 5:
      return number(0, units::m);
    default:
      return number(random_.decimal(-1, 1), units::m);
  }
}

// ---- Frames

const Frame& Mechanism::any_frame() {
  return frames[static_cast<std::size_t>(random_.below(static_cast<int>(frames.size())))];
}

void Mechanism::keep(const std::string& name, const Orientation& o, const FrameRecipe& recipe) {
  frames.push_back(model.frame(name, o));
  frame_recipes.push_back(recipe);
  origins.push_back(points[0]);
}

void Mechanism::add_frame(const std::string& name) {
  const Frame P = random_.chance(60) ? frames.back() : any_frame();
  switch (random_.below(options_.spins ? 9 : 7)) {
    case 0:
    case 1:
      return add_simple(name, P);
    case 2:
      return add_oblique(name, P);
    case 3:
    case 4:
      return add_sequence(name, P);
    case 5:
      return add_quaternion(name, P);
    case 6:
      return add_rodrigues(name, P);
    case 7:
      return add_fixed_spin(name, P);
    default:
      return add_spin(name, P);
  }
}

void Mechanism::add_simple(const std::string& name, const Frame& P) {
  const auto i = static_cast<std::size_t>(random_.below(3));
  const Scalar q = angle();
  const std::string axes[] = {"1,0,0", "0,1,0", "0,0,1"};
  keep(name, rotate(P, axis_of(P, i), q.value), {P.name(), "axis", axes[i], {q.python}});
}

void Mechanism::add_oblique(const std::string& name, const Frame& P) {
  static constexpr int exact[][3] = {{1, 2, 2}, {-2, 3, 6}, {0, -1, 0}, {3, 0, -4}, {-1, 0, 0}};
  static constexpr int any[][3] = {{1, 1, 0}, {1, -2, 3}, {-1, -1, 1}, {0, 5, 1}, {0, 0, -2}};
  const auto& [x, y, z] = (options_.exact_axes ? exact : any)[random_.below(5)];
  const Scalar q = angle();
  keep(name, rotate(P, x * P.x() + y * P.y() + z * P.z(), q.value),
       {P.name(),
        "axis",
        std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z),
        {q.python}});
}

void Mechanism::add_sequence(const std::string& name, const Frame& P) {
  static const char* const sequences[] = {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx",
                                          "xyx", "yzy", "zxz", "xzx", "yxy", "zyz"};
  const char* const sequence = sequences[random_.below(12)];
  const bool space = random_.chance(50), own = random_.chance(50);
  std::array<Quantity, 3> values;
  FrameRecipe recipe{P.name(), space ? "space" : "body", sequence, {}};
  const std::size_t first = coordinates_.size();
  for (Quantity& value : values) {
    const Scalar q = own ? fresh_angle() : angle();
    value = q.value;
    recipe.arguments.push_back(q.python);
  }
  keep(name, space ? rotate_space(P, sequence, values) : rotate(P, sequence, values), recipe);
  if (own) bundles_.push_back({frames.back(), P, first});
}

void Mechanism::add_quaternion(const std::string& name, const Frame& P) {
  const auto e = model.quaternion({name + "e0", name + "e1", name + "e2", name + "e3"},
                                  {random_.uniform(0.4, 1), random_.uniform(-1, 1),
                                   random_.uniform(-1, 1), random_.uniform(-1, 1)});
  keep(name, visviva::quaternion(P, e),
       {P.name(), "quaternion", "", {name + "e0", name + "e1", name + "e2", name + "e3"}});
  quaternions.push_back(e);
  quaternion_frames_.push_back({frames.back(), P});
}

void Mechanism::add_rodrigues(const std::string& name, const Frame& P) {
  const bool own = random_.chance(50);
  std::array<Quantity, 3> values;
  FrameRecipe recipe{P.name(), "rodrigues", "", {}};
  const std::size_t first = coordinates_.size();
  for (Quantity& value : values) {
    const Scalar g = number(0.5) * (own ? fresh_angle() : angle());
    value = g.value;
    recipe.arguments.push_back(g.python);
  }
  keep(name, rodrigues(P, values), recipe);
  if (own) bundles_.push_back({frames.back(), P, first});
}

Quantity Mechanism::free_speed() {
  return model.speed("w" + std::to_string(++free_), units::Hz.dimension());
}

Quantity Mechanism::known_spin() {
  switch (random_.below(3)) {
    case 0:
      return 0.4 * rates_[static_cast<std::size_t>(random_.below(2))].value;
    case 1:
      return 0.3 * coordinates_[0].rate.value * cos(any_angle()).value;
    default:
      return defined_.empty() ? 0.2 * coordinates_[1].rate.value : 0.3 * defined_[0] / L_;
  }
}

void Mechanism::add_fixed_spin(const std::string& name, const Frame& P) {
  const Vector axis = random_.chance(50) ? P.y() : 2 * P.x() - 2 * P.y() + P.z();
  const Quantity w = free_speed(), rest = random_.chance(50) ? known_spin() : Quantity(0);
  keep(name, spin(P, (w + rest) * axis), {});
  spins.push_back({frames.back(), P, {w}, {axis}, rest * axis});
}

void Mechanism::add_spin(const std::string& name, const Frame& P) {
  const Frame F = any_frame(), G = any_frame();
  const Quantity w1 = free_speed(), w2 = free_speed(), w3 = free_speed();
  const Vector third = F.z() + 0.3 * G.x();
  const Vector rest = random_.chance(60) ? known_spin() * G.y() : 0 * G.y() / units::s;
  keep(name, spin(P, w1 * F.x() + w2 * F.y() + w3 * third + rest), {});
  spins.push_back({frames.back(), P, {w1, w2, w3}, {F.x(), F.y(), third}, rest});
}

// ---- Points

Position Mechanism::offset(const Point& base, PointRecipe& recipe) {
  Vector sum;
  recipe.parent = base.name();
  for (int parts = 1 + random_.below(2); parts > 0; --parts) {
    const Frame& F = any_frame();
    const Scalar x = length(), y = length(), z = length();
    sum = sum + x.value * F.x() + y.value * F.y() + z.value * F.z();
    recipe.parts.push_back({F.name(), {x.python, y.python, z.python}});
  }
  return base + sum;
}

void Mechanism::add_point(const std::string& name) {
  const Point& base =
      random_.chance(70)
          ? points.back()
          : points[static_cast<std::size_t>(random_.below(static_cast<int>(points.size())))];
  PointRecipe recipe;
  points.push_back(model.point(name, offset(base, recipe)));
  point_recipes.push_back(recipe);
}

void Mechanism::add_bodies() {
  for (std::size_t i = 1; i < frames.size(); i += 3) {
    PointRecipe recipe;
    const Position at = offset(points.back(), recipe);
    origins[i] = model.body(frames[i], {.at = at, .mass = units::kg, .inertia = {}});
    points.push_back(origins[i]);
    point_recipes.push_back(recipe);
  }
}

// ---- Speeds

void Mechanism::define_block(const std::vector<std::string>& names) {
  std::vector<Coordinate*> block;
  for (Coordinate& c : coordinates_) {
    if (std::count(names.begin(), names.end(), c.q.python) != 0) block.push_back(&c);
  }
  for (const Coordinate* own : block) {
    const Scalar phase = number(random_.decimal(0.3, 1), 1 / units::s) * time_;
    Scalar sum = own->scale * own->rate * (number(1) + number(0.3) * sin(any_angle()));
    for (const Coordinate* other : block) {
      if (other != own && random_.chance(70)) {
        sum = sum + number(random_.decimal(-0.2, 0.2)) * cos(phase) * other->scale * other->rate;
      }
    }
    if (random_.chance(50)) sum = sum + Scalar{L_, "L"} * rates_[0];
    const std::string name = "u" + std::to_string(++defined_count_);
    defined_.push_back(model.speed(name, sum.value));
    definitions.emplace_back(name, sum.python);
  }
  for (Coordinate* c : block) c->is_free = false;
}

void Mechanism::name_quaternion_speeds() {
  for (const auto& [D, P] : quaternion_frames_) {
    if (options_.speeds && random_.chance(40)) {
      define_components(D, P, coordinates_.size());
      continue;
    }
    const std::string names[] = {"_wx", "_wy", "_wz"};
    for (std::size_t i = 0; i < 3; ++i) components.push_back({D.name() + names[i], D, P, D, i});
  }
}

void Mechanism::define_remaining_speeds() {
  // Components of angular velocities in the parent, along axes of one frame or another.
  for (const Bundle& b : bundles_) {
    if (random_.chance(70)) define_components(b.frame, b.parent, b.first);
  }
  std::vector<std::string> left;
  for (const Coordinate& c : coordinates_) {
    if (c.is_free && left.size() < 5 && random_.chance(60)) left.push_back(c.q.python);
  }
  if (!left.empty()) define_block(left);
}

void Mechanism::define_components(const Frame& of, const Frame& in, std::size_t first) {
  const Frame along = random_.chance(60) ? of : any_frame();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string name = of.name() + "_u" + std::to_string(i);
    model.speed(name, dot(angular_velocity(of, in), axis_of(along, i)));
    components.push_back({name, of, in, along, i});
    if (first + i < coordinates_.size()) coordinates_[first + i].is_free = false;
  }
}

}  // namespace visviva::mechanisms
