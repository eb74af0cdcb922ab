#include "visviva/equations/loads/places.h"

#include <algorithm>
#include <map>

#include "visviva/kinematics/linear_solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

class Placer {
 public:
  explicit Placer(const Kinematics& motion)
      : motion_(motion), model_(motion.model()), pool_(*model_.pool) {}

  std::optional<Place> place_row(const ConstraintRow& row) {
    const ConstraintData& c = model_.constraints[row.constraint];
    std::optional<Place> place;
    if (c.is_drive) return place_coordinate(c.coordinate);
    switch (c.kind) {
      case ConstraintData::Kind::roll:
        place = place_roll(c, row);
        break;
      case ConstraintData::Kind::lock:
        return place_coordinate(c.coordinate);
      case ConstraintData::Kind::motion:
        place =
            place_measures(c.scalar.valid() ? c.scalar : c.vector.in(newtonian())[row.component]);
        break;
      case ConstraintData::Kind::configuration:
        place = place_virtuals(c, row.component);
        break;
    }
    if (place && has_power(*place, row.velocity.coefficients)) return place;
    if (c.kind != ConstraintData::Kind::configuration) return {};
    place = place_coordinates(*row.position);
    return place && has_power(*place, row.velocity.coefficients) ? place : std::nullopt;
  }

  std::optional<Place> place_slopes(const std::vector<VirtualSlope>& slopes) {
    using Kind = VirtualData::Kind;
    Place place;
    std::map<int, std::vector<Expr>> turns;  // by quaternion, its generalized forces on the speeds
    for (const VirtualSlope& s : slopes) {
      const int index = s.of->index;
      std::optional<Place> part;
      if (s.of->kind == Kind::point) place.forces.emplace_back(index, vector(0, s.column()));
      if (s.of->kind == Kind::frame) place.torques.emplace_back(index, vector(0, s.column()));
      if (s.of->kind == Kind::coordinate && model_.coordinates[index].quaternion >= 0) {
        std::vector<Expr>& forces = turns[model_.coordinates[index].quaternion];
        forces.resize(motion_.speeds().size(), pool_.zero());
        for (const auto& [r, c] : motion_.rate_of(model_.coordinates[index].q).coefficients)
          forces[r] += s.values[0] * c;
      } else if (s.of->kind == Kind::coordinate) {
        if (!(part = place_coordinate(index))) return {};
      } else if (s.of->kind == Kind::specified) {
        part = enters_once(model_.specified[index].derivatives[0]);
      }
      if (part) append(*part, s.values[0], &place);
    }
    for (const auto& [quaternion, forces] : turns) {
      if (!push_turn(quaternion, forces, &place)) return {};
    }
    return place;
  }

  std::optional<Place> place_motor(int index) {
    const SpecifiedData& x = model_.specified[index];
    if (std::optional<Place> place = enters_once(x.derivatives[0])) return place;
    // A rate of turning: d(w_PF)/dx along its axis.
    std::optional<Place> found;
    for (std::size_t F = 1; F < model_.frames.size(); ++F) {
      if (model_.frames[F].orientation.kind != Orientation::Kind::spin) continue;
      const VectorMotion& spin = engine_of(motion_).local_spin(static_cast<int>(F));
      const Column3 n = differentiate_column(spin.remainder, x.derivatives[0]);
      if (is_zero(n)) continue;
      if (found) return {};
      const Vector axis = vector(spin.frame, (pool_.one() / dot(n, n)) * n);
      found = Place{{}, {{static_cast<int>(F), axis}, {model_.frames[F].parent, -axis}}};
    }
    return found;
  }

  std::optional<Place> place_coordinate(int index) {
    const CoordinateData& q = model_.coordinates[index];
    if (q.quaternion >= 0) {
      std::vector<Expr> forces(motion_.speeds().size(), pool_.zero());
      for (const auto& [r, c] : motion_.rate_of(q.q).coefficients) forces[r] += c;
      Place turn;
      if (!push_turn(q.quaternion, forces, &turn)) return {};
      return turn;
    }
    std::optional<Place> place = enters_once(q.q);
    return place && has_power(*place, motion_.rate_of(q.q).coefficients) ? place : std::nullopt;
  }

