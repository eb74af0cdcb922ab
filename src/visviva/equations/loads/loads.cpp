#include "visviva/equations/loads/loads.h"

#include <algorithm>
#include <map>

#include "visviva/base/error.h"
#include "visviva/equations/loads/absorbed_unknowns.h"
#include "visviva/equations/loads/line_pieces.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

class Collector {
 public:
  explicit Collector(const Kinematics& motion)
      : motion_(motion), model_(motion.model()), pool_(*model_.pool) {
    for (const Speed& s : motion.speeds()) speeds_.push_back(s.u);
    Replacements none;
    for (const AuxiliaryData& a : model_.auxiliaries) none.emplace_back(a.symbol, pool_.zero());
    at_rest_.emplace(pool_, none);
  }

  std::vector<Load> collect() {
    if (model_.gravity) add_gravity();
    for (std::size_t i = 0; i < model_.forces.size(); ++i) add_force(static_cast<int>(i));
    gather_pieces();
    for (std::size_t i = 0; i < model_.springs.size(); ++i) add_spring(static_cast<int>(i));
    for (std::size_t i = 0; i < model_.energies.size(); ++i) add_energy(static_cast<int>(i));
    return std::move(loads_);
  }

 private:
  // ---- Laws in terms of speeds; auxiliary speeds are zero

  Expr resolve(const Expr& e) {
    return (*at_rest_)(motion_.resolve(Quantity(e, Dimension())).expr());
  }
  Vector resolve(const Vector& v) {
    std::vector<Vector::Part> parts = v.parts();
    for (Vector::Part& part : parts) {
      for (Expr& e : part.column) e = resolve(e);
    }
    return Vector(model_, std::move(parts), v.dimension());
  }

  // ---- Kinds

