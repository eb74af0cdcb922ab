#include "visviva/equations/methods/lagrange_form.h"

#include <algorithm>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/lagrange.h"
#include "visviva/kinematics/speed_definition.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

class LagrangeFormBuilder {
 public:
  explicit LagrangeFormBuilder(const Equations& equations)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        pool_(*model_.pool) {
    choose_variables();
    for (const auto& definition : definitions_) {
      std::vector<Expr> row;
      for (const LagrangeForm::Variable& y : form_.variables)
        row.push_back(differentiate(definition, y.rate));
      S_.push_back(std::move(row));
    }
  }

  LagrangeForm build() {
    form_.K = in_rates(compute_kinetic_energy_from_positions(motion_));
    form_.V = compute_potential_from_positions(motion_);
    form_.L = form_.K - form_.V;
    add_slopes();
    add_equations();
    add_rows();
    return std::move(form_);
  }

 private:
  // Rates of coordinates stand for the speeds that are defined by them; the others stay.
  void choose_variables() {
    const bool is_plain = !has_defined_quaternion_rates();
    for (const CoordinateData& q : model_.coordinates) {
      if (is_plain && q.quaternion < 0)
        form_.variables.push_back({q.name + "'", q.rate, q.second_rate});
    }
    for (const Speed& s : motion_.speeds()) {
      const std::optional<Expr> definition =
          is_plain ? find_speed_definition(motion_, s.name) : std::nullopt;
      definitions_.push_back(definition ? *definition : s.u);
      if (definition) speeds_.emplace_back(s.u, *definition);
      if (!definition && !(is_plain && s.coordinate >= 0))
        form_.variables.push_back({s.name, s.u, s.rate});
    }
  }

  bool has_defined_quaternion_rates() const {
    for (const SpeedData& s : model_.speeds) {
      const std::optional<Expr> definition = find_speed_definition(motion_, s.name);
      if (!definition) continue;
      for (const CoordinateData& q : model_.coordinates) {
        if (q.quaternion >= 0 && depends_on(*definition, q.rate)) return true;
      }
    }
    return false;
  }

  Expr in_rates(const Expr& e) const {
    return speeds_.empty() ? e : Substitution(pool_, speeds_)(e);
  }

  // S' v, for a list over all speeds.
  std::vector<Expr> project(const std::vector<Expr>& v) const {
    std::vector<Expr> result(form_.variables.size(), pool_.zero());
    for (std::size_t r = 0; r < v.size(); ++r) {
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (!S_[r][i].is_zero()) result[i] += S_[r][i] * v[r];
      }
    }
    return result;
  }

  bool has_hidden_states() const {
    return std::any_of(model_.frames.begin(), model_.frames.end(),
                       [](const FrameData& f) { return !f.hidden.empty(); });
  }

  void add_slopes() {  // (1)
    if (has_hidden_states()) return;
    std::vector<Expr> active(motion_.speeds().size(), pool_.zero());
    for (const Load& load : collect_loads(motion_)) {
      const std::vector<Expr> F = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < F.size(); ++r) active[r] += F[r];
    }
    const std::vector<Expr> forces = project(active);
    for (std::size_t i = 0; i < form_.variables.size(); ++i) {
      const LagrangeForm::Variable& y = form_.variables[i];
      const SymbolRole* role = model_.role(y.rate);
      if (role == nullptr || role->role != Role::rate) continue;
      const CoordinateData& q = model_.coordinates[role->index];
      form_.slopes.push_back({role->index, differentiate(form_.L, y.rate),
                              differentiate(form_.L, q.q),
                              in_rates(forces[i] + differentiate(form_.V, q.q))});
    }
  }

  void add_equations() {  // (3)
    const auto& M_u = equations_.mass_matrix;
    std::vector<Expr> load = equations_.forcing;
    for (std::size_t s = 0; s < M_u.size(); ++s) {
      const Expr drift = definition_drift(s);
      if (drift.is_zero()) continue;
      for (std::size_t r = 0; r < M_u.size(); ++r) load[r] -= M_u[r][s] * drift;
    }
    for (const Expr& f : project(load)) form_.forcing.push_back(in_rates(f));
    std::vector<std::vector<Expr>> half;  // rows of M_u S
    for (const std::vector<Expr>& row : M_u) half.push_back(project(row));
    for (std::size_t i = 0; i < form_.variables.size(); ++i) {
      std::vector<Expr> row;
      for (std::size_t j = 0; j < form_.variables.size(); ++j) {
        Expr sum = pool_.zero();
        for (std::size_t r = 0; r < M_u.size(); ++r) sum += S_[r][i] * half[r][j];
        row.push_back(sum);
      }
      form_.mass_matrix.push_back(std::move(row));
    }
  }

  // dS/dt y' + dz/dt of a speed: the rate of its definition with y' held, in rates.
  Expr definition_drift(std::size_t r) const {
    if (motion_.table().symbols[r] == definitions_[r]) return pool_.zero();
    std::vector<std::pair<Expr, Expr>> rates = {{model_.time, pool_.one()}};
    for (const SpecifiedData& s : model_.specified) {
      for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
        rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
    }
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      const CoordinateData& q = model_.coordinates[i];
      const Expr rate = total(motion_.table().rates[i], motion_.table().symbols);
      rates.emplace_back(q.q, q.quaternion < 0 ? q.rate : in_rates(rate));
    }
    for (std::size_t F = 0; F < model_.frames.size(); ++F) {
      for (const Expr& hidden : model_.frames[F].hidden)
        rates.emplace_back(hidden, in_rates(motion_.derivative_at_constant_speeds(hidden)));
    }
    return Tangent(pool_, rates)(definitions_[r]);
  }

  void add_rows() {
    for (const ConstraintRow& row : equations_.rows) {
      std::vector<Expr> all(motion_.speeds().size(), pool_.zero());
      for (const auto& [r, a] : row.velocity.coefficients) all[r] = a;
      form_.rows.push_back(project(all));
    }
    name_multipliers();
  }

  // lambda of one row, lambda_rod of several constraints, lambda_ball_1 of several rows of one.
  void name_multipliers() {
    const std::vector<ConstraintRow>& rows = equations_.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto is_same = [&](const ConstraintRow& row) {
        return row.constraint == rows[i].constraint;
      };
      const auto before = rows.begin() + static_cast<std::ptrdiff_t>(i);
      std::string name = "lambda";
      if (rows.size() > 1) name += "_" + model_.constraints[rows[i].constraint].name;
      if (rows.size() > 1 && std::count_if(rows.begin(), rows.end(), is_same) > 1)
        name += "_" + std::to_string(1 + std::count_if(rows.begin(), before, is_same));
      while (is_taken(name)) name += "_";
      form_.multipliers.push_back(pool_.symbol(name));
    }
  }

  bool is_taken(const std::string& name) const {
    if (!pool_.has_symbol_named(name)) return false;
    const Expr symbol = pool_.symbol(name);
    return model_.role(symbol) != nullptr ||
           std::find(form_.multipliers.begin(), form_.multipliers.end(), symbol) !=
               form_.multipliers.end();
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  LagrangeForm form_;
  std::vector<Expr> definitions_;     // of every speed, in y'
  Replacements speeds_;               // speeds by their definitions
  std::vector<std::vector<Expr>> S_;  // du_r/dy_i'
};

}  // namespace

LagrangeForm make_lagrange_form(const Equations& equations) {
  const Workspace work = Workspace::continued(*equations.pool());
  return LagrangeFormBuilder(equations).build();
}

}  // namespace visviva