  // The slopes of a condition on motion, or of a dissipation, with respect to the velocities that it mentions.
  std::optional<Place> place_measures(const Expr& g) {
    Place place;
    std::vector<Expr> done;
    for (const Expr& s : free_symbols(g)) {
      const SymbolRole* role = model_.role(s);
      if (role == nullptr) continue;
      if (role->role == Role::rate) {
        const std::optional<Place> part = place_coordinate(role->index);
        if (!part) return {};
        append(*part, motion_.resolve(Quantity(differentiate(g, s), Dimension())).expr(pool_),
               &place);
      } else if (role->role == Role::specified_rate) {
        // On the part that moves at this rate, if there is one.
        if (!(s == model_.specified[role->index].derivatives[1])) continue;
        if (const std::optional<Place> part = place_motor(role->index))
          append(*part, motion_.resolve(Quantity(differentiate(g, s), Dimension())).expr(pool_),
                 &place);
      } else if (role->role == Role::speed || role->role == Role::auxiliary) {
        return {};
      } else if (role->role == Role::measure &&
                 std::find(done.begin(), done.end(), s) == done.end()) {
        const MeasureData m = *model_.measure(s);
        done.insert(done.end(), m.symbols.begin(), m.symbols.end());
        const std::vector<Expr> slopes = gradient(g, {m.symbols[0], m.symbols[1], m.symbols[2]});
        const Vector n = motion_.resolve(vector(m.home, {slopes[0], slopes[1], slopes[2]}));
        if (!push_measure(&place, m, n)) return {};
      }
    }
    return place;
  }

 private:
  Frame newtonian() { return Frame(model_, 0); }
  Vector vector(int frame, const Column3& c) { return Vector(model_, {{frame, c}}, Dimension()); }

  // A force on the material point of a body that is at P now.
  void push_on_body(Place* place, int body, int P, const Vector& force) {
    const int origin = body == 0 ? 0 : model_.frame_origin(body);
    if (origin == P) return place->forces.emplace_back(P, force), void();
    place->forces.emplace_back(origin, force);
    place->torques.emplace_back(body, cross(Point(model_, P) - Point(model_, origin), force));
  }

  std::optional<Place> place_roll(const ConstraintData& c, const ConstraintRow& row) {
    Column3 n = zero_column(pool_);
    n[row.component] = pool_.one();
    const Vector force = vector(row.frame, n);
    Place place;
    push_on_body(&place, c.body, c.point, force);
    push_on_body(&place, c.on, c.point, -force);
    return place;
  }

  bool push_measure(Place* place, const MeasureData& m, const Vector& n) {
    switch (m.kind) {
      case MeasureData::Kind::velocity:
        place->forces.emplace_back(m.subject, n);
        push_on_body(place, m.frame, m.subject, -n);
        return true;
      case MeasureData::Kind::material_velocity:
        push_on_body(place, m.frame, m.subject, n);
        push_on_body(place, 0, m.subject, -n);
        return true;
      case MeasureData::Kind::angular_velocity:
        place->torques.emplace_back(m.subject, n);
        place->torques.emplace_back(m.frame, -n);
        return true;
      default:
        return false;
    }
  }

  // The slopes of a configuration condition with respect to displacements of what it names.
  std::optional<Place> place_virtuals(const ConstraintData& c, int component) {
    const Displaced& displaced = c.displaced;
    if (displaced.virtuals.empty())
      return c.scalar.valid() ? std::nullopt : place_difference(c, component);
    const Expr g =
        displaced.scalar.valid() ? displaced.scalar : displaced.vector.in(newtonian())[component];
    return place_slopes(compute_virtual_slopes(pool_, g, displaced.virtuals));
  }

  // P - Q = 0 without its names: the pair of points with that difference.
  std::optional<Place> place_difference(const ConstraintData& c, int component) {
    Column3 n = zero_column(pool_);
    n[component] = pool_.one();
    for (std::size_t P = 0; P < model_.points.size(); ++P) {
      for (std::size_t Q = 0; Q < model_.points.size(); ++Q) {
        const int p = static_cast<int>(P), q = static_cast<int>(Q);
        if (p == q || !(Point(model_, p) - Point(model_, q) == c.vector)) continue;
        return Place{{{p, vector(0, n)}, {q, vector(0, Column3{-n[0], -n[1], -n[2]})}}, {}};
      }
    }
    return {};
  }

