#include "visviva/equations/methods/lagrange.h"

#include <algorithm>
#include <map>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/equation_rows.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Rows = std::vector<std::vector<Expr>>;

// x, its formal rate, and what that is in terms of the speeds.
struct Variable {
  Expr x;
  Expr rate;
  ScalarMotion motion;
};

std::vector<Variable> collect_variables(const Kinematics& motion) {
  const ModelData& model = motion.model();
  const SpeedTable& table = motion.table();
  std::vector<Variable> variables;
  // Formal rates vanish in the end: no equation may mention one, not even one that cancels.
  const auto formal_rate = [&](const Expr& x) {
    return model.pool->scratch_symbol("rate of " + x.home().symbol_name(x.ref()));
  };
  for (std::size_t i = 0; i < table.rates.size(); ++i)
    variables.push_back(
        {model.coordinates[i].q, formal_rate(model.coordinates[i].q), table.rates[i]});
  for (std::size_t F = 0; F < engine_of(motion).frame_count(); ++F) {
    const std::vector<Expr>& hidden = model.frames[F].hidden;
    for (std::size_t k = 0; k < hidden.size(); ++k) {
      variables.push_back({hidden[k], formal_rate(hidden[k]),
                           engine_of(motion).hidden_rate(static_cast<int>(F), k)});
    }
  }
  return variables;
}

std::vector<std::pair<Expr, Expr>> make_rates(const ModelData& model,
                                              const std::vector<Variable>& variables) {
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  }
  for (const Variable& v : variables) rates.emplace_back(v.x, v.rate);
  return rates;
}

// Positions and rotations in N, their rates by differentiation, and their slopes: functions of x,
// x' and t.
class PositionMotion {
 public:
  explicit PositionMotion(const Kinematics& motion)
      : model_(motion.model()),
        variables_(collect_variables(motion)),
        rate_(*model_.pool, make_rates(model_, variables_)) {
    for (const Variable& v : variables_) {
      x_.push_back(v.x);
      rates_.push_back(v.rate);
    }
  }

  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<Expr>& x() const { return x_; }
  const std::vector<Expr>& rates() const { return rates_; }

  /// d/dt with the formal rates x' held.
  Expr rate(const Expr& e) { return rate_(e); }
  Column3 rate(const Column3& c) { return {rate_(c[0]), rate_(c[1]), rate_(c[2])}; }

  /// p_P in N, from No.
  const Column3& position(int P) {
    std::vector<int> path;
    for (int p = P; p >= 0 && !positions_.contains(p); p = model_.points[p].parent)
      path.push_back(p);
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      const PointData& point = model_.points[*it];
      Column3 sum = zero_column(*model_.pool);
      for (const Vector::Part& part : point.offset.parts())
        sum = sum + model_.rotation(0, part.frame) * part.column;
      if (point.parent >= 0) sum = sum + positions_.at(point.parent);
      positions_.emplace(*it, sum);
    }
    return positions_.at(P);
  }

  /// w_NB in B, (1).
  const Column3& spin(int B) {
    const auto found = spins_.find(B);
    if (found != spins_.end()) return found->second;
    const Matrix3 R_NB = model_.rotation(0, B);
    const Matrix3 R_BN = transpose(R_NB);
    const Matrix3 columns = transpose({rate(R_NB[0]), rate(R_NB[1]), rate(R_NB[2])});
    const Column3 w = {dot(R_BN[2], columns[1]), dot(R_BN[0], columns[2]),
                       dot(R_BN[1], columns[0])};
    return spins_.emplace(B, w).first->second;
  }

  /// dp_P/dx_i, one row a component.
  const Rows& position_slopes(int P) {
    const auto found = position_slopes_.find(P);
    if (found != position_slopes_.end()) return found->second;
    const Column3 p = position(P);
    return position_slopes_.emplace(P, jacobian({p[0], p[1], p[2]}, x_)).first->second;
  }

  /// dw_NB/dx_i', likewise.
  const Rows& spin_slopes(int B) {
    const auto found = spin_slopes_.find(B);
    if (found != spin_slopes_.end()) return found->second;
    const Column3 w = spin(B);
    return spin_slopes_.emplace(B, jacobian({w[0], w[1], w[2]}, rates_)).first->second;
  }

  Expr kinetic_energy() {
    Expr twice = model_.pool->zero();
    for (const BodyData& body : model_.bodies) {
      const Column3 v = rate(position(body.point));
      twice += body.mass * dot(v, v);
      if (body.frame < 0) continue;
      const Column3& w = spin(body.frame);
      twice += dot(w, body.inertia * w);
    }
    return model_.pool->rational(1, 2) * twice;
  }

  /// x' -> Y u + z.
  Replacements speeds_for_rates(const std::vector<Expr>& speeds) const {
    Replacements replacements;
    for (const Variable& v : variables_) replacements.emplace_back(v.rate, total(v.motion, speeds));
    return replacements;
  }

 private:
  const ModelData& model_;
  std::vector<Variable> variables_;
  std::vector<Expr> x_, rates_;
  Tangent rate_;
  std::map<int, Column3> positions_, spins_;
  std::map<int, Rows> position_slopes_, spin_slopes_;
};

