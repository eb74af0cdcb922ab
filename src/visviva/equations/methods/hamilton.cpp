#include "visviva/equations/methods/hamilton.h"

#include <set>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/equation_rows.h"
#include "visviva/kinematics/linear_solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Rows = std::vector<std::vector<Expr>>;

// p_theta for theta'; a name of the model's own stays its own.
std::vector<Expr> make_momentum_symbols(const Kinematics& motion) {
  const ModelData& model = motion.model();
  std::set<std::string> taken;
  std::vector<Expr> symbols;
  for (const Speed& speed : motion.speeds()) {
    std::string name = "p_" + speed.name;
    while (name.back() == '\'') name.pop_back();
    const auto is_taken = [&] {
      if (taken.count(name) != 0) return true;
      if (!model.pool->has_symbol_named(name)) return false;
      const SymbolRole* role = model.role(model.pool->symbol(name));
      return role != nullptr && role->role != Role::momentum;  // that is the same, as an output
    };
    while (is_taken()) name += "_";
    taken.insert(name);
    symbols.push_back(model.pool->symbol(name));
  }
  return symbols;
}

// ---- (1) to (3), summed over bodies

class MomentumSum {
 public:
  MomentumSum(const Kinematics& motion, MomentumForm* form)
      : model_(motion.model()), engine_(engine_of(motion)), form_(*form) {
    const std::size_t n = motion.speeds().size();
    const Expr zero = model_.pool->zero();
    form_.momenta.assign(n, zero);
    form_.momentum_rates.assign(n, zero);
    form_.offset.assign(n, zero);
    form_.mass_matrix.assign(n, std::vector<Expr>(n, zero));
    rest_energy_ = zero;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) add(static_cast<int>(i));
  }

  /// K at u = 0.
  const Expr& rest_energy() const { return rest_energy_; }

 private:
  void add(int index) {
    const BodyData& body = model_.bodies[index];
    add(index, false, engine_.velocity(body.point), body.mass * identity_matrix(*model_.pool));
    if (body.frame >= 0)
      add(index, true, engine_.angular_velocity_in_frame(body.frame), body.inertia);
  }

  // `inertia` is m 1 or I, in the frame of the motion.
  void add(int body, bool is_angular, const VectorMotion& motion, const Matrix3& inertia) {
    const std::size_t n = form_.momenta.size();
    const Column3 momentum = inertia * total(motion, engine_.table().symbols);
    const Column3& w_NF = engine_.spin(motion.frame);
    const Column3 rest = inertia * motion.remainder;
    PartialVelocities block{body, is_angular, motion.frame, {n, zero_column(*model_.pool)}};
    for (const auto& [r, column] : motion.coefficients) {
      const std::size_t i = r;
      block.columns[i] = column;
      form_.momenta[i] += dot(momentum, column);                                     // (1)
      form_.momentum_rates[i] += dot(momentum, rate(column) + cross(w_NF, column));  // (2)
      form_.offset[i] += dot(rest, column);                                          // (3)
      const Column3 weighted = inertia * column;
      for (const auto& [s, other] : motion.coefficients)
        form_.mass_matrix[i][s] += dot(weighted, other);
    }
    rest_energy_ += model_.pool->rational(1, 2) * dot(rest, motion.remainder);
    form_.J.push_back(std::move(block));
  }

  // The time derivative of a column of functions of coordinates and time.
  Column3 rate(const Column3& c) {
    const auto d = [this](const Expr& e) { return engine_.time_derivative_without_speed_rates(e); };
    return {d(c[0]), d(c[1]), d(c[2])};
  }

  const ModelData& model_;
  MotionEngine& engine_;
  MomentumForm& form_;
  Expr rest_energy_;
};

// u = I^-1 (p - c), K = 1/2 (p - c) · u + c · u + K0 = 1/2 (p + c) · u + K0.
void invert_momenta(MomentumForm* form, const Expr& rest_energy) {
  const std::size_t n = form->momenta.size();
  if (n == 0 || n > 3) return;
  const auto inverse = invert(form->mass_matrix, {});  // cofactors, which need no values
  if (!inverse) return;
  ExprPool& pool = rest_energy.pool();
  std::vector<Expr> speeds(n, pool.zero());
  Expr twice = pool.zero();
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t s = 0; s < n; ++s)
      speeds[r] += (*inverse)[r][s] * (form->momentum_symbols[s] - form->offset[s]);
    twice += (form->momentum_symbols[r] + form->offset[r]) * speeds[r];
  }
  form->speeds_in_momenta = speeds;
  form->kinetic_energy_in_momenta = pool.rational(1, 2) * twice + rest_energy;
}

}  // namespace

MomentumForm derive_momentum_form(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  MomentumForm form{motion, make_momentum_symbols(motion), {}, {}, {}, {}, {}, {}, {}, {}};
  const MomentumSum sum(motion, &form);
  form.active_forces.assign(form.momenta.size(), motion.model().pool->zero());
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> F = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < F.size(); ++r) form.active_forces[r] += F[r];
  }
  for (std::size_t r = 0; r < form.momenta.size(); ++r)
    form.momentum_rates[r] += form.active_forces[r];
  invert_momenta(&form, sum.rest_energy());
  return form;
}

Equations derive_hamilton(const Kinematics& motion) {
  const MomentumForm form = derive_momentum_form(motion);
  Equations equations{motion, Method::hamilton, form.mass_matrix, {}, {}, {}, {}, {}};
  for (std::size_t r = 0; r < form.momenta.size(); ++r)
    equations.forcing.push_back(form.momentum_rates[r] -
                                motion.derivative_at_constant_speeds(form.momenta[r]));
  add_constraint_rows(&equations);
  add_unknowns(&equations);
  return equations;
}

}  // namespace visviva
