#include "visviva/report/derivation/derivation.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/equations/loads/absorbed_unknowns.h"
#include "visviva/equations/methods/hamilton.h"
#include "visviva/equations/methods/kane.h"
#include "visviva/kinematics/linear_solve.h"
#include "visviva/report/derivation/reason_text.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

class Builder {
 public:
  Builder(const Equations& equations, EmbeddedEquations embedded, const DerivationOptions& options)
      : options_(options),
        motion_(equations.motion),
        model_(equations.motion.model()),
        d_{equations, std::move(embedded)} {}

  Derivation build() {
    add_kinematics();
    count();
    add_forces();
    if (d_.equations.method == Method::hamilton) add_momenta();
    if (d_.equations.method == Method::lagrange) add_lagrange();
    if (d_.equations.method == Method::newton_euler)
      d_.free_bodies = show_free_bodies(motion_, d_.embedded.independent.size());
    if (options_.partial_motions) add_partial_motions();
    add_expressed();
    return std::move(d_);
  }

 private:
  void add_kinematics() {
    for (const CoordinateData& c : model_.coordinates)
      d_.kinematics.emplace_back(c.name + "'",
                                 motion_.rate(Quantity(c.q, c.dimension)).expr(*model_.pool));
    for (const SpeedData& s : model_.speeds) {
      if (s.definition) d_.definitions.emplace_back(s.name, motion_.speed_definition(s.name));
    }
  }

  void count() {
    std::vector<Expr> all = d_.embedded.forcing;
    for (const auto& [name, rate] : d_.kinematics) all.push_back(rate);
    for (const auto& row : d_.embedded.mass_matrix) all.insert(all.end(), row.begin(), row.end());
    d_.operations = count_operations(all).total();
  }

  // F_i + sum_d T_di F_d: forces on all speeds become those on independent ones.
  std::vector<Expr> embed(const std::vector<Expr>& forces) const {
    const EmbeddedEquations& e = d_.embedded;
    std::vector<Expr> result;
    for (std::size_t i = 0; i < e.independent.size(); ++i) {
      Expr sum = forces[e.independent[i]];
      for (std::size_t k = 0; k < e.dependent.size(); ++k)
        sum += e.transmission[k][i] * forces[e.dependent[k]];
      result.push_back(sum);
    }
    return result;
  }

  static bool are_zero(const std::vector<Expr>& forces) {
    return std::all_of(forces.begin(), forces.end(), [](const Expr& f) { return f.is_zero(); });
  }