  void add_gravity() {
    const Vector g = resolve(*model_.gravity);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const BodyData& body = model_.bodies[b];
      const bool goes_on = b > 0 && body.line >= 0 && model_.bodies[b - 1].line == body.line;
      if (!goes_on) {
        const std::string& name =
            body.line >= 0 ? model_.lines[static_cast<std::size_t>(body.line)].name : body.name;
        loads_.push_back({Load::Kind::gravity,
                          static_cast<int>(b),
                          "gravity on " + name,
                          model_.gravity_source,
                          {},
                          {},
                          {}});
      }
      loads_.back().forces.emplace_back(body.point,
                                        Quantity(body.mass, Dimension::of(Dimension::mass)) * g);
    }
  }

  // Forces of a law per length become one load.
  void gather_pieces() {
    std::map<std::string, const DistributedData*> whole;
    for (const DistributedData& spread : model_.distributed)
      for (const std::string& name : spread.forces) whole.emplace(name, &spread);
    if (whole.empty()) return;
    std::vector<Load> all;
    std::map<const DistributedData*, std::size_t> places;
    for (Load& load : loads_) {
      const bool is_law = load.kind == Load::Kind::force || load.kind == Load::Kind::torque;
      const auto found = is_law ? whole.find(load.name) : whole.end();
      if (found == whole.end()) {
        all.push_back(std::move(load));
        continue;
      }
      const auto [place, is_new] = places.emplace(found->second, all.size());
      if (is_new) {
        load.name = found->second->name;
        all.push_back(std::move(load));
        continue;
      }
      add_piece(std::move(load), &all[place->second]);
    }
    loads_ = std::move(all);
  }

  void add_force(int index) {
    loads_.push_back(make_force(index, resolve(model_.forces[index].value)));
  }

 public:
  static void add_piece(Load piece, Load* whole) {
    whole->forces.insert(whole->forces.end(), piece.forces.begin(), piece.forces.end());
    whole->torques.insert(whole->torques.end(), piece.torques.begin(), piece.torques.end());
  }

  Load make_force(int index, const Vector& value) {
    const ForceData& f = model_.forces[index];
    Load load{
        f.is_torque ? Load::Kind::torque : Load::Kind::force, index, f.name, f.source, {}, {}, {}};
    if (f.is_torque) {
      load.torques.emplace_back(f.frame, value);
      if (f.from_frame >= 0) load.torques.emplace_back(f.from_frame, -value);
    } else {
      add_force_at(&load, f.point, f.frame, value);
      if (f.from_point >= 0) load.forces.emplace_back(f.from_point, -value);
    }
    return load;
  }

  // The terms of a force's law in which nothing is a velocity. Of a polynomial in velocities they are its value at
  // rest; a sign or a root of a velocity has no such term, whatever its value at rest is.
  Vector leave_velocities_out(const Vector& law) {
    std::vector<Expr> components;
    for (const Vector::Part& part : law.parts())
      components.insert(components.end(), part.column.begin(), part.column.end());
    const Replacements zeros = list_velocities(components);
    Substitution rest(pool_, zeros);
    std::vector<Vector::Part> parts = law.parts();
    for (Vector::Part& part : parts) {
      for (Expr& e : part.column) {
        const Expr at_rest = rest(e);
        e = is_polynomial_in(e, zeros) ? at_rest : add_terms_without(e, zeros);
      }
    }
    return resolve(Vector(model_, std::move(parts), law.dimension()));
  }

 private:
  // All that is a velocity, with zero for each.
  Replacements list_velocities(const std::vector<Expr>& components) {
    Replacements zeros;
    for (const Expr& s : free_symbols(components)) {
      if (model_.measure(s)) zeros.emplace_back(s, pool_.zero());
    }
    for (const CoordinateData& c : model_.coordinates) zeros.emplace_back(c.rate, pool_.zero());
    for (const Expr& u : speeds_) {
      const bool is_rate = std::any_of(zeros.begin(), zeros.end(),
                                       [&](const auto& z) { return z.first.ref() == u.ref(); });
      if (!is_rate) zeros.emplace_back(u, pool_.zero());
    }
    for (const SpecifiedData& s : model_.specified) {
      for (std::size_t k = 1; k < s.derivatives.size(); ++k)
        zeros.emplace_back(s.derivatives[k], pool_.zero());
    }
    return zeros;
  }

  // Whether velocities stand in sums and products alone.
  static bool is_polynomial_in(const Expr& e, const Replacements& velocities) {
    ExprPool& pool = e.pool();
    IndexMap moves;
    for (const auto& v : velocities) moves.set(pool.take(v.first) >> 1, 1);
    for (const std::uint32_t index : collect_cone(pool, {e.ref()})) {
      const Node& n = pool.node(index << 1);
      const int operands = operand_count(n.op);
      const bool a_moves = operands > 0 && moves.contains(n.a >> 1);
      const bool b_moves = operands > 1 && moves.contains(n.b >> 1);
      if (!a_moves && !b_moves) continue;
      if (!is_arithmetic(n.op) || (n.op == Op::divide && b_moves)) return false;
      moves.set(index, 1);
    }
    return true;
  }

  // The terms of the multiplied-out expression without velocities; none where it is too large for that.
  Expr add_terms_without(const Expr& e, const Replacements& velocities) const {
    Expr sum = pool_.zero();
    const std::optional<std::vector<Expr>> terms = expand_sum(e);
    if (!terms) return sum;
    for (const Expr& term : *terms) {
      const bool moves = std::any_of(velocities.begin(), velocities.end(),
                                     [&](const auto& v) { return depends_on(term, v.first); });
      if (!moves) sum += term;
    }
    return sum;
  }

  // At a point, or on the material point of a body that is there now: moved to a point fixed in
  // the body.
  void add_force_at(Load* load, int point, int body, const Vector& value) {
    if (body < 0) {
      load->forces.emplace_back(point, value);
      return;
    }
    const int origin = model_.frame_origin(body);
    load->forces.emplace_back(origin, value);
    if (origin != point)
      load->torques.emplace_back(body, cross(Point(model_, point) - Point(model_, origin), value));
  }

  void add_spring(int index) {
    const SpringData& s = model_.springs[index];
    Load load{
        s.is_damper ? Load::Kind::damper : Load::Kind::spring, index, s.name, s.source, {}, {}, {}};
    const Expr k = resolve(s.coefficient);
    if (s.on.valid()) {
      const ScalarMotion rate = motion_.rate_of(s.on);
      const Expr pull = s.is_damper ? -(k * total(rate, speeds_)) : -(k * (s.on - rest_of(s)));
      for (const auto& [r, c] : rate.coefficients) load.generalized.emplace_back(r, pull * c);
    } else {
      const Point from(model_, s.from), to(model_, s.to);
      const Vector d = to - from;
      const Quantity factor(s.is_damper ? damper_factor(s, k, d) : spring_factor(s, k, d),
                            Dimension());
      load.forces.emplace_back(s.from, factor * d);
      load.forces.emplace_back(s.to, -(factor * d));
    }
    loads_.push_back(std::move(load));
  }

  Expr rest_of(const SpringData& s) { return s.rest.valid() ? resolve(s.rest) : pool_.zero(); }

  // Tension over length: k (1 - rest/length), without a division where the rest length is zero.
  Expr spring_factor(const SpringData& s, const Expr& k, const Vector& d) {
    const Expr rest = rest_of(s);
    return rest.is_zero() ? k : k * (1.0 - rest / magnitude(d).expr());
  }

  // b length'/length, length length' = d · d'
  Expr damper_factor(const SpringData& s, const Expr& b, const Vector& d) {
    const Vector v =
        motion_.velocity(Point(model_, s.to)) - motion_.velocity(Point(model_, s.from));
    return b * (dot(d, v).expr() / dot(d, d).expr());
  }

  void add_energy(int index) {
    const EnergyData& e = model_.energies[index];
    Load load{e.is_dissipation ? Load::Kind::dissipation : Load::Kind::potential,
              index,
              e.name,
              e.source,
              {},
              {},
              {}};
    const Expr value = resolve(e.value);
    if (e.is_dissipation) {
      const std::vector<Expr> slopes = gradient(value, speeds_);
      for (std::size_t r = 0; r < slopes.size(); ++r) {
        if (!slopes[r].is_zero()) load.generalized.emplace_back(static_cast<int>(r), -slopes[r]);
      }
    } else {
      for (const auto& [r, c] : motion_.rate_of(value).coefficients)
        load.generalized.emplace_back(r, -c);
    }
    loads_.push_back(std::move(load));
  }

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  std::vector<Expr> speeds_;
  std::optional<Substitution> at_rest_;
  std::vector<Load> loads_;
};