  // A condition on coordinates themselves.
  std::optional<Place> place_coordinates(const Expr& g) {
    Place place;
    for (const Expr& s : free_symbols(g)) {
      const SymbolRole* role = model_.role(s);
      if (role == nullptr || role->role != Role::coordinate) continue;
      const std::optional<Place> part = place_coordinate(role->index);
      if (!part) return {};
      append(*part, differentiate(g, s), &place);
    }
    return place;
  }

  // Where a coordinate enters, when that is one frame or one point.
  std::optional<Place> enters_once(const Expr& q) {
    std::optional<Place> found;
    int count = 0;
    for (std::size_t F = 1; F < model_.frames.size(); ++F) {
      const FrameData& frame = model_.frames[F];
      bool enters = false;
      for (const Quantity& parameter : frame.orientation.parameters)
        enters |= !parameter.is_literal() && depends_on(parameter.expr(), q);
      if (!enters) continue;
      ++count;
      if (frame.orientation.kind != Orientation::Kind::simple || !frame.fixed_axis) {
        if (const std::optional<Column3> T = find_dual(static_cast<int>(F), q)) {
          const Vector torque = vector(frame.parent, *T);
          found = Place{{}, {{static_cast<int>(F), torque}, {frame.parent, -torque}}};
        }
        continue;
      }
      const Expr slope = differentiate(frame.orientation.parameters[0].expr(), q);
      const Vector axis = vector(static_cast<int>(F), (pool_.one() / slope) * *frame.fixed_axis);
      found = Place{{}, {{static_cast<int>(F), axis}, {frame.parent, -axis}}};
    }
    for (std::size_t Q = 0; Q < model_.points.size(); ++Q) {
      for (const Vector::Part& part : model_.points[Q].offset.parts()) {
        if (!depends_on(part.column[0], q) && !depends_on(part.column[1], q) &&
            !depends_on(part.column[2], q))
          continue;
        ++count;
        found = place_slide(static_cast<int>(Q), part, q);
      }
    }
    return count == 1 ? found : std::nullopt;
  }

  // The torque on a frame, in its parent, that works on the rate of q alone among those that turn the frame there
  // (O'Reilly & Srinivasa 2002 (5), (6)): with w_a = ∂w/∂q_a' and G_ab = w_a · w_b, sum_b (G^-1)_qb w_b.
  std::optional<Column3> find_dual(int F, const Expr& q) {
    const FrameData& frame = model_.frames[F];
    std::vector<Column3> turns;
    std::optional<std::size_t> own;
    for (const CoordinateData& c : model_.coordinates) {
      const bool enters = std::any_of(
          frame.orientation.parameters.begin(), frame.orientation.parameters.end(),
          [&](const Quantity& p) { return !p.is_literal() && depends_on(p.expr(), c.q); });
      if (!enters) continue;
      if (c.quaternion >= 0) return {};
      if (c.q == q) own = turns.size();
      turns.push_back(find_turn(frame.R_PB, c.q));
    }
    if (!own || turns.size() > 3) return {};
    std::vector<std::vector<Expr>> gram(turns.size());
    for (std::size_t a = 0; a < turns.size(); ++a) {
      for (const Column3& w : turns) gram[a].push_back(dot(turns[a], w));
    }
    const auto inverse = invert(gram, {});
    if (!inverse) return {};
    Column3 T = zero_column(pool_);
    for (std::size_t b = 0; b < turns.size(); ++b) T = T + (*inverse)[*own][b] * turns[b];
    return T;
  }

  // ∂w/∂q' of a rotation, from ∂R/∂q R'.
  Column3 find_turn(const Matrix3& R, const Expr& q) {
    Matrix3 slopes;
    for (std::size_t i = 0; i < 3; ++i) slopes[i] = differentiate_column(R[i], q);
    const Matrix3 spin = slopes * transpose(R);
    return {spin[2][1], spin[0][2], spin[1][0]};
  }

