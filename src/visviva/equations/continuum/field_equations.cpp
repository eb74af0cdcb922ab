#include "visviva/equations/continuum/field_equations.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "visviva/equations/energy/velocity_split.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/lagrange.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

// Slopes that (2) and (3) may come to: those of densities, differentiated as often, and once more where material passes.
constexpr int highest_slope = 8;
constexpr int rates_kept = 3;  // w, w', w''

class FieldDerivation {
 public:
  explicit FieldDerivation(const Equations& equations)
      : equations_(equations),
        motion_(equations.motion),
        model_(equations.motion.model()),
        work_(equations.pool()),
        pool_(work_.pool()) {}

  FieldEquations derive() {
    split_rows();
    add_multipliers();
    name_values();
    for (std::size_t f = 0; f < model_.fields.size(); ++f)
      result_.fields.push_back(derive_field(static_cast<int>(f)));
    for (std::size_t r = 0; r < motion_.speeds().size(); ++r)
      if (!is_stand_in(motion_.speeds()[r].coordinate)) add_integral(r);
    for (std::size_t v = 0; v < model_.field_variables.size(); ++v)
      if (model_.field_variables[v].piece.valid()) add_balance(static_cast<int>(v));
    result_.pool = work_.finish();
    return std::move(result_);
  }

 private:
  struct Row {
    Expr inertia;  // -F*
    Expr forces;
    Expr residual() const { return forces - inertia; }
  };