  void add_forces() {
    const std::vector<Load> loads = collect_loads(motion_);
    d_.active_forces.assign(motion_.speeds().size(), model_.pool->zero());
    for (const Load& load : loads) {
      const std::vector<Expr> forces = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < forces.size(); ++r) d_.active_forces[r] += forces[r];
      const std::vector<Expr> left = embed(forces);
      if (options_.terms) d_.active_terms.push_back({load.name, load.source, left});
      if (are_zero(left) && !are_zero(forces))
        d_.noncontributing.push_back(
            {load.name, Noncontributing::Kind::against_constraints, {}, load.source});
    }
    for (const Expr& unknown : find_absorbed_unknowns(motion_)) {
      const UnknownData& u = model_.unknowns[model_.role(unknown)->index];
      d_.noncontributing.push_back(
          {u.name, Noncontributing::Kind::same_as_constraint, {}, u.source});
    }
    append(&d_.noncontributing, find_noncontributing(motion_, loads));
    // F_r* = f_r - F_r - sum_s M_rs u_s'
    for (std::size_t r = 0; r < d_.active_forces.size(); ++r) {
      Expr sum = d_.equations.forcing[r] - d_.active_forces[r];
      for (std::size_t s = 0; s < motion_.speeds().size(); ++s)
        sum -= d_.equations.mass_matrix[r][s] * motion_.speeds()[s].rate;
      d_.inertia_forces.push_back(sum);
    }
    if (!options_.terms) return;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const BodyData& body = model_.bodies[b];
      d_.inertia_terms.push_back(
          {body.name, body.source, embed(inertia_forces(static_cast<int>(b)))});
    }
    if (d_.embedded.dependent.empty()) return;
    Substitution embedded(*model_.pool, dependent_replacements());
    for (auto* terms : {&d_.active_terms, &d_.inertia_terms})
      for (ForceTerm& t : *terms) t.values = embedded(t.values);
  }

  // F_r* of one body for all speeds.
  std::vector<Expr> inertia_forces(int body) const {
    const BodyInertia b = compute_body_inertia(motion_, body);
    std::vector<Expr> forces = b.forces;
    for (std::size_t r = 0; r < forces.size(); ++r) {
      for (std::size_t s = 0; s < forces.size(); ++s)
        forces[r] -= b.mass_matrix[r][s] * motion_.speeds()[s].rate;
    }
    return forces;
  }

  // Dependent speeds and their rates in terms of independent ones.
  Replacements dependent_replacements() const {
    const EmbeddedEquations& e = d_.embedded;
    Replacements speeds, all;
    for (std::size_t k = 0; k < e.dependent.size(); ++k)
      speeds.emplace_back(motion_.speeds()[e.dependent[k]].u, e.dependent_speeds[k]);
    all = speeds;
    for (std::size_t k = 0; k < e.dependent.size(); ++k) {
      const Speed& s = motion_.speeds()[e.dependent[k]];
      const Expr rate =
          motion_.time_derivative(Quantity(e.dependent_speeds[k], s.dimension)).expr(*model_.pool);
      all.emplace_back(s.rate, substitute(rate, speeds));
    }
    return all;
  }

  // p~ = p_i + T' p_d: multipliers do no work on motions that the constraints allow, and drop out
  // of p~' = p_i' + T' p_d' + dT'/dt p_d.
  void add_momenta() {
    const MomentumForm form = derive_momentum_form(motion_);
    const EmbeddedEquations& e = d_.embedded;
    const std::vector<Expr> momenta = embed(form.momenta);
    std::vector<Expr> rates = embed(form.momentum_rates);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      for (std::size_t k = 0; k < e.dependent.size(); ++k)
        rates[i] += motion_.derivative_at_constant_speeds(e.transmission[k][i]) *
                    form.momenta[e.dependent[k]];
    }
    const std::vector<Expr> forces = embed(form.active_forces);
    Substitution embedded(*model_.pool, dependent_replacements());
    const Expr energy = kinetic_energy({});
    // The K that is shown is one of independent speeds: both must have the slope that is called dK/dq.
    const std::vector<Expr> slopes = kinetic_slopes(energy),
                            shown = kinetic_slopes(embedded(energy));
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const Expr& symbol = form.momentum_symbols[e.independent[i]];
      const Expr momentum = embedded(momenta[i]);
      // p_x is the momentum of the coordinate x; constraints may make another one of its speed.
      const bool is_own = momentum == embedded(form.momenta[e.independent[i]]);
      const int q = motion_.speeds()[e.independent[i]].coordinate;
      const Expr slope = embedded(rates[i] - forces[i]);
      const bool is_slope = is_own && q >= 0 && slope == embedded(slopes[q]) && slope == shown[q];
      d_.momenta.push_back({symbol.home().symbol_name(symbol.ref()) + (is_own || q < 0 ? "" : "_R"),
                            momentum, embedded(rates[i]), embedded(forces[i]), slope,
                            is_slope ? model_.coordinates[q].name : ""});
    }
    invert_momenta();
  }

  // dK/dq at fixed speeds, for every coordinate.
  std::vector<Expr> kinetic_slopes(const Expr& energy) const {
    std::vector<Expr> coordinates;
    for (const CoordinateData& c : model_.coordinates) coordinates.push_back(c.q);
    return gradient(energy, coordinates);
  }

  // With K = 1/2 u'Iu + c'u + K0 and p = I u + c, all of independent speeds:
  //   u = I^-1 (p - c),   K = 1/2 (p + c)'u + K0                      (Hogan, Inertial Mechanics)
  void invert_momenta() {
    const std::size_t n = d_.momenta.size();
    if (n == 0 || n > 3) return;
    const auto inverse = invert(d_.embedded.mass_matrix, {});  // cofactors, which need no values
    if (!inverse) return;
    Substitution resting(*model_.pool, at_rest());
    std::vector<Expr> p, c;
    for (const MomentumEquation& m : d_.momenta) {
      p.push_back(model_.pool->symbol(m.name));
      c.push_back(resting(m.momentum));
    }
    EnergyInMomenta result{kinetic_energy(at_rest()), {}};  // K0

    for (std::size_t i = 0; i < n; ++i) {
      Expr u = model_.pool->zero();
      for (std::size_t k = 0; k < n; ++k) u += (*inverse)[i][k] * (p[k] - c[k]);
      result.speeds.push_back(u);
      result.K += model_.pool->rational(1, 2) * (p[i] + c[i]) * u;
    }
    d_.energy_in_momenta = std::move(result);
  }

  // Independent speeds zero, dependent ones as the constraints then make them.
  Replacements at_rest() const {
    const EmbeddedEquations& e = d_.embedded;
    Replacements zeros;
    for (const int r : e.independent)
      zeros.emplace_back(motion_.speeds()[r].u, model_.pool->zero());
    Replacements all = zeros;
    for (std::size_t k = 0; k < e.dependent.size(); ++k)
      all.emplace_back(motion_.speeds()[e.dependent[k]].u,
                       substitute(e.dependent_speeds[k], zeros));
    return all;
  }

  // K with these speeds put in.
  Expr kinetic_energy(const Replacements& speeds) const {
    Substitution with_speeds(*model_.pool, speeds);
    const auto put = [&](const Column3& c) -> Column3 {
      return {with_speeds(c[0]), with_speeds(c[1]), with_speeds(c[2])};
    };
    Expr twice = model_.pool->zero();
    for (const BodyData& body : model_.bodies) {
      const VectorMotion& v = motion_.point_motion(Point(model_, body.point));
      const Column3 v_NB = put(total(v, symbols()));
      twice += body.mass * dot(v_NB, v_NB);
      if (body.frame < 0) continue;
      const VectorMotion& w = motion_.body_motion(Frame(model_, body.frame));
      const Column3 w_NB = put(total(w, symbols()));
      twice += dot(w_NB, body.inertia * w_NB);
    }
    return model_.pool->rational(1, 2) * twice;
  }

  std::vector<Expr> symbols() const {
    std::vector<Expr> u;
    for (const Speed& s : motion_.speeds()) u.push_back(s.u);
    return u;
  }

  void add_lagrange() {
    d_.lagrange = make_lagrange_form(d_.equations);
    const LagrangeForm& form = *d_.lagrange;
    if (form.multipliers.empty()) return;
    d_.multiplier_forces = form.forcing;
    for (std::size_t i = 0; i < form.forcing.size(); ++i) {
      for (std::size_t k = 0; k < form.rows.size(); ++k)
        d_.multiplier_forces[i] += form.rows[k][i] * form.multipliers[k];
    }
  }

  void add_expressed() {
    for (const ExpressedData& e : model_.expressed) {
      if (!e.is_vector) {
        const Quantity value = motion_.resolve(Quantity(e.scalar, Dimension()));
        d_.expressed.push_back({e.written, {value.expr(*model_.pool)}, ""});
        continue;
      }
      const Vector v = move_from_spinning(model_, motion_.resolve(e.vector));
      const FramedColumn column = e.frame < 0
                                      ? choose_frame(model_, v, 0)
                                      : FramedColumn{model_.frames[e.frame].name,
                                                     v.is_zero() ? zero_column(*model_.pool)
                                                                 : v.in(Frame(model_, e.frame))};
      d_.expressed.push_back(
          {e.written, {column.components.begin(), column.components.end()}, column.frame});
    }
  }

  void add_partial_motions() {
    if (is_written_as_derived(model_)) {
      for (const Point& P : motion_.points())
        d_.points.push_back(list_columns(P.name(), motion_.point_motion(P)));
      for (const Frame& B : motion_.frames())
        d_.frames.push_back(list_columns(B.name(), motion_.angular_motion(B)));
      return;
    }
    for (const Point& P : motion_.points()) {
      const int home = motion_.point_motion(P).frame;
      PartialMotion p{P.name(), {}, choose_frame(model_, motion_.velocity_remainder(P), home)};
      for (const Speed& s : motion_.speeds())
        p.by_speed.push_back(choose_frame(model_, motion_.partial_velocity(P, s.name), home));
      d_.points.push_back(std::move(p));
    }
    for (const Frame& B : motion_.frames()) {
      const int home = motion_.angular_motion(B).frame;
      PartialMotion p{
          B.name(), {}, choose_frame(model_, motion_.angular_velocity_remainder(B), home)};
      for (const Speed& s : motion_.speeds())
        p.by_speed.push_back(
            choose_frame(model_, motion_.partial_angular_velocity(B, s.name), home));
      d_.frames.push_back(std::move(p));
    }
  }

  // Columns as the recursions left them.
  PartialMotion list_columns(const std::string& name, const VectorMotion& v) const {
    const std::string& frame = model_.frames[v.frame].name;
    PartialMotion p{name, {}, {frame, v.remainder}};
    p.by_speed.assign(motion_.speeds().size(), {frame, zero_column(*model_.pool)});
    for (const auto& [r, column] : v.coefficients) p.by_speed[r].components = column;
    return p;
  }

  DerivationOptions options_;
  Kinematics motion_;
  const ModelData& model_;
  Derivation d_;
};

