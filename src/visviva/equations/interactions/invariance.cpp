#include "visviva/equations/interactions/invariance.h"

#include <algorithm>

#include "visviva/equations/interactions/surface_samples.h"
#include "visviva/equations/interactions/time_dependence.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

// The place where a coordinate or specified function enters, by what the law names; nothing when it has none.
std::optional<Place> place_of(const Kinematics& motion, const VirtualData& v) {
  if (v.kind == VirtualData::Kind::coordinate) return place_coordinate(motion, v.index);
  if (v.kind == VirtualData::Kind::specified) return place_motor(motion, v.index);
  return {};
}

class InvarianceJudge {
 public:
  InvarianceJudge(const Kinematics& motion, PartTable& parts, const InteractionLaw& law,
                  bool counts_ground)
      : motion_(motion),
        model_(motion.model()),
        pool_(*model_.pool),
        parts_(parts),
        law_(law),
        counts_ground_(counts_ground) {}

  Invariance judge(const std::vector<PartAction>& actions) {
    add_up(actions);
    result_.breaks_time = law_.is_explicit_in_time;
    if (law_.displaced == nullptr) return result_;
    const DrivenRates rates = law_.kind == InteractionLaw::Kind::function
                                  ? DrivenRates::are_explicit
                                  : DrivenRates::have_places;
    if (!find_explicit_time(motion_, *law_.displaced, rates).empty()) result_.breaks_time = true;
    if (law_.kind != InteractionLaw::Kind::given) superpose();
    return result_;
  }

 private:
  bool counts(int part) const { return counts_ground_ || !parts_[part].is_ground(); }

  // interactions.h (2)
  void add_up(const std::vector<PartAction>& actions) {
    result_.force = result_.moment = Vector(model_, {}, Dimension());
    for (const PartAction& a : actions) {
      if (!counts(a.part)) continue;
      const Vector arm = Point(model_, parts_[a.part].point) - Point(model_, 0);
      const Vector p(model_, arm.parts(), Dimension());
      result_.force = result_.force + a.force;
      result_.moment = result_.moment + a.moment + cross(p, a.force);
    }
    if (result_.moment == law_.vanishing_moment) result_.moment = Vector(model_, {}, Dimension());
    result_.breaks_translation = !vanish(result_.force);
    result_.breaks_rotation = !vanish(result_.moment);
  }

  // The law's components in N, with everything it names displaced.
  std::vector<Expr> displaced_law() const {
    const Displaced& d = *law_.displaced;
    if (d.scalar.valid()) return {d.scalar};
    if (d.vector.model() == nullptr) return {};
    const Column3 c = d.vector.in(Frame(model_, 0));
    return {c[0], c[1], c[2]};
  }

  Column3 position(int P) const {
    const Vector p = Point(model_, P) - Point(model_, 0);
    return p.model() == nullptr ? zero_column(pool_) : p.in(Frame(model_, 0));
  }
  // Where a point that the law names is: anywhere.
  Column3 anywhere(int P) const {
    Column3 shift;
    for (std::size_t k = 0; k < 3; ++k)
      shift[k] = pool_.symbol("displacement(" + model_.points[P].name + ")." + "xyz"[k]);
    return position(P) + shift;
  }

  Column3 axis(std::size_t k) const {
    Column3 e = zero_column(pool_);
    e[k] = pool_.one();
    return e;
  }

  void superpose() {
    const std::vector<Expr> law = displaced_law();
    if (law.empty()) return;
    Replacements rest;
    for (const VirtualData& v : law_.displaced->virtuals) {
      if (v.kind == VirtualData::Kind::point && moves(v)) continue;
      for (const Expr& s : v.symbols) rest.emplace_back(s, pool_.zero());
    }
    Substitution undisplaced(pool_, rest);
    for (std::size_t k = 0; k < 3; ++k) {
      check_translation(law, k, undisplaced);
      check_rotation(law, k, undisplaced);
    }
    if (law_.kind == InteractionLaw::Kind::force) check_rates(law, undisplaced);
  }

  // The derivative of each component when displacements change at these rates.
  std::vector<Expr> along(const std::vector<Expr>& law,
                          const std::vector<std::pair<Expr, Expr>>& rates,
                          Substitution& undisplaced) {
    Tangent tangent(pool_, rates);
    std::vector<Expr> slopes;
    for (const Expr& e : law) slopes.push_back(resolve(undisplaced(tangent(e))));
    return slopes;
  }