// ---- (3): generalized forces on x; what is known on speeds only comes apart

class VirtualWork {
 public:
  VirtualWork(const Kinematics& motion, PositionMotion& positions)
      : motion_(motion),
        model_(motion.model()),
        positions_(positions),
        without_auxiliaries_(*model_.pool, auxiliaries_at_rest(model_)),
        potential_(model_.pool->zero()),
        Q_(positions.x().size(), model_.pool->zero()),
        Q_speed_(motion.speeds().size(), model_.pool->zero()) {
    collect_loads(motion);  // refuses laws that contain accelerations
    add_gravity();
    for (const ForceData& f : model_.forces) f.is_torque ? add_torque(f) : add_force(f);
    for (const SpringData& s : model_.springs) s.is_damper ? add_damper(s) : add_spring(s);
    for (const EnergyData& e : model_.energies)
      e.is_dissipation ? add_dissipation(e) : add_potential(e.value);
    const std::vector<Expr> slopes = gradient(potential_, positions_.x());
    for (std::size_t i = 0; i < Q_.size(); ++i) Q_[i] -= slopes[i];
  }

  /// V: of uniform gravity, springs and potentials.
  const Expr& potential() const { return potential_; }
  /// Generalized forces on the variables x; they contain x' and u.
  const std::vector<Expr>& on_variables() const { return Q_; }
  /// Generalized forces on the speeds u.
  const std::vector<Expr>& on_speeds() const { return Q_speed_; }

 private:
  static Replacements auxiliaries_at_rest(const ModelData& model) {
    Replacements zeros;
    for (const AuxiliaryData& a : model.auxiliaries)
      zeros.emplace_back(a.symbol, model.pool->zero());
    return zeros;
  }

  // A law in terms of speeds.
  Expr resolve(const Expr& e) {
    return without_auxiliaries_(motion_.resolve(Quantity(e, Dimension())).expr());
  }
  Column3 resolve(const Column3& c) { return {resolve(c[0]), resolve(c[1]), resolve(c[2])}; }

  void add_potential(const Expr& V) { potential_ += V; }

  // F · dp/dx_i, F in N.
  void add_point_force(int P, const Column3& F) {
    const Rows& slopes = positions_.position_slopes(P);
    for (std::size_t i = 0; i < Q_.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) Q_[i] += F[k] * slopes[k][i];
    }
  }

  // T · dw/dx_i', T in B.
  void add_body_torque(int B, const Column3& T) {
    if (B == 0) return;
    const Rows& slopes = positions_.spin_slopes(B);
    for (std::size_t i = 0; i < Q_.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) Q_[i] += T[k] * slopes[k][i];
    }
  }

  // A uniform field has the potential -m g · p. One that changes with the configuration has none in
  // general.
  void add_gravity() {
    if (!model_.gravity) return;
    const Column3 g = model_.gravity->in(Frame(model_, 0));
    bool is_uniform = true;
    for (const Expr& x : positions_.x()) {
      for (const Expr& e : g) is_uniform = is_uniform && differentiate(e, x).is_zero();
    }
    for (const BodyData& body : model_.bodies) {
      if (is_uniform) {
        add_potential(-body.mass * dot(g, positions_.position(body.point)));
      } else {
        add_point_force(body.point, body.mass * g);
      }
    }
  }

  void add_force(const ForceData& f) {
    const Frame N(model_, 0);
    const Column3 F = resolve(f.value.in(N));
    if (f.frame < 0) {
      add_point_force(f.point, F);
    } else if (f.frame != 0) {
      // The material point of C now at P moves as C's origin does, and turns about it.
      const Point P(model_, f.point), Co(model_, model_.frame_origin(f.frame));
      add_point_force(Co.index(), F);
      const Frame C(model_, f.frame);
      add_body_torque(f.frame, cross((P - Co).in(C), resolve(f.value.in(C))));
    }
    if (f.from_point >= 0) add_point_force(f.from_point, -F);
  }

  void add_torque(const ForceData& f) {
    add_body_torque(f.frame, resolve(f.value.in(Frame(model_, f.frame))));
    if (f.from_frame >= 0)
      add_body_torque(f.from_frame, -resolve(f.value.in(Frame(model_, f.from_frame))));
  }

  Column3 line(const SpringData& s) {
    return positions_.position(s.to) - positions_.position(s.from);
  }

  // V = k/2 (length - rest)^2
  void add_spring(const SpringData& s) {
    const Expr half = model_.pool->rational(1, 2);
    if (s.on.valid()) {
      const Expr stretch = s.on - s.rest;
      return add_potential(half * s.coefficient * stretch * stretch);
    }
    const Column3 d = line(s);
    if (s.rest.is_zero()) return add_potential(half * s.coefficient * dot(d, d));
    const Expr stretch = sqrt(dot(d, d)) - s.rest;
    add_potential(half * s.coefficient * stretch * stretch);
  }

  // Q_i = -b length' dlength/dx_i; with length length' = d · d' no root is needed.
  void add_damper(const SpringData& s) {
    if (s.on.valid()) {
      const Expr force = -s.coefficient * positions_.rate(s.on);
      return add_slopes(force, s.on);
    }
    const Column3 d = line(s);
    const Expr square = dot(d, d), half = model_.pool->rational(1, 2);
    add_slopes(-s.coefficient * dot(d, positions_.rate(d)) / square * half, square);
  }

  void add_slopes(const Expr& factor, const Expr& of) {
    const std::vector<Expr> slopes = gradient(of, positions_.x());
    for (std::size_t i = 0; i < Q_.size(); ++i) Q_[i] += factor * slopes[i];
  }

  // -dD/dx' projected on the speeds is -dD/du, MEEN 617, Handout 4a (47).
  void add_dissipation(const EnergyData& e) {
    const Expr D = resolve(e.value);
    const std::vector<Expr> slopes = gradient(D, motion_.table().symbols);
    for (std::size_t r = 0; r < Q_speed_.size(); ++r) Q_speed_[r] -= slopes[r];
  }

  const Kinematics& motion_;
  const ModelData& model_;
  PositionMotion& positions_;
  Substitution without_auxiliaries_;
  Expr potential_;
  std::vector<Expr> Q_, Q_speed_;
};

