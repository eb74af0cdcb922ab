#include "visviva/equations/energy/along_motion.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/base/error.h"
#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/methods/tree_rates.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/apply_operation.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/calculus/parts_under.h"

namespace visviva {
namespace {

constexpr int deepest_definition = 64;  // of values that use other values

// Accelerations are taken off by this part of them and of the largest, and by some times what their last correction was, to see
// what their errors do; what stands out by `clear` is no error. Mass matrices of long chains are ill-conditioned (1e8 for a
// hundred links), their entries known to 1e-19.
constexpr double shake = 1e-10;
constexpr double correction_shake = 10;
constexpr int corrections = 2;
constexpr double rounding = 1e-15;
constexpr double clear = 100;
// States on constraints are known to 1e-13 only, and accelerations are as much worse as the mass matrix is ill-conditioned.
constexpr double constrained_shake = 1e-7, state_shake = 1e-9;
constexpr double slow = 1e-9;  // of the value itself, a second: not told from rounding of constants

bool is_rotated_by_four(const ModelData& model) {
  return !model.quaternions.empty() ||
         std::any_of(model.frames.begin(), model.frames.end(),
                     [](const FrameData& f) { return !f.hidden.empty(); });
}

bool has_jump(const Expr& e) {
  if (!has_piece_under(e)) return false;
  const std::vector<std::uint32_t> cone = collect_cone(e.pool(), {e.ref()});
  return std::any_of(cone.begin(), cone.end(), [&](std::uint32_t i) {
    const Op op = e.pool().node(i << 1).op;
    return op == Op::sign || op == Op::step;
  });
}

// x with M x = f for a symmetric M, without exchanges: a zero pivot is a direction without inertia.
std::vector<Expr> solve_symmetric(std::vector<std::vector<Expr>> M, std::vector<Expr> f) {
  const std::size_t n = f.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (M[k][k].is_zero()) return {};
    for (std::size_t i = k + 1; i < n; ++i) {
      if (M[k][i].is_zero()) continue;
      const Expr factor = M[k][i] / M[k][k];
      for (std::size_t j = i; j < n; ++j) M[i][j] -= factor * M[k][j];
      f[i] -= factor * f[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) f[k] -= M[k][j] * f[j];
    f[k] /= M[k][k];
  }
  return f;
}

// x with M x = f where a solution in double precision is known, corrected by residuals in longer arithmetic; with the size of
// the last correction.
struct CorrectedSolution {
  std::vector<long double> x;
  Eigen::VectorXd last;
};
CorrectedSolution correct_solution(const Eigen::MatrixXd& M, const std::vector<long double>& rows,
                                   const std::vector<long double>& f, const Eigen::VectorXd& x) {
  const std::size_t n = f.size();
  CorrectedSolution result{{x.begin(), x.end()}, Eigen::VectorXd::Zero(x.size())};
  for (int k = 0; k < corrections; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      long double rest = f[i];
      for (std::size_t j = 0; j < n; ++j) rest -= rows[i * n + j] * result.x[j];
      result.last(static_cast<Eigen::Index>(i)) = static_cast<double>(rest);
    }
    result.last = solve_closest(M, result.last).col(0);
    for (std::size_t i = 0; i < n; ++i) result.x[i] += result.last(static_cast<Eigen::Index>(i));
  }
  return result;
}

// x with rows (A | b) x: false unless they determine it. Rows may be more than unknowns.
bool solve_rows(std::vector<std::vector<Expr>> rows, std::size_t n, std::vector<Expr>* x) {
  std::size_t done = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = done;
    while (pivot < rows.size() && rows[pivot][k].is_zero()) ++pivot;
    if (pivot == rows.size()) return false;
    std::swap(rows[done], rows[pivot]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == done || rows[i][k].is_zero()) continue;
      const Expr factor = rows[i][k] / rows[done][k];
      for (std::size_t j = k; j <= n; ++j) rows[i][j] -= factor * rows[done][j];
    }
    ++done;
  }
  for (std::size_t k = 0; k < n; ++k) (*x)[k] = rows[k][n] / rows[k][k];
  return true;
}

}  // namespace

Replacements ModelValues::collect(const ModelData& model) {
  Replacements all;
  for (const ParameterData& p : model.parameters) {
    if (p.value) all.emplace_back(p.symbol, *p.value);
  }
  for (const InputData& i : model.inputs)
    if (i.state < 0) all.emplace_back(i.symbol, i.value);
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  }
  Tangent rate(*model.pool, rates);
  for (const SpecifiedData& s : model.specified) {
    if (!s.definition) continue;
    // The derivative of a jump is not what the fields of smooth functions say: it stays a symbol.
    Expr value = *s.definition;
    for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
      if (k > 0 && has_jump(value)) break;
      if (k > 0) value = rate(value);
      all.emplace_back(s.derivatives[k], value);
    }
  }
  // Values may use one another.
  for (int round = 0; round < deepest_definition; ++round) {
    Substitution once(*model.pool, all);
    bool is_done = true;
    for (auto& entry : all) {
      const Expr next = once(entry.second);
      is_done = is_done && next.ref() == entry.second.ref();
      entry.second = next;
    }
    if (is_done) break;
  }
  return all;
}