  // In terms of the state; velocities that the law names may be any, as places are.
  Expr resolve(const Expr& e) const {
    Replacements any;
    for (const Expr& s : free_symbols(e)) {
      if (model_.measure(s))
        any.emplace_back(s, pool_.symbol("any " + s.home().symbol_name(s.ref())));
    }
    return motion_.resolve(Quantity(substitute(e, any), Dimension())).expr(pool_);
  }

  // What vanishes wherever it is looked at, but is not proved to, stays open.
  bool vanish(const std::vector<Expr>& all) {
    using Look = SurfaceSamples::Look;
    for (const Expr& e : all) {
      if (e.is_zero()) continue;
      if (SurfaceSamples(model_, {}).look_at(e) != Look::vanishes) return false;
      result_.is_undecided = true;
    }
    return true;
  }
  bool vanish(const Vector& v) {
    if (v.is_zero()) return true;
    const Column3 c = motion_.resolve(v).in(Frame(model_, 0));
    return vanish(std::vector<Expr>{c[0], c[1], c[2]});
  }

  bool moves(const VirtualData& v) {
    return v.kind == VirtualData::Kind::point   ? counts(parts_.of_point(v.index))
           : v.kind == VirtualData::Kind::frame ? counts(parts_.of_frame(v.index))
                                                : false;
  }

  // ∂L/∂s
  void check_translation(const std::vector<Expr>& law, std::size_t k, Substitution& undisplaced) {
    std::vector<std::pair<Expr, Expr>> rates;
    for (const VirtualData& v : law_.displaced->virtuals) {
      if (v.kind == VirtualData::Kind::point && moves(v))
        rates.emplace_back(v.symbols[k], pool_.one());
    }
    push_scalars(law, {k, false}, undisplaced, &rates);
    std::vector<Expr> slopes = along(law, rates, undisplaced);
    if (law_.kind == InteractionLaw::Kind::place) slopes[k] -= pool_.one();
    keep(slopes, k);
    if (!vanish(slopes)) result_.breaks_translation = result_.is_law_fixed = true;
  }

  // (1)
  void check_rotation(const std::vector<Expr>& law, std::size_t k, Substitution& undisplaced) {
    std::vector<std::pair<Expr, Expr>> rates;
    for (const VirtualData& v : law_.displaced->virtuals) {
      if (!moves(v)) continue;
      const Column3 change =
          v.kind == VirtualData::Kind::frame ? axis(k) : cross(axis(k), anywhere(v.index));
      for (std::size_t i = 0; i < 3; ++i) rates.emplace_back(v.symbols[i], change[i]);
    }
    for (const VirtualData& v : law_.displaced->virtuals) {
      if (turns_with_parts(v)) rates.emplace_back(v.symbols[0], turn_parameter(v.index, k));
    }
    for (const MeasureData& m : list_measures(law)) {
      const Column3 change = cross(axis_in(k, m.home), m.symbols);
      for (std::size_t i = 0; i < 3; ++i) rates.emplace_back(m.symbols[i], change[i]);
    }
    push_scalars(law, {k, true}, undisplaced, &rates);
    std::vector<Expr> slopes = along(law, rates, undisplaced);
    if (slopes.size() == 3) {
      const std::vector<Expr> still = undisplaced(law);
      const Column3 turned =
          cross(axis(k), {resolve(still[0]), resolve(still[1]), resolve(still[2])});
      for (std::size_t i = 0; i < 3; ++i) slopes[i] -= turned[i];
    }
    keep(slopes, 3 + k);
    if (!vanish(slopes)) result_.breaks_rotation = result_.is_law_fixed = true;
  }

  void keep(const std::vector<Expr>& slopes, std::size_t k) {
    if (law_.kind != InteractionLaw::Kind::function || slopes.size() != 1) return;
    result_.displaced.resize(6);
    result_.displaced[k] = slopes[0];
  }

  // An Euler parameter: what a rotation of the parts changes, if its frame is turned from the ground, is known.
  bool is_parameter(const VirtualData& v) const {
    return v.kind == VirtualData::Kind::coordinate && model_.coordinates[v.index].quaternion >= 0 &&
           frame_of(v.index) >= 0;
  }
  bool turns_with_parts(const VirtualData& v) {
    return is_parameter(v) && !counts(parts_.of_frame(model_.frames[frame_of(v.index)].parent));
  }

