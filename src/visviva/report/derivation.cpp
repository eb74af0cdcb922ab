#include "visviva/report/derivation.h"

#include <algorithm>

#include "visviva/equations/hamilton.h"
#include "visviva/equations/kane.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/substitute.h"

namespace visviva {
namespace {

// In models with more frames a partial velocity is written in the frame in which it was derived.
constexpr std::size_t max_frames = 12;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

ModelData& mutable_model(const Kinematics& motion) {
  return motion.frames()
      .front()
      .model();  // its memory of rotations grows, its contents do not change
}

// How much there is to write: unit vectors cost least, names of hidden states more than anything
// else.
std::size_t writing_cost(const ModelData& model, const Column3& c) {
  const std::vector<Expr> all(c.begin(), c.end());
  std::size_t cost = 4 * count_operations(all).total();
  for (const Expr& e : all) cost += e.is_zero() ? 0 : e.is_one() ? 1 : 2;
  for (const Expr& s : free_symbols(all)) {
    const SymbolRole* role = model.role(s);
    if (role != nullptr && role->role == Role::hidden) cost += 1000;
  }
  return cost;
}

// The vector in the frame in which it is shortest: `home` unless another one is better.
FramedColumn choose_frame(ModelData& model, const Vector& v, int home) {
  const auto in = [&](int frame) {
    return v.is_zero() ? zero_column(*model.pool) : v.in(Frame(model, frame));
  };
  int best = home;
  Column3 column = in(home);
  if (!v.is_zero() && model.frames.size() <= max_frames) {
    std::size_t least = writing_cost(model, column);
    for (std::size_t f = 0; f < model.frames.size(); ++f) {
      const Column3 candidate = in(static_cast<int>(f));
      const std::size_t cost = writing_cost(model, candidate);
      if (cost >= least) continue;
      least = cost;
      best = static_cast<int>(f);
      column = candidate;
    }
  }
  return {model.frames[at(best)].name, column};
}

class Builder {
 public:
  Builder(const Equations& equations, const DerivationOptions& options)
      : options_(options),
        motion_(equations.motion),
        model_(mutable_model(equations.motion)),
        d_{equations, embed_constraints(equations)} {}

  Derivation build() {
    add_kinematics();
    count();
    add_forces();
    if (d_.equations.method == Method::hamilton) add_momenta();
    if (options_.partial_motions) add_partial_motions();
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
      Expr sum = forces[at(e.independent[i])];
      for (std::size_t k = 0; k < e.dependent.size(); ++k)
        sum += e.transmission[k][i] * forces[at(e.dependent[k])];
      result.push_back(sum);
    }
    return result;
  }

  void add_forces() {
    const std::vector<Load> loads = collect_loads(motion_);
    d_.active_forces.assign(motion_.speeds().size(), model_.pool->zero());
    for (const Load& load : loads) {
      const std::vector<Expr> forces = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < forces.size(); ++r) d_.active_forces[r] += forces[r];
      if (options_.terms) d_.active_terms.push_back({load.name, load.source, embed(forces)});
    }
    d_.noncontributing = find_noncontributing(motion_, loads);
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
      speeds.emplace_back(motion_.speeds()[at(e.dependent[k])].u, e.dependent_speeds[k]);
    all = speeds;
    for (std::size_t k = 0; k < e.dependent.size(); ++k) {
      const Speed& s = motion_.speeds()[at(e.dependent[k])];
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
                    form.momenta[at(e.dependent[k])];
    }
    Substitution embedded(*model_.pool, dependent_replacements());
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const Expr& symbol = form.momentum_symbols[at(e.independent[i])];
      d_.momenta.push_back(
          {model_.pool->symbol_name(symbol.ref()), embedded(momenta[i]), embedded(rates[i])});
    }
  }

  void add_partial_motions() {
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

  DerivationOptions options_;
  Kinematics motion_;
  ModelData& model_;
  Derivation d_;
};

void append(std::vector<Expr>* all, const std::vector<Expr>& more) {
  all->insert(all->end(), more.begin(), more.end());
}

void append(std::vector<Expr>* all, const std::vector<PartialMotion>& motions) {
  for (const PartialMotion& m : motions) {
    for (const FramedColumn& c : m.by_speed)
      all->insert(all->end(), c.components.begin(), c.components.end());
    all->insert(all->end(), m.remainder.components.begin(), m.remainder.components.end());
  }
}

}  // namespace

const std::string& Derivation::speed_name(int r) const {
  return equations.motion.speeds()[at(r)].name;
}

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
  for (const MomentumEquation& m : momenta) append(&all, {m.momentum, m.rate});
  if (embedded.validity.valid()) all.push_back(embedded.validity);
  return all;
}

Derivation make_derivation(const Equations& equations, const DerivationOptions& options) {
  return Builder(equations, options).build();
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