// ---- (2)

// M_x = d2T/dx'dx' and h = d/dt dT/dx' - dT/dx with x' held. T has about as many operations as the mechanism has bodies, and
// a gradient takes a few times as many: so both take no sums over bodies for each entry.
struct Inertia {
  Rows M;
  std::vector<Expr> h;
};
Inertia make_inertia(PositionMotion& positions) {
  const Expr T = positions.kinetic_energy();
  const std::vector<Expr> momenta = gradient(T, positions.rates());
  const std::vector<Expr> slopes = gradient(T, positions.x());
  Inertia inertia{jacobian(momenta, positions.rates()), {}};
  for (std::size_t i = 0; i < momenta.size(); ++i)
    inertia.h.push_back(positions.rate(momenta[i]) - slopes[i]);
  return inertia;
}

// ---- (4)

// result_r += sum_i Y_ir column_i
void project(const std::vector<Variable>& variables, const std::vector<Expr>& column,
             std::vector<Expr>* result) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (const auto& [r, Y] : variables[i].motion.coefficients) (*result)[r] += Y * column[i];
  }
}

// Y^T M_x Y
Rows project(const std::vector<Variable>& variables, const Rows& M, std::size_t speed_count,
             const Expr& zero) {
  Rows result(speed_count, std::vector<Expr>(speed_count, zero));
  Rows half;  // rows of M_x Y
  for (const std::vector<Expr>& row : M) {
    half.emplace_back(speed_count, zero);
    project(variables, row, &half.back());
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (const auto& [r, Y] : variables[i].motion.coefficients) {
      for (std::size_t s = 0; s < speed_count; ++s) result[r][s] += Y * half[i][s];
    }
  }
  return result;
}

}  // namespace

Expr compute_kinetic_energy_from_positions(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  PositionMotion positions(motion);
  const std::vector<Expr>& speeds = motion.table().symbols;
  const Expr T = positions.kinetic_energy();
  return substitute(T, positions.speeds_for_rates(speeds));
}

Expr compute_potential_from_positions(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  PositionMotion positions(motion);
  return VirtualWork(motion, positions).potential();
}

Equations derive_lagrange(const Kinematics& motion) {
  const ModelData& model = motion.model();
  MotionEngine& engine = engine_of(motion);
  const std::vector<Expr>& speeds = engine.table().symbols;
  PositionMotion positions(motion);
  const std::vector<Variable>& variables = positions.variables();
  const VirtualWork work(motion, positions);
  auto [M_x, h] = make_inertia(positions);

  // Q - h - M_x (dY/dt u + dz/dt), first with formal rates
  std::vector<Expr> column = work.on_variables();
  std::vector<Expr> drift;
  for (const Variable& v : variables)
    drift.push_back(engine.time_derivative_without_speed_rates(total(v.motion, speeds)));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    column[i] -= h[i];
    for (std::size_t j = 0; j < variables.size(); ++j) column[i] -= M_x[i][j] * drift[j];
  }

  Equations equations{motion, Method::lagrange, {}, work.on_speeds(), {}, {}, {}, {}};
  Substitution with_speeds(*model.pool, positions.speeds_for_rates(speeds));
  for (std::vector<Expr>& row : M_x) row = with_speeds(row);
  equations.mass_matrix = project(variables, M_x, speeds.size(), model.pool->zero());
  project(variables, with_speeds(column), &equations.forcing);
  add_constraint_rows(&equations);
  add_unknowns(&equations);
  return equations;
}

}  // namespace visviva