  // The torque between the frame of a quaternion and its parent that has these generalized forces.
  bool push_turn(int quaternion, const std::vector<Expr>& forces, Place* place) {
    for (std::size_t F = 1; F < model_.frames.size(); ++F) {
      const FrameData& frame = model_.frames[F];
      if (frame.orientation.kind != Orientation::Kind::quaternion || frame.parent < 0) continue;
      const Expr& e0 = model_.coordinates[model_.quaternions[quaternion][0]].q;
      if (!(frame.orientation.parameters[0].expr() == e0)) continue;
      const VectorMotion& spin = engine_of(motion_).local_spin(static_cast<int>(F));
      if (spin.coefficients.size() != 3) return false;
      std::vector<std::vector<Expr>> rows;
      for (const auto& [r, c] : spin.coefficients) rows.emplace_back(c.begin(), c.end());
      const auto inverse = invert(rows, {});
      if (!inverse) return false;
      Column3 T = zero_column(pool_);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
          T[i] += (*inverse)[i][k] * forces[spin.coefficients[k].first];
      }
      place->torques.emplace_back(static_cast<int>(F), vector(spin.frame, T));
      place->torques.emplace_back(frame.parent, -vector(spin.frame, T));
      return true;
    }
    return false;
  }

  static Column3 differentiate_column(const Column3& c, const Expr& symbol) {
    return {differentiate(c[0], symbol), differentiate(c[1], symbol), differentiate(c[2], symbol)};
  }

  // Along the slide on the point, and opposite on the material point of the slide's frame that is there: at the point that the
  // slide starts from, which belongs to the body that the slide turns with, if it is fixed in that, whoever else has it too.
  Place place_slide(int Q, const Vector::Part& part, const Expr& q) {
    const Column3 n = differentiate_column(part.column, q);
    const PointData& point = model_.points[Q];
    const Vector force = vector(part.frame, (pool_.one() / dot(n, n)) * n);
    Place place{{{Q, force}}, {}};
    const int body = find_carrier(part.frame);
    if (body > 0 && is_fixed_in(point.parent, body))
      push_on_body(&place, body, point.parent, -force);
    else
      place.forces.emplace_back(point.parent, -force);
    for (const Vector::Part& arm : point.offset.parts()) {
      const Vector couple = -cross(vector(arm.frame, arm.column), force);
      if (!couple.is_zero()) place.torques.emplace_back(arm.frame, couple);
    }
    return place;
  }

  // The frame of the body that a frame is fixed to; -1 when there is none.
  int find_carrier(int frame) {
    for (; frame > 0; frame = model_.frames[frame].parent) {
      if (model_.frames[frame].body >= 0) return frame;
      const VectorMotion& spin = engine_of(motion_).local_spin(frame);
      if (!spin.coefficients.empty() || !is_zero(spin.remainder)) return -1;
    }
    return -1;
  }

  bool is_fixed_in(int point, int body) {
    const Point P(model_, point);
    return motion_.velocity(P) == motion_.velocity_on(P, Frame(model_, body));
  }

  static void append(const Place& part, const Expr& factor, Place* sum) {
    const Place scaled = scale_place(part, factor);
    sum->forces.insert(sum->forces.end(), scaled.forces.begin(), scaled.forces.end());
    sum->torques.insert(sum->torques.end(), scaled.torques.begin(), scaled.torques.end());
  }

  // (1)
  bool has_power(const Place& place, const std::vector<std::pair<int, Expr>>& coefficients) {
    std::vector<Expr> wanted(motion_.speeds().size(), pool_.zero());
    for (const auto& [r, a] : coefficients) wanted[r] += a;
    return have_same_power(motion_, place, wanted);
  }

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
};

bool may_be_same(const Expr& a, const Expr& b) {
  return a == b || is_proved_zero(a - b) || compare(a, b).verdict != Verdict::different;
}

}  // namespace

bool have_same_power(const Kinematics& motion, const Place& place,
                     const std::vector<Expr>& wanted) {
  const Load load{Load::Kind::force, 0, {}, {}, place.forces, place.torques, {}};
  return std::ranges::equal(compute_generalized_forces(motion, load), wanted, may_be_same);
}