// Numbers of expressions at one state, each node's once. Symbols that were given none get one: anything
// between 0.3 and 1.7.
class AlongMotion::StateNumbers {
 public:
  struct Value {
    double value;
    long double exact;  // by longer arithmetic
    double shaken;      // with the symbols a little off
  };

  explicit StateNumbers(ExprPool& pool) : pool_(pool) {}

  void set(const Expr& symbol, long double value, double shaken) {
    remember(pool_.take(symbol) >> 1, {static_cast<double>(value), value, shaken});
  }

  Value operator()(const Expr& e) {
    const Ref root = pool_.take(e);
    for (const std::uint32_t i : collect_cone(pool_, {root}, places_)) remember(i, compute(i));
    return read(root);
  }

 private:
  void remember(std::uint32_t index, const Value& value) {
    places_.set(index, static_cast<std::uint32_t>(values_.size()));
    values_.push_back(value);
  }

  Value read(Ref ref) const {
    const Value v = values_[*places_.find(ref >> 1)];
    return (ref & 1u) != 0 ? Value{-v.value, -v.exact, -v.shaken} : v;
  }

  Value compute(std::uint32_t index) const {
    const Node& n = pool_.node(index << 1);
    if (operand_count(n.op) == 0) {
      const double x = leaf(index);
      return {x, x, x};
    }
    const Value a = read(n.a), b = operand_count(n.op) > 1 ? read(n.b) : a;
    return {apply_operation(n.op, a.value, b.value), apply_operation(n.op, a.exact, b.exact),
            apply_operation(n.op, a.shaken, b.shaken)};
  }

  double leaf(std::uint32_t index) const {
    const Op op = pool_.node(index << 1).op;
    if (op == Op::constant) return pool_.constant_value(index << 1);
    if (op == Op::pi) return std::acos(-1.0);
    if (op == Op::function) return function_stand_in(pool_.fingerprint(index << 1));
    std::mt19937_64 random(index);
    return std::uniform_real_distribution<double>(0.3, 1.7)(random);
  }

  ExprPool& pool_;
  IndexMap places_;
  std::vector<Value> values_;
};

AlongMotion::~AlongMotion() = default;

ModelValues::ModelValues(const ModelData& model)
    : replacements_(collect(model)), substitution_(*model.pool, replacements_) {}

AlongMotion::AlongMotion(const Energies& energies, const Replacements& values)
    : energies_(energies),
      given_(values),
      values_(*energies.equations.motion.model().pool, values) {
  const Kinematics& motion = energies.equations.motion;
  ExprPool& pool = *motion.model().pool;
  Embedding embedding(energies.equations, energies.embedded, energies.split);
  std::vector<std::pair<Expr, Expr>> rates;
  for (const auto& [symbol, rate] : collect_rates(motion)) {
    rates.emplace_back(symbol, values_(embedding(rate)));
    const SymbolRole* role = motion.model().role(symbol);
    if (role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden))
      configuration_.push_back(rates.back());
  }
  for (const int r : energies.embedded.independent) speeds_.push_back(motion.speeds()[r].u);
  held_ = std::make_unique<Tangent>(pool, rates);
}

const std::vector<Expr>& AlongMotion::accelerations() {
  if (!is_solved_) solve();
  return accelerations_;
}

void AlongMotion::solve() {
  if (!solve_with_unknowns() && !solve_by_recursions()) {
    std::vector<std::vector<Expr>> M = energies_.embedded.mass_matrix;
    for (std::vector<Expr>& row : M) row = values_(row);
    accelerations_ = solve_symmetric(std::move(M), values_(energies_.embedded.forcing));
  }
  finish_solution();
}

void AlongMotion::finish_solution() {
  is_solved_ = true;
  if (accelerations_.empty()) return;
  std::vector<std::pair<Expr, Expr>> rates;
  for (std::size_t i = 0; i < speeds_.size(); ++i)
    rates.emplace_back(speeds_[i], accelerations_[i]);
  full_ = std::make_unique<Tangent>(*energies_.equations.motion.model().pool, rates);
}