  const auto& members_of(int coordinate) const {
    return model_.quaternions[static_cast<std::size_t>(model_.coordinates[coordinate].quaternion)];
  }

  // The frame that the quaternion of an Euler parameter orients; -1 when there is none.
  int frame_of(int coordinate) const {
    const Expr& e0 = model_.coordinates[members_of(coordinate)[0]].q;
    for (std::size_t F = 0; F < model_.frames.size(); ++F) {
      const Orientation& o = model_.frames[F].orientation;
      if (o.kind == Orientation::Kind::quaternion && o.parameters[0].expr() == e0)
        return static_cast<int>(F);
    }
    return -1;
  }

  // e' = (0, w) e/2 for w the k-th axis of N, written in the frame's parent.
  Expr turn_parameter(int coordinate, std::size_t k) const {
    const auto& members = members_of(coordinate);
    const auto q = [&](std::size_t i) { return model_.coordinates[members[i]].q; };
    const Column3 w = axis_in(k, model_.frames[frame_of(coordinate)].parent);
    const Column3 e = {q(1), q(2), q(3)};
    const Expr half = pool_.rational(1, 2);
    if (members[0] == coordinate) return -half * dot(w, e);
    const Column3 turned = cross(w, e);
    for (std::size_t i = 0; i < 3; ++i) {
      if (members[i + 1] == coordinate) return half * (q(0) * w[i] + turned[i]);
    }
    return pool_.zero();
  }

  // The k-th axis of N in a frame.
  Column3 axis_in(std::size_t k, int frame) const {
    const Vector e(model_, {{0, axis(k)}}, Dimension());
    return e.in(Frame(model_, frame));
  }

  std::vector<MeasureData> list_measures(const std::vector<Expr>& law) const {
    std::vector<MeasureData> all;
    for (const Expr& s : free_symbols(law)) {
      const std::optional<MeasureData> m = model_.measure(s);
      const auto same = [&](const MeasureData& other) { return other.symbols[0] == m->symbols[0]; };
      if (m && std::none_of(all.begin(), all.end(), same)) all.push_back(*m);
    }
    return all;
  }

  // A motion along the k-th axis of N, or about it.
  struct Superposed {
    std::size_t k;
    bool is_turn;
  };

  // What a scalar that separates parts changes by when they are moved: by the work of its place. Nothing without one.
  std::optional<Expr> change_of(const VirtualData& v, Superposed how) {
    const std::optional<Place> place = place_of(motion_, v);
    if (!place) return {};
    Expr change = pool_.zero();
    for (const auto& [point, direction] : place->forces) {
      if (!counts(parts_.of_point(point))) continue;
      const Column3 moved = how.is_turn ? cross(axis(how.k), position(point)) : axis(how.k);
      change += dot(direction.in(Frame(model_, 0)), moved);
    }
    for (const auto& [frame, direction] : place->torques) {
      if (how.is_turn && counts(parts_.of_frame(frame)))
        change += direction.in(Frame(model_, 0))[how.k];
    }
    return change;
  }

  // The changes of coordinates and functions that a law names. One without a place leaves the verdict open.
  void push_scalars(const std::vector<Expr>& law, Superposed how, Substitution& undisplaced,
                    std::vector<std::pair<Expr, Expr>>* rates) {
    if (counts_ground_) return;
    for (const VirtualData& v : law_.displaced->virtuals) {
      const bool is_coordinate = v.kind == VirtualData::Kind::coordinate && !is_parameter(v);
      const bool is_function = v.kind == VirtualData::Kind::specified;
      if (!is_coordinate && !is_function) continue;
      if (const std::optional<Expr> change = change_of(v, how))
        rates->emplace_back(v.symbols[0], *change);
      else if (is_coordinate && !vanish(along(law, {{v.symbols[0], pool_.one()}}, undisplaced)))
        result_.is_undecided = true;
    }
  }

  // The changes of rates when the superposed motion has a rate itself, and of speeds, which change when the rates of their
  // definitions do; a free one is the spin of a frame in its parent.
  void push_rates(const std::vector<Expr>& law, Superposed how,
                  std::vector<std::pair<Expr, Expr>>* rates) {
    for (const VirtualData& v : law_.displaced->virtuals) {
      const std::optional<ChangedRate> rate = find_changed_rate(model_, v);
      if (!rate || rate->order != 1) continue;
      const VirtualData function{VirtualData::Kind::specified, rate->specified, {}};
      if (const std::optional<Expr> change = change_of(function, how))
        rates->emplace_back(v.symbols[0], *change);
    }
    for (const Expr& s : free_symbols(law)) {
      const SymbolRole* role = model_.role(s);
      if (role == nullptr) continue;
      if (role->role == Role::rate) rates->emplace_back(s, rate_change(role->index, how));
      if (role->role == Role::speed)
        rates->emplace_back(s, speed_change(model_.speeds[role->index], how));
    }
  }