void append(std::vector<Expr>* all, const FramedColumn& c) {
  all->insert(all->end(), c.components.begin(), c.components.end());
}

void append(std::vector<Expr>* all, const std::vector<PartialMotion>& motions) {
  for (const PartialMotion& m : motions) {
    for (const FramedColumn& c : m.by_speed) append(all, c);
    append(all, m.remainder);
  }
}

void append(std::vector<Expr>* all, const ShownBalance& balance) {
  append(all, balance.left.column);
  for (const ShownVector& load : balance.loads) append(all, load.column);
}

void append_form(std::vector<Expr>* all, const LagrangeForm& form) {
  append(all, std::vector{form.K, form.V, form.L});
  for (const LagrangeForm::Slopes& s : form.slopes)
    append(all, std::vector{s.by_rate, s.by_coordinate, s.force});
  for (const auto* matrix : {&form.mass_matrix, &form.rows})
    for (const std::vector<Expr>& row : *matrix) append(all, row);
  append(all, form.forcing);
}

}  // namespace

const std::string& Derivation::speed_name(int r) const { return equations.motion.speeds()[r].name; }

std::vector<Expr> Derivation::expressions() const {
  std::vector<Expr> all;
  for (const auto& [name, expr] : kinematics) all.push_back(expr);
  for (const auto& [name, expr] : definitions) all.push_back(expr);
  for (const auto* matrix : {&embedded.mass_matrix, &embedded.transmission, &equations.mass_matrix})
    for (const auto& row : *matrix) append(&all, row);
  for (const auto* list : {&embedded.forcing, &embedded.dependent_speeds, &embedded.active_forces,
                           &embedded.inertia_forces, &equations.forcing, &equations.row_forcing,
                           &active_forces, &inertia_forces})
    append(&all, *list);
  for (const ConstraintRow& row : equations.rows) {
    for (const auto& [r, a] : row.velocity.coefficients) all.push_back(a);
    all.push_back(row.velocity.remainder);
  }
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    append(&all, a.mass);
    append(&all, a.rows);
    all.push_back(a.forcing);
  }
  for (const auto* terms : {&active_terms, &inertia_terms})
    for (const ForceTerm& t : *terms) append(&all, t.values);
  append(&all, points);
  append(&all, frames);
  append(&all, equations.unknowns);
  for (const MomentumEquation& m : momenta)
    append(&all, std::vector{m.momentum, m.rate, m.force, m.slope});
  if (lagrange) append_form(&all, *lagrange);
  append(&all, multiplier_forces);
  if (energy_in_momenta) {
    all.push_back(energy_in_momenta->K);
    append(&all, energy_in_momenta->speeds);
  }
  for (const ShownBody& b : free_bodies.bodies) {
    append(&all, b.newton);
    if (b.euler) append(&all, *b.euler);
  }
  if (embedded.validity.valid()) all.push_back(embedded.validity);
  return all;
}

Derivation make_derivation(const Equations& equations, const DerivationOptions& options) {
  Workspace work(equations.pool());
  auto embedded = try_embed_constraints(equations);
  if (!embedded) throw make_embedding_error(embedded.why());
  return make_derivation(equations, *std::move(embedded), options);
}

Derivation make_derivation(const Equations& equations, EmbeddedEquations embedded,
                           const DerivationOptions& options) {
  Workspace work(equations.pool());
  Derivation derivation = Builder(equations, std::move(embedded), options).build();
  derivation.pool = work.finish();
  return derivation;
}

std::string method_title(Method method) {
  switch (method) {
    case Method::lagrange:
      return "Lagrange's equations";
    case Method::hamilton:
      return "Hamilton's equations (momentum form)";
    case Method::newton_euler:
      return "Newton's and Euler's equations";
    default:
      return "Kane's equations";
  }
}

}  // namespace visviva