  // F and -F* of every speed.
  void split_rows() {
    const std::size_t n = motion_.speeds().size();
    rows_.assign(n, {pool_.zero(), pool_.zero()});
    for (const Load& load : collect_loads(motion_)) {
      std::vector<Expr> forces = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < n; ++r) rows_[r].forces += forces[r];
      sources_.push_back({load.name, std::move(forces)});
    }
    for (std::size_t r = 0; r < n; ++r) {
      rows_[r].inertia = rows_[r].forces - equations_.forcing[r];
      for (std::size_t s = 0; s < n; ++s)
        rows_[r].inertia += equations_.mass_matrix[r][s] * motion_.speeds()[s].rate;
    }
    sources_.push_back({"inertia", {}});
    for (const Row& row : rows_) sources_.back().rows.push_back(-row.inertia);
  }

  // sum_i A_ij lambda_i, beside the active forces.
  void add_multipliers() {
    const std::vector<ConstraintRow>& rows = equations_.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string& name =
          model_.constraints[static_cast<std::size_t>(rows[i].constraint)].name;
      const auto same = std::count_if(rows.begin(), rows.end(), [&](const ConstraintRow& row) {
        return row.constraint == rows[i].constraint;
      });
      std::string symbol = rows.size() == 1 ? "lambda" : "lambda_" + name;
      if (same > 1) symbol += std::string("_") + "xyz"[rows[i].component % 3];
      while (pool_.has_symbol_named(symbol)) symbol += "_";
      const Expr multiplier = pool_.symbol(symbol);
      sources_.push_back({name, std::vector<Expr>(rows_.size(), pool_.zero())});
      Expr condition = rows[i].velocity.remainder;
      for (const auto& [r, a] : rows[i].velocity.coefficients) {
        rows_[static_cast<std::size_t>(r)].forces += multiplier * a;
        sources_.back().rows[static_cast<std::size_t>(r)] += multiplier * a;
        condition += a * motion_.speeds()[static_cast<std::size_t>(r)].u;
      }
      result_.constraints.push_back({name, multiplier, rows[i].position.value_or(condition)});
    }
  }

  std::optional<std::size_t> row_of(int coordinate) const {
    for (std::size_t r = 0; r < motion_.speeds().size(); ++r)
      if (motion_.speeds()[r].coordinate == coordinate) return r;
    return std::nullopt;
  }

  bool is_stand_in(int coordinate) const {
    for (const FieldData& field : model_.fields)
      for (const StandInData& s : field.stand_ins)
        if (s.coordinate == coordinate && coordinate >= 0) return true;
    return false;
  }

  // The value or a slope of a field at the place that stands for all; values at others are coordinates like any other
  // for the lines that hang there.
  bool is_at_station(int coordinate) const {
    for (const FieldData& field : model_.fields)
      for (const StandInData& s : field.stand_ins)
        if (s.coordinate == coordinate && coordinate >= 0) return !s.place.valid();
    return false;
  }

  // ---- Names of values, slopes and rates

  const FieldVariableData& variable(const FieldData& field) const {
    return model_.field_variables[static_cast<std::size_t>(field.variable)];
  }

  std::string value_name(const FieldData& field, int slopes, int rates) const {
    const std::string name = field.name + std::string(static_cast<std::size_t>(rates), '\'');
    if (slopes == 0) return name;
    std::string text = "d(" + name;
    for (int i = 0; i < slopes; ++i) text += ", " + variable(field).name;
    return text + ")";
  }

  Expr value_symbol(int f, int slopes, int rates, const Expr& place = {},
                    const std::string& side = " at ") {
    const FieldData& field = model_.fields[static_cast<std::size_t>(f)];
    std::string name = value_name(field, slopes, rates);
    if (place.valid()) name += side + print(place);
    const Expr symbol = pool_.symbol(name);
    if (known_values_.insert(name).second)
      result_.values.push_back({symbol, f, slopes, rates, place});
    return symbol;
  }

  // Values at the station, how they change along the line, and, where material passes, in time.
  void name_values() {
    std::vector<std::pair<Expr, Expr>> along;
    for (std::size_t i = 0; i < model_.fields.size(); ++i) {
      const auto f = static_cast<int>(i);
      auto& named = values_.emplace_back();
      for (int k = 0; k <= highest_slope; ++k)
        for (int r = 0; r < rates_kept; ++r) named[k][r] = value_symbol(f, k, r);
      for (const StandInData& s : model_.fields[i].stand_ins)
        for (int r = 0; r < rates_kept && s.place.valid(); ++r)
          value_symbol(f, s.slopes, r, s.place);
      for (int k = 0; k < highest_slope; ++k)
        for (int r = 0; r < rates_kept; ++r) along.emplace_back(named[k][r], named[k + 1][r]);
    }
    for (const FieldVariableData& x : model_.field_variables)
      if (x.station.valid()) along.emplace_back(x.station, pool_.one());
    along_.emplace(pool_, along);
    material_ = make_material_rates();
  }

  // (7)
  Replacements make_material_rates() {
    Replacements rates;
    for (const LineData& line : model_.lines) {
      if (!line.moving) continue;
      const Expr v = *line.moving;
      for (std::size_t f = 0; f < model_.fields.size(); ++f) {
        if (model_.fields[f].variable != line.variable) continue;
        const auto& w = values_[f];
        for (int k = 0; k + 2 <= highest_slope; ++k) {
          rates.emplace_back(w[k][1], w[k][1] + v * w[k + 1][0]);
          rates.emplace_back(w[k][2], w[k][2] + pool_.rational(2) * v * w[k + 1][1] +
                                          v * v * w[k + 2][0] + rate_of(v) * w[k + 1][0]);
        }
      }
      const FieldVariableData& x = model_.field_variables[static_cast<std::size_t>(line.variable)];
      for (const SpecifiedData& s : model_.specified) {
        if (!x.station.valid() || !(s.derivatives[0] == x.station)) continue;
        rates.emplace_back(s.derivatives[1], v);
        rates.emplace_back(s.derivatives[2], rate_of(v));
      }
    }
    return rates;
  }

  Expr rate_of(const Expr& v) {
    std::vector<std::pair<Expr, Expr>> rates = {{model_.time, pool_.one()}};
    for (const SpecifiedData& s : model_.specified)
      for (std::size_t k = 0; k < 3; ++k)
        rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
    return Tangent(pool_, rates)(v);
  }

  // ---- A field

  // R_k of a field, apart: what a piece of unit length brings.
  std::vector<Row> density_rows(int f) {
    const FieldData& field = model_.fields[static_cast<std::size_t>(f)];
    std::vector<Row> densities;
    for (const StandInData& s : field.stand_ins) {
      if (s.place.valid()) continue;
      const auto r = row_of(s.coordinate);
      if (!r) continue;
      const auto k = static_cast<std::size_t>(s.slopes);
      if (densities.size() <= k) densities.resize(k + 1, {pool_.zero(), pool_.zero()});
      const Expr piece = variable(field).piece;
      densities[k].inertia = substitute(differentiate(rows_[*r].inertia, piece), material_);
      densities[k].forces = differentiate(rows_[*r].forces, piece);
    }
    while (!densities.empty() && densities.back().residual() == pool_.zero()) densities.pop_back();
    return densities;
  }

  Expr along(Expr e, int times) {
    for (int i = 0; i < times; ++i) e = (*along_)(e);
    return times % 2 == 0 ? e : -e;
  }

  // (3)
  std::vector<Expr> boundary_forces(const std::vector<Row>& R) {
    std::vector<Expr> B;
    for (std::size_t j = 0; j + 1 < R.size(); ++j) {
      B.push_back(pool_.zero());
      for (std::size_t k = j + 1; k < R.size(); ++k)
        B[j] += along(R[k].residual(), static_cast<int>(k - 1 - j));
    }
    return B;
  }

  // What each source brings to R_k of a field.
  std::vector<Expr> density_of(const std::vector<Expr>& rows, bool is_inertia, int f) {
    const FieldData& field = model_.fields[static_cast<std::size_t>(f)];
    std::vector<Expr> R;
    for (const StandInData& s : field.stand_ins) {
      const auto r = s.place.valid() ? std::nullopt : row_of(s.coordinate);
      if (!r) continue;
      const auto k = static_cast<std::size_t>(s.slopes);
      if (R.size() <= k) R.resize(k + 1, pool_.zero());
      R[k] = differentiate(rows[*r], variable(field).piece);
      if (is_inertia) R[k] = substitute(R[k], material_);
    }
    return R;
  }

  void add_terms(FieldEquation* equation) {
    const FieldData& field = model_.fields[static_cast<std::size_t>(equation->field)];
    const FieldVariableData& x = variable(field);
    for (const Source& source : sources_) {
      const std::vector<Expr> R =
          density_of(source.rows, source.from == "inertia", equation->field);
      Expr inside = pool_.zero();
      for (std::size_t k = 0; k < R.size(); ++k) inside += along(R[k], static_cast<int>(k));
      if (!inside.is_zero()) equation->terms.push_back({source.from, inside});
      for (BoundaryCondition& b : equation->boundary) {
        if (!b.is_natural) continue;
        Expr B = pool_.zero(), here = pool_.zero();
        for (std::size_t k = static_cast<std::size_t>(b.slopes) + 1; k < R.size(); ++k)
          B += along(R[k], static_cast<int>(k) - 1 - b.slopes);
        for (const StandInData& s : field.stand_ins)
          if (const auto r = row_of(s.coordinate);
              r && s.place.valid() && s.place == b.place && s.slopes == b.slopes)
            here = source.rows[*r];
        const Expr value = b.place == x.to     ? -(at_place(B, b.place, " at ") + here)
                           : b.place == x.from ? at_place(B, b.place, " at ") - here
                                               : at_place(B, b.place, " before ") -
                                                     at_place(B, b.place, " behind ") + here;
        if (!value.is_zero()) b.terms.push_back({source.from, value});
      }
    }
  }

  FieldEquation derive_field(int f) {
    const FieldData& field = model_.fields[static_cast<std::size_t>(f)];
    const std::vector<Row> R = density_rows(f);
    FieldEquation equation{f, pool_.zero(), pool_.zero(), {}};
    for (std::size_t k = 0; k < R.size(); ++k) {  // (2)
      equation.inertia += along(R[k].inertia, static_cast<int>(k));
      equation.forces += along(R[k].forces, static_cast<int>(k));
    }
    const std::vector<Expr> B = boundary_forces(R);
    for (const Expr& place : places_of(field)) add_conditions(f, place, B, &equation);
    add_terms(&equation);
    return equation;
  }

  // Both ends, and what is named between them.
  std::vector<Expr> places_of(const FieldData& field) const {
    const FieldVariableData& x = variable(field);
    std::vector<Expr> between;
    const auto add = [&](const Expr& place) {
      if (!place.valid() || place == x.from || place == x.to) return;
      for (const Expr& known : between)
        if (known == place) return;
      between.push_back(place);
    };
    for (const StandInData& s : field.stand_ins) add(s.place);
    for (const FixData& fix : field.fixes) add(fix.place);
    between.insert(between.begin(), x.from);
    between.push_back(x.to);
    return between;
  }

  const FixData* find_fix(const FieldData& field, const Expr& place, int slopes) const {
    for (const FixData& fix : field.fixes)
      if (fix.slopes == slopes && fix.place == place) return &fix;
    return nullptr;
  }

  // F_j + F*_j of what hangs on the line at a place; nothing where the model does not name it.
  std::optional<Expr> lumped(const FieldData& field, const Expr& place, int slopes) const {
    for (const StandInData& s : field.stand_ins) {
      if (s.slopes != slopes || !s.place.valid() || !(s.place == place)) continue;
      if (const auto r = row_of(s.coordinate)) return rows_[*r].residual();
    }
    return std::nullopt;
  }

  void add_conditions(int f, const Expr& place, const std::vector<Expr>& B,
                      FieldEquation* equation) {
    const FieldData& field = model_.fields[static_cast<std::size_t>(f)];
    const FieldVariableData& x = variable(field);
    const bool is_begin = place == x.from, is_end = place == x.to;
    for (int j = 0; j < highest_slope; ++j) {
      const auto load = lumped(field, place, j);
      if (j >= static_cast<int>(B.size())) {
        if (!load || *load == pool_.zero()) continue;
        throw ModelError({{Severity::error, "E-field-order",
                           "something at " + print(place) + " acts on '" + value_name(field, j, 0) +
                               "', but the energies of '" + field.name + "' have slopes of order " +
                               std::to_string(B.size()) + " only: nothing there could resist",
                           "give the line an energy of bending: potential V over " + x.name +
                               " = 1/2*EI*d(" + field.name + ", " + x.name + ", " + x.name + ")^2",
                           field.source.span}});
      }
      if (const FixData* fix = find_fix(field, place, j)) {
        equation->boundary.push_back(
            {place, j, false, value_symbol(f, j, 0, place), fix->value.value});
        continue;
      }
      const Expr here = load.value_or(pool_.zero());
      if (is_end) {  // (4)
        add_natural(place, j, -(at_place(B[j], place, " at ") + here), equation);
      } else if (is_begin) {  // (5)
        add_natural(place, j, at_place(B[j], place, " at ") - here, equation);
      } else if (load && !(here == pool_.zero())) {  // (6)
        add_natural(place, j,
                    at_place(B[j], place, " before ") - at_place(B[j], place, " behind ") + here,
                    equation);
      }
    }
  }

  void add_natural(const Expr& place, int j, const Expr& vanishing, FieldEquation* equation) {
    equation->boundary.push_back({place, j, true, vanishing, pool_.zero()});
  }

  // An expression of the station at another place: fixed values as they were fixed, others by name.
  Expr at_place(const Expr& e, const Expr& place, const std::string& side) {
    Replacements there;
    for (std::size_t f = 0; f < model_.fields.size(); ++f) {
      const FieldData& field = model_.fields[f];
      for (int k = 0; k <= highest_slope; ++k) {
        const FixData* fix = find_fix(field, place, k);
        for (int r = 0; r < rates_kept; ++r) {
          const Expr symbol = values_[f][k][r];
          if (!depends_on(e, symbol)) continue;
          if (fix != nullptr) {
            const FieldValue& v = fix->value;
            there.emplace_back(symbol, r == 0 ? v.value : r == 1 ? v.rate : v.second_rate);
            continue;
          }
          // What hangs there knows the value by its own name.
          there.emplace_back(
              symbol, value_symbol(static_cast<int>(f), k, r, place, k == 0 ? " at " : side));
        }
      }
      if (const Expr x = variable(field).station;
          x.valid() && depends_on(e, x) && f == first_of(field))
        there.emplace_back(x, place);
    }
    return substitute(e, there);
  }

  std::size_t first_of(const FieldData& field) const {
    std::size_t f = 0;
    while (model_.fields[f].variable != field.variable) ++f;
    return f;
  }

  // ---- Ordinary coordinates

  void add_integral(std::size_t r) {
    IntegralEquation equation{motion_.speeds()[r].name, {}, rows_[r].residual()};
    Replacements nothing;
    for (std::size_t v = 0; v < model_.field_variables.size(); ++v) {
      const FieldVariableData& x = model_.field_variables[v];
      if (!x.piece.valid()) continue;
      const Expr density = differentiate(rows_[r].forces, x.piece) -
                           substitute(differentiate(rows_[r].inertia, x.piece), material_);
      if (!(density == pool_.zero())) equation.densities.emplace_back(static_cast<int>(v), density);
      nothing.emplace_back(x.piece, pool_.zero());
    }
    equation.rest = substitute(equation.rest, nothing);
    result_.integrals.push_back(std::move(equation));
  }

  // ---- Work and energy

  // Coordinates besides the fields, and orientations, with their rates.
  std::vector<std::pair<Expr, Expr>> list_moved() const {
    std::vector<std::pair<Expr, Expr>> moved;
    for (const auto& [symbol, rate] : collect_rates(motion_)) {
      const SymbolRole* role = model_.role(symbol);
      const bool is_given = symbol == model_.time ||
                            (role != nullptr &&
                             (role->role == Role::specified || role->role == Role::specified_rate));
      const bool is_value =
          role != nullptr && role->role == Role::coordinate && is_at_station(role->index);
      if (!is_given && !is_value) moved.emplace_back(symbol, rate);
    }
    return moved;
  }

  // d/dt of what is at the station.
  Tangent make_rates() {
    std::vector<std::pair<Expr, Expr>> rates = list_moved();
    rates.emplace_back(model_.time, pool_.one());
    for (const auto& field : values_)
      for (int k = 0; k <= highest_slope; ++k)
        for (int r = 0; r + 1 < rates_kept; ++r) rates.emplace_back(field[k][r], field[k][r + 1]);
    for (const SpecifiedData& s : model_.specified) {
      if (is_station(s.derivatives[0])) continue;
      for (std::size_t k = 0; k < 3; ++k)
        rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
    }
    for (const Speed& u : motion_.speeds())
      if (!is_at_station(u.coordinate)) rates.emplace_back(u.u, u.rate);
    return {pool_, rates};
  }

  bool is_station(const Expr& e) const {
    for (const FieldVariableData& x : model_.field_variables)
      if (x.station.valid() && e == x.station) return true;
    return false;
  }

  // How fast material passes the places of a variable; 0 where none does.
  Expr passing_speed(int variable) const {
    for (const LineData& line : model_.lines)
      if (line.variable == variable && line.moving) return *line.moving;
    return pool_.zero();
  }

  void add_balance(int variable) {
    const FieldVariableData& x = model_.field_variables[static_cast<std::size_t>(variable)];
    const Expr v = passing_speed(variable), zero = pool_.zero();
    const Expr kinetic = substitute(
        differentiate(compute_kinetic_energy_from_positions(motion_), x.piece), material_);
    const Expr potential = differentiate(compute_potential_from_positions(motion_), x.piece);
    PowerBalance balance{variable, kinetic + potential, zero, zero, zero, {}, false};
    Expr rest = zero;  // what vanishes by the equations of fields and coordinates, times rates
    for (std::size_t f = 0; f < model_.fields.size(); ++f) {
      if (model_.fields[f].variable != variable) continue;
      const std::vector<Row> R = density_rows(static_cast<int>(f));
      const std::vector<Expr> B = boundary_forces(R);
      Expr W = values_[f][0][1] + v * values_[f][1][0];
      Expr residual = zero;
      for (std::size_t k = 0; k < R.size(); ++k)
        residual += along(R[k].residual(), static_cast<int>(k));
      rest += residual * W;
      for (std::size_t k = 0; k < R.size(); ++k, W = (*along_)(W)) {
        balance.power += (R[k].forces + differentiate(potential, values_[f][k][0])) * W;
        if (k < B.size()) balance.flux += B[k] * W;
      }
    }
    for (std::size_t r = 0; r < motion_.speeds().size(); ++r) {
      const Speed& u = motion_.speeds()[r];
      if (is_at_station(u.coordinate)) continue;
      const Expr forces = differentiate(rows_[r].forces, x.piece);
      rest += (forces - substitute(differentiate(rows_[r].inertia, x.piece), material_)) * u.u;
      balance.power += forces * u.u;
    }
    for (const auto& [symbol, rate] : list_moved())
      balance.power += differentiate(potential, symbol) * rate;
    balance.flux += v * balance.energy;
    const Expr uneven = v * differentiate(balance.energy, x.station);  // places that differ
    Tangent rate = make_rates();
    balance.given = rate(balance.energy) + (*along_)(balance.flux) - balance.power + rest - uneven;
    balance.is_proved = balance.given == zero || without_given_motions(balance.given, v) == zero;
    for (const Expr& place : {x.from, x.to})
      balance.through.emplace_back(place, at_place(balance.flux, place, " at "));
    result_.balances.push_back(std::move(balance));
  }

  // With given motions at rest, and material that passes nowhere.
  Expr without_given_motions(const Expr& e, const Expr& v) const {
    Replacements still;
    if (v.is_symbol()) still.emplace_back(v, pool_.zero());
    for (const SpecifiedData& s : model_.specified)
      for (std::size_t k = 1; k < 4; ++k) still.emplace_back(s.derivatives[k], pool_.zero());
    return still.empty() ? e : substitute(e, still);
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  Workspace work_;
  ExprPool& pool_;
  struct Source {
    std::string from;
    std::vector<Expr> rows;  // generalized forces, of every speed
  };
  std::vector<Row> rows_;
  std::vector<Source> sources_;
  std::vector<std::array<std::array<Expr, rates_kept>, highest_slope + 1>> values_;
  std::set<std::string> known_values_;
  std::optional<Tangent> along_;
  Replacements material_;
  FieldEquations result_;
};

}  // namespace

FieldEquations derive_field_equations(const Equations& equations) {
  return FieldDerivation(equations).derive();
}

}  // namespace visviva