// Components of a vector in the frame of a motion, dotted with its coefficients.
void add_power(const VectorMotion& motion, const Vector& load, const ModelData& model,
               std::vector<Expr>* sums) {
  if (motion.coefficients.empty()) return;
  const Column3 column = load.in(Frame(model, motion.frame));
  for (const auto& [r, c] : motion.coefficients) (*sums)[r] += dot(c, column);
}

bool is_zero_load(const Load& load) {
  for (const auto& entry : load.forces) {
    if (!entry.second.is_zero()) return false;
  }
  for (const auto& entry : load.torques) {
    if (!entry.second.is_zero()) return false;
  }
  return load.generalized.empty();
}

Noncontributing explain(const Kinematics& motion, const Load& load) {
  using Kind = Noncontributing::Kind;
  const auto because = [&](Kind kind) { return Noncontributing{load.name, kind, {}, load.source}; };
  const ModelData& model = motion.model();
  bool is_fixed = true;
  for (const auto& entry : load.forces)
    is_fixed &= motion.velocity(Point(model, entry.first)).is_zero();
  for (const auto& entry : load.torques)
    is_fixed &= motion.angular_velocity(Frame(model, entry.first)).is_zero();
  if (is_fixed) return because(Kind::at_rest);
  bool is_specified = true;
  for (const auto& entry : load.forces)
    is_specified &= motion.point_motion(Point(model, entry.first)).coefficients.empty();
  for (const auto& entry : load.torques)
    is_specified &= motion.angular_motion(Frame(model, entry.first)).coefficients.empty();
  if (is_specified) return because(Kind::on_given_motion);
  if (load.forces.size() == 2 && load.torques.empty()) {
    const Point P(model, load.forces[0].first), Q(model, load.forces[1].first);
    const Expr length = dot(P - Q, P - Q).expr(*model.pool);
    if (motion.rate_of(length).coefficients.empty() &&
        cross(P - Q, load.forces[0].second).is_zero())
      return {load.name, Kind::along_constant_length, {P.name(), Q.name()}, load.source};
  }
  if (load.forces.size() + load.torques.size() > 1) return because(Kind::cancelling);
  return because(load.forces.empty() ? Kind::perpendicular_torque : Kind::perpendicular_force);
}

