// Profiles of a scene: tables of heights over distance, such as roads.
//
// A table h(x) of lengths over lengths that a law asks for at x = a is drawn as a curve in N: at the place X along the ground it
// is as high as
//   y0 + h(X - X0),  X0 = (P - No) . e - a,                                                       (1)
// where P is the point whose height the law compares with h(a), (P - No) . u = y0 + r with the rest r of the law without the
// table. Where there is no such point the table begins at No. A road that passes below a car that stays moves with X0.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "visviva/report/derivation/derivation_outline.h"
#include "visviva/report/page/scene_parts.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/function_call.h"

namespace visviva {
namespace {

constexpr std::size_t most_profiles = 6;

const Dimension& length_dimension() {
  static const Dimension length = Dimension::of(Dimension::length);
  return length;
}

class ProfileMaker {
 public:
  ProfileMaker(const Kinematics& motion, Scene* scene)
      : model_(motion.model()), pool_(*model_.pool), scene_(*scene) {
    for (const FunctionData& f : model_.functions) {
      const bool is_height =
          f.table && f.table->argument_count() == 1 && f.dimension == length_dimension() &&
          f.parameter_dimensions.size() == 1 && f.parameter_dimensions[0] == length_dimension();
      if (is_height) heights_.insert(f.name);
    }
    find_directions();
  }

  void add_all() {
    if (heights_.empty()) return;
    for (const SpringData& spring : model_.springs)
      if (spring.on.valid()) add_calls(spring.on);
    for (const ForceData& force : model_.forces) add_calls(force.value);
    for (const EnergyData& energy : model_.energies) add_calls(energy.value);
    for (const ConstraintData& c : model_.constraints) {
      if (c.scalar.valid()) add_calls(c.scalar);
      add_calls(c.vector);
    }
    for (const PointData& P : model_.points) add_calls(P.offset);
  }

 private:
  // Up is against gravity where that is an axis of N, and what is drawn to the right lies along.
  void find_directions() {
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(scene_.up[i]) > 0.99) up_ = i;
    along_ = up_ == 0 ? 1 : 0;
  }

  void add_calls(const Vector& v) {
    if (v.model() == nullptr) return;
    for (const Vector::Part& part : v.parts())
      for (const Expr& e : part.column) add_calls(e);
  }

  void add_calls(const Expr& e) {
    if (!e.valid()) return;
    for (const std::uint32_t index : collect_cone(pool_, {e.ref()})) {
      const Node& node = pool_.node(index << 1);
      if (node.op != Op::call) continue;
      const FunctionCall call = read_call(pool_, node);
      const bool is_plain =
          call.function.by.empty() && call.function.over.empty() && !call.function.corner;
      if (!is_plain || call.arguments.size() != 1 || heights_.count(call.function.name) == 0)
        continue;
      add(call.function.name, Expr(pool_, index << 1), Expr(pool_, call.arguments[0]), e);
    }
  }

  Expr component(std::size_t point, std::size_t axis) const {
    const Vector p = Point(model_, static_cast<int>(point)) - Point(model_, 0);
    return p.model() == nullptr ? pool_.zero() : p.in(Frame(model_, 0))[axis];
  }

  // The coordinates of a law, without those by which the table is read.
  std::vector<Expr> own_coordinates(const Expr& rest) const {
    std::vector<Expr> own;
    for (const Expr& s : free_symbols(rest))
      for (const CoordinateData& c : model_.coordinates)
        if (c.q == s) own.push_back(s);
    return own;
  }

  struct Contact {
    std::size_t point = 0;
    Expr base;
  };

  // (1): the point as high as the rest, but for a constant; else one that moves with the same coordinate.
  std::optional<Contact> find_contact(const Expr& rest) const {
    const std::vector<Expr> own = own_coordinates(rest);
    if (own.empty()) return {};
    std::optional<Contact> similar;
    for (std::size_t P = 1; P < model_.points.size(); ++P) {
      const Expr height = component(P, up_);
      const bool moves_with =
          std::all_of(own.begin(), own.end(), [&](const Expr& q) { return depends_on(height, q); });
      if (!moves_with) continue;
      for (const Expr& base : {height - rest, height + rest})
        if (has_only_parameters(model_, base)) return Contact{P, base};
      if (!similar) similar = Contact{P, pool_.zero()};
    }
    return similar;
  }

  void add(const std::string& name, const Expr& call, const Expr& argument, const Expr& law) {
    if (scene_.profiles.size() >= most_profiles) return;
    Substitution without = Substitution::of_parts(pool_, {{call, pool_.zero()}});
    const std::optional<Contact> contact = find_contact(without(law));
    const Expr shift = contact ? component(contact->point, along_) - argument : pool_.zero();
    const Expr base = contact ? contact->base : pool_.zero();
    for (const auto& [other, x, y] : known_)
      if (other == name && x == shift && y == base) return add_argument(name, argument);
    known_.push_back({name, shift, base});
    const auto table = std::find_if(model_.functions.begin(), model_.functions.end(),
                                    [&](const FunctionData& f) { return f.name == name; });
    SceneProfile profile{name, table->source.span.line, table->table};
    profile.along[along_] = 1.0;
    profile.up = scene_.up;
    const std::string column = "profile(" + std::to_string(scene_.profiles.size()) + ")";
    profile.column = add_column(&scene_, column, {shift, base, argument});
    scene_.profiles.push_back(std::move(profile));
  }

  // The same road at another place: the rear wheel's.
  void add_argument(const std::string& name, const Expr& argument) {
    for (SceneProfile& profile : scene_.profiles) {
      if (profile.name != name || profile.more_columns.size() >= most_profiles) continue;
      const std::string column =
          "profile(" + name + ", " + std::to_string(profile.more_columns.size()) + ")";
      profile.more_columns.push_back(add_column(&scene_, column, {argument, argument, argument}));
      return;
    }
  }

  struct Known {
    std::string name;
    Expr shift, base;
  };

  const ModelData& model_;
  ExprPool& pool_;
  Scene& scene_;
  std::set<std::string> heights_;
  std::vector<Known> known_;
  std::size_t up_ = 1, along_ = 0;  // axes of N
};

}  // namespace

void add_profiles(const Kinematics& motion, Scene* scene) { ProfileMaker(motion, scene).add_all(); }

}  // namespace visviva