  Expr rate_change(int coordinate, Superposed how) {
    const auto change = change_of({VirtualData::Kind::coordinate, coordinate, {}}, how);
    if (!change) result_.is_undecided = true;
    return change.value_or(pool_.zero());
  }

  Expr speed_change(const SpeedData& speed, Superposed how) {
    Expr change = pool_.zero();
    if (!speed.definition) {
      if (how.is_turn) check_spin(speed);
      return change;
    }
    for (const Expr& s : free_symbols(*speed.definition)) {
      const SymbolRole* role = model_.role(s);
      if (role != nullptr && role->role == Role::rate)
        change += differentiate(*speed.definition, s) * rate_change(role->index, how);
      else if (role != nullptr && (role->role == Role::speed || role->role == Role::measure))
        result_.is_undecided = true;
    }
    return change;
  }

  void check_spin(const SpeedData& speed) {
    for (std::size_t F = 1; F < model_.frames.size(); ++F) {
      const FrameData& frame = model_.frames[F];
      if (frame.orientation.kind != Orientation::Kind::spin) continue;
      const Vector& w = frame.orientation.angular_velocity;
      if (w.model() == nullptr || !mentions(w, speed.u)) continue;
      if (parts_[parts_.of_frame(frame.parent)].is_ground())
        result_.breaks_rotation = result_.is_law_fixed = true;
    }
  }

  static bool mentions(const Vector& v, const Expr& symbol) {
    return std::any_of(v.parts().begin(), v.parts().end(), [&](const Vector::Part& part) {
      return std::any_of(part.column.begin(), part.column.end(),
                         [&](const Expr& e) { return depends_on(e, symbol); });
    });
  }

  // (2); what is seen from the ground moves with it when the ground counts.
  void check_rates(const std::vector<Expr>& law, Substitution& undisplaced) {
    if (counts_ground_) return;
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<std::pair<Expr, Expr>> shift, turn;
      for (const MeasureData& m : list_measures(law)) {
        const Column3 e = axis_in(k, m.home);
        using Kind = MeasureData::Kind;
        const bool is_absolute =
            m.kind == Kind::material_velocity ? counts(parts_.of_frame(m.frame))
            : m.kind == Kind::velocity        ? m.frame == 0 && counts(parts_.of_point(m.subject))
                                              : m.frame == 0;
        if (m.kind == Kind::velocity || m.kind == Kind::material_velocity) {
          if (!is_absolute) continue;
          const Vector p(model_, {{0, anywhere(m.subject)}}, Dimension());
          const Column3 swing = cross(e, p.in(Frame(model_, m.home)));
          for (std::size_t i = 0; i < 3; ++i) {
            shift.emplace_back(m.symbols[i], e[i]);
            turn.emplace_back(m.symbols[i], swing[i]);
          }
        } else if (m.kind == Kind::angular_velocity) {
          if (!is_absolute || !counts(parts_.of_frame(m.subject))) continue;
          for (std::size_t i = 0; i < 3; ++i) turn.emplace_back(m.symbols[i], e[i]);
        } else {
          result_.breaks_translation = result_.breaks_rotation = result_.is_law_fixed = true;
        }
      }
      push_rates(law, {k, false}, &shift);
      push_rates(law, {k, true}, &turn);
      if (!vanish(along(law, shift, undisplaced)))
        result_.breaks_translation = result_.is_law_fixed = true;
      if (!vanish(along(law, turn, undisplaced)))
        result_.breaks_rotation = result_.is_law_fixed = true;
    }
  }

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  PartTable& parts_;
  const InteractionLaw& law_;
  const bool counts_ground_;
  Invariance result_;
};

}  // namespace

Invariance judge_invariance(const Kinematics& motion, PartTable& parts,
                            const std::vector<PartAction>& actions, const InteractionLaw& law,
                            bool counts_ground) {
  return InvarianceJudge(motion, parts, law, counts_ground).judge(actions);
}

}  // namespace visviva