// Along trees without constraints, where no value makes a pivot zero.
bool AlongMotion::solve_by_recursions() {
  const Equations& equations = energies_.equations;
  if (!equations.rows.empty() || !equations.unknowns.empty()) return false;
  const auto tree = solve_along_trees(equations.motion);
  if (!tree) return false;
  const auto valued = attempt([&] {
    accelerations_.clear();
    for (const Expr& pivot : tree->pivots)
      if (values_(pivot).is_zero()) return false;
    for (const int r : energies_.embedded.independent)
      accelerations_.push_back(values_(tree->rates[static_cast<std::size_t>(r)]));
    return true;
  });
  if (!valued || !*valued) accelerations_.clear();
  is_by_recursions_ = !accelerations_.empty();
  return is_by_recursions_;
}

// M u' - W t = f0 and the auxiliary equations C u' - V t = d0 for the unknown forces t. False when
// there are none, or these equations do not determine them.
bool AlongMotion::solve_with_unknowns() {
  const Equations& equations = energies_.equations;
  const EmbeddedEquations& embedded = energies_.embedded;
  const std::vector<Expr>& unknowns = equations.unknowns;
  if (unknowns.empty()) return false;
  ExprPool& pool = *equations.motion.model().pool;
  Embedding embedding(equations, embedded, energies_.split);
  const std::size_t p = speeds_.size(), n = p + unknowns.size();
  std::vector<std::vector<Expr>> rows;  // coefficients of u', t and the right side
  const auto add_row = [&](std::vector<Expr> left, const Expr& right) {
    const LinearForm form = make_linear_form(values_(embedding(right)), unknowns);
    for (Expr& e : left) e = values_(embedding(e));
    for (const Expr& c : form.coefficients) left.push_back(-c);
    left.push_back(form.remainder);
    rows.push_back(std::move(left));
  };
  for (std::size_t i = 0; i < p; ++i) add_row(embedded.mass_matrix[i], embedded.forcing[i]);
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    const bool has_multipliers =
        std::any_of(a.rows.begin(), a.rows.end(), [](const Expr& e) { return !e.is_zero(); });
    if (!a.is_complete || a.is_evidence || has_multipliers) continue;
    // u_d' = T u_i' + what the speeds alone make of it
    std::vector<Expr> left;
    Expr right = a.forcing;
    for (std::size_t i = 0; i < p; ++i) {
      left.push_back(a.mass[embedded.independent[i]]);
      for (std::size_t d = 0; d < embedded.dependent.size(); ++d)
        left[i] += a.mass[embedded.dependent[d]] * embedded.transmission[d][i];
    }
    for (std::size_t d = 0; d < embedded.dependent.size(); ++d)
      right -= a.mass[embedded.dependent[d]] *
               equations.motion.derivative_at_constant_speeds(embedded.dependent_speeds[d]);
    add_row(std::move(left), right);
  }
  std::vector<Expr> solution(n, pool.zero());
  if (!solve_rows(std::move(rows), n, &solution)) return false;
  accelerations_.assign(solution.begin(), solution.begin() + static_cast<std::ptrdiff_t>(p));
  Replacements forces;
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    forces.emplace_back(unknowns[k], solution[p + k]);
  unknowns_.emplace(pool, forces);
  return true;
}

Expr AlongMotion::put_values(const Expr& e) { return values_(put_unknowns(e)); }

Expr AlongMotion::put_unknowns(const Expr& e) {
  if (energies_.equations.unknowns.empty()) return e;
  accelerations();
  return unknowns_ ? (*unknowns_)(e) : e;
}

// Differentiated before values are put in: a jump must not be differentiated.
std::optional<Expr> AlongMotion::derivative(const Expr& e) {
  const Expr value = put_unknowns(e);
  const Expr held = values_((*held_)(value));
  if (!depends_on_speeds(value)) return held;
  if (accelerations().empty()) return {};
  return held + values_((*full_)(value));
}

bool AlongMotion::depends_on_speeds(const Expr& e) const {
  const std::vector<Expr> slopes = gradient(e, speeds_);
  return std::any_of(slopes.begin(), slopes.end(), [](const Expr& s) { return !s.is_zero(); });
}

// Numbers of a state on the constraints; false where none is found.
bool AlongMotion::set_constrained_state() {
  const Equations& equations = energies_.equations;
  const ModelData& model = equations.motion.model();
  const bool has_lock =
      std::any_of(equations.rows.begin(), equations.rows.end(), [&](const ConstraintRow& row) {
        return model.constraints[row.constraint].kind == ConstraintData::Kind::lock;
      });
  if (has_lock) return false;
  const bool has_positions =
      std::any_of(equations.rows.begin(), equations.rows.end(),
                  [](const ConstraintRow& row) { return row.position.has_value(); });
  if (!has_positions) return !is_rotated_by_four(model);
  const StateSamples samples = sample_constraints(energies_, given_);
  if (samples.states.empty()) return false;
  for (std::size_t i = 0; i < samples.symbols.size(); ++i) {
    const double x = samples.states[0][i];
    const double part = i % 2 == 0 ? state_shake : -0.7 * state_shake;
    numbers_->set(samples.symbols[i], x, x + part * (1 + std::abs(x)));
  }
  return true;
}