// Generalized forces of every load, where there are unknown forces to look for.
std::vector<std::vector<Expr>> list_unknown_forces(const Kinematics& motion,
                                                   const std::vector<Load>& loads) {
  std::vector<std::vector<Expr>> forces;
  if (motion.model().unknowns.empty()) return forces;
  for (const Load& load : loads) forces.push_back(compute_generalized_forces(motion, load));
  return forces;
}

std::vector<Expr> find_absorbed(const Kinematics& motion, const std::vector<Load>& loads) {
  return find_absorbed_unknowns(motion, list_unknown_forces(motion, loads));
}

// Puts zero for these unknown forces.
void drop_unknowns(const Kinematics& motion, const std::vector<Expr>& unknowns, Load* load) {
  if (unknowns.empty()) return;
  const ModelData& model = motion.model();
  Replacements none;
  for (const Expr& u : unknowns) none.emplace_back(u, model.pool->zero());
  Substitution put(*model.pool, none);
  const auto put_vector = [&](Vector* v) {
    std::vector<Vector::Part> parts = v->parts();
    for (Vector::Part& part : parts) {
      for (Expr& e : part.column) e = put(e);
    }
    *v = Vector(model, std::move(parts), v->dimension());
  };
  for (auto& entry : load->forces) put_vector(&entry.second);
  for (auto& entry : load->torques) put_vector(&entry.second);
  for (auto& entry : load->generalized) entry.second = put(entry.second);
}

}  // namespace

std::vector<Load> collect_written_loads(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  return Collector(motion).collect();
}

std::vector<Load> collect_loads(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  std::vector<Load> loads = collect_written_loads(motion);
  const std::vector<Expr> absorbed = find_absorbed(motion, loads);
  for (Load& load : loads) drop_unknowns(motion, absorbed, &load);
  return loads;
}

std::vector<Expr> find_absorbed_unknowns(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  return find_absorbed(motion, collect_written_loads(motion));
}

std::vector<AbsorbedUnknown> find_absorbed_shares(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  return find_absorbed_shares(motion, list_unknown_forces(motion, collect_written_loads(motion)));
}

std::vector<bool> find_shared_rows(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  return find_shared_rows(motion, list_unknown_forces(motion, collect_written_loads(motion)));
}

std::optional<Load> make_load_at_rest(const Kinematics& motion, const Load& load) {
  const Workspace work = Workspace::continued(*motion.pool());
  Load still = load;
  switch (load.kind) {
    case Load::Kind::damper:
    case Load::Kind::dissipation:
      still.forces.clear();
      still.torques.clear();
      still.generalized.clear();
      return still;
    case Load::Kind::force:
    case Load::Kind::torque: {
      auto at_rest = attempt([&] {
        Collector collector(motion);
        Load still_one = load;
        still_one.forces.clear();
        still_one.torques.clear();
        for (const int index : list_spread(motion.model(), load.index, load.name)) {
          const Vector& law = motion.model().forces[static_cast<std::size_t>(index)].value;
          Collector::add_piece(collector.make_force(index, collector.leave_velocities_out(law)),
                               &still_one);
        }
        return still_one;
      });
      if (!at_rest) return {};  // a division by what vanishes at rest
      drop_unknowns(motion, find_absorbed_unknowns(motion), &*at_rest);
      return *std::move(at_rest);
    }
    default:
      return still;
  }
}

std::vector<Expr> compute_generalized_forces(const Kinematics& motion, const Load& load) {
  const Workspace work = Workspace::continued(*motion.pool());
  const ModelData& model = motion.model();
  std::vector<Expr> sums(motion.speeds().size(), model.pool->zero());
  for (const auto& [point, force] : load.forces)
    add_power(motion.point_motion(Point(model, point)), force, model, &sums);
  for (const auto& [frame, torque] : load.torques)
    add_power(motion.angular_motion(Frame(model, frame)), torque, model, &sums);
  for (const auto& [r, force] : load.generalized) sums[r] += force;
  return sums;
}

std::vector<Noncontributing> find_noncontributing(const Kinematics& motion,
                                                  const std::vector<Load>& loads) {
  std::vector<Noncontributing> result;
  for (const Load& load : loads) {
    if (is_zero_load(load)) continue;
    bool contributes = false;
    for (const Expr& f : compute_generalized_forces(motion, load)) contributes |= !f.is_zero();
    if (!contributes) result.push_back(explain(motion, load));
  }
  return result;
}

}  // namespace visviva