bool is_on_ground(const Kinematics& motion, int point) {
  const auto is_center = [&](const BodyData& body) { return body.point == point; };
  const std::vector<BodyData>& bodies = motion.model().bodies;
  if (std::any_of(bodies.begin(), bodies.end(), is_center)) return false;
  const VectorMotion& v = engine_of(motion).velocity(point);
  return v.coefficients.empty() && is_zero(v.remainder);
}

int find_body_of_point(const Kinematics& motion, int point) {
  const ModelData& model = motion.model();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].point == point) return static_cast<int>(b);
  }
  if (is_on_ground(motion, point)) return -1;
  const Point P(model, point);
  const Vector v = motion.velocity(P);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int frame = model.bodies[b].frame;
    if (frame >= 0 && v == motion.velocity_on(P, Frame(model, frame))) return static_cast<int>(b);
  }
  return -1;
}

std::optional<ChangedRate> find_changed_rate(const ModelData& model, const VirtualData& v) {
  if (v.kind != VirtualData::Kind::time) return {};
  const auto name = [](const Expr& e) { return e.home().symbol_name(e.ref()); };
  const std::string changed = name(v.symbols[0]);  // change(h')
  for (std::size_t i = 0; i < model.specified.size(); ++i) {
    for (std::size_t k = 1; k < 3; ++k) {
      if (changed == "change(" + name(model.specified[i].derivatives[k]) + ")")
        return ChangedRate{static_cast<int>(i), static_cast<int>(k)};
    }
  }
  return {};
}

std::vector<VirtualSlope> compute_virtual_slopes(ExprPool& pool, const Expr& displaced,
                                                 const std::vector<VirtualData>& virtuals) {
  Replacements rest;
  for (const VirtualData& v : virtuals) {
    for (const Expr& s : v.symbols) rest.emplace_back(s, pool.zero());
  }
  Substitution undisplaced(pool, rest);
  std::vector<VirtualSlope> result;
  for (const VirtualData& v : virtuals) {
    VirtualSlope slope{&v, undisplaced(gradient(displaced, v.symbols))};
    const bool vanishes = std::all_of(slope.values.begin(), slope.values.end(),
                                      [](const Expr& e) { return e.is_zero(); });
    if (!vanishes) result.push_back(std::move(slope));
  }
  return result;
}

std::optional<Place> place_slopes(const Kinematics& motion,
                                  const std::vector<VirtualSlope>& slopes) {
  const Workspace work = Workspace::continued(*motion.pool());
  return Placer(motion).place_slopes(slopes);
}

std::optional<Place> place_row(const Kinematics& motion, const ConstraintRow& row) {
  const Workspace work = Workspace::continued(*motion.pool());
  return Placer(motion).place_row(row);
}

std::optional<Place> place_coordinate(const Kinematics& motion, int coordinate) {
  const Workspace work = Workspace::continued(*motion.pool());
  return Placer(motion).place_coordinate(coordinate);
}

std::optional<Place> place_motor(const Kinematics& motion, int specified) {
  const Workspace work = Workspace::continued(*motion.pool());
  return Placer(motion).place_motor(specified);
}

std::optional<Place> place_rates(const Kinematics& motion, const Expr& law) {
  const Workspace work = Workspace::continued(*motion.pool());
  return Placer(motion).place_measures(law);
}

Place scale_place(const Place& place, const Expr& factor) {
  const Quantity scale(factor, Dimension());
  Place scaled;
  for (const auto& [point, force] : place.forces) scaled.forces.emplace_back(point, scale * force);
  for (const auto& [frame, torque] : place.torques)
    scaled.torques.emplace_back(frame, scale * torque);
  return scaled;
}

NetWrench compute_net_wrench(const Kinematics& motion, const Place& place) {
  const Workspace work = Workspace::continued(*motion.pool());
  const ModelData& model = motion.model();
  const auto bare = [&](const Vector& v) { return Vector(model, v.parts(), Dimension()); };
  NetWrench net{Vector(model, {}, Dimension()), Vector(model, {}, Dimension())};
  for (const auto& [point, force] : place.forces) {
    net.force = net.force + bare(force);
    net.moment = net.moment + bare(cross(Point(model, point) - Point(model, 0), force));
  }
  for (const auto& [frame, torque] : place.torques) net.moment = net.moment + bare(torque);
  return net;
}

}  // namespace visviva