// A state at random: any is one where there are no constraints, and no four numbers of length 1.
void AlongMotion::choose_state() {
  is_state_chosen_ = true;
  const Equations& equations = energies_.equations;
  const ModelData& model = equations.motion.model();
  if (!equations.unknowns.empty()) return;
  if (equations.rows.empty() && is_rotated_by_four(model)) return;
  const std::size_t n = speeds_.size();
  numbers_ = std::make_unique<StateNumbers>(*model.pool);
  if (!equations.rows.empty() && !set_constrained_state()) return;
  if (n == 0) return mark_rates({}, {});  // all that moves is prescribed
  if (!is_solved_ && solve_by_recursions()) finish_solution();
  if (is_by_recursions_) {
    std::vector<long double> exact;
    std::vector<double> offs;
    for (const Expr& rate : accelerations_) {
      const StateNumbers::Value v = (*numbers_)(rate);
      exact.push_back(v.exact);
      // What double precision makes of the recursions is much more than what is left by the longer one.
      offs.push_back(correction_shake * std::abs(v.value - static_cast<double>(v.exact)) +
                     rounding * std::abs(v.value));
    }
    return mark_rates(exact, offs);
  }
  std::vector<Expr> all;
  for (const std::vector<Expr>& row : energies_.embedded.mass_matrix) {
    const std::vector<Expr> valued = values_(row);
    all.insert(all.end(), valued.begin(), valued.end());
  }
  const std::vector<Expr> forcing = values_(energies_.embedded.forcing);
  all.insert(all.end(), forcing.begin(), forcing.end());
  std::vector<double> values;
  std::vector<long double> exact;
  for (const Expr& e : all) {
    const StateNumbers::Value v = (*numbers_)(e);
    values.push_back(v.value);
    exact.push_back(v.exact);
  }
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) return;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::MatrixXd M = Eigen::Map<const Eigen::MatrixXd>(values.data(), size, size);
  const AnyRankSolution solved =
      solve_any_rank(M, Eigen::Map<const Eigen::VectorXd>(values.data() + n * n, size));
  if (!std::all_of(solved.is_determined.begin(), solved.is_determined.end(),
                   [](bool b) { return b; }))
    return;

  const std::vector<long double> right(exact.end() - size, exact.end());
  const CorrectedSolution corrected = correct_solution(M, exact, right, solved.x);
  const double largest = solved.x.cwiseAbs().maxCoeff();
  std::vector<double> offs;
  const double part = equations.rows.empty() ? shake : constrained_shake;
  for (std::size_t i = 0; i < n; ++i)
    offs.push_back(part * (std::abs(static_cast<double>(corrected.x[i])) + largest) +
                   correction_shake * std::abs(corrected.last(static_cast<Eigen::Index>(i))));
  mark_rates(corrected.x, offs);
}

// Accelerations as numbers, and a little off.
void AlongMotion::mark_rates(const std::vector<long double>& values,
                             const std::vector<double>& offs) {
  const auto is_finite = [](long double x) { return std::isfinite(static_cast<double>(x)); };
  if (!std::all_of(values.begin(), values.end(), is_finite)) return;
  std::vector<std::pair<Expr, Expr>> rates;
  const Equations& equations = energies_.equations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Expr& rate = equations.motion.speeds()[energies_.embedded.independent[i]].rate;
    rates.emplace_back(speeds_[i], rate);
    const double part = 1 + 0.37 * static_cast<double>(i % 7);
    numbers_->set(rate, values[i],
                  static_cast<double>(values[i]) + (i % 2 == 0 ? offs[i] : -offs[i]) * part);
  }
  marked_ = std::make_unique<Tangent>(*equations.motion.model().pool, rates);
}

bool AlongMotion::is_seen_to_change(const Expr& e) {
  const auto seen = attempt([&] {
    if (!is_state_chosen_) choose_state();
    if (!marked_) return false;
    const StateNumbers::Value rate = (*numbers_)(values_((*held_)(e) + (*marked_)(e)));
    const double error =
        std::abs(rate.value - static_cast<double>(rate.exact)) + std::abs(rate.value - rate.shaken);
    const double least = slow * std::abs((*numbers_)(values_(e)).value) + clear * error;
    return std::isfinite(rate.value) && std::abs(rate.value) > least;
  });
  return seen && *seen;
}

}  // namespace visviva
