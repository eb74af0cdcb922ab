#include "visviva/equations/small_motion/floquet.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/numeric/dense.h"
#include "visviva/numeric/extrapolation.h"
#include "visviva/numeric/product.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SmallMotionReason::Kind;

constexpr double period_tolerance = 1e-9;  // of a period, and of equations a period later
constexpr int most_periods = 1000;         // of one function in a common one
constexpr double return_tolerance = 1e-6;  // of A and of the motion after a period
constexpr double circle_tolerance = 1e-6;  // of a multiplier's modulus: a double one moves by the
                                           // root of the errors
constexpr int multiplier_evaluations = 200'000;

// Those of tables, and where the sines and cosines in the equations have arguments that grow evenly
// with t, theirs.
std::vector<double> list_periods(const MotionSystem& system, const StartState& state) {
  const ModelData& model = system.motion().model();
  std::vector<Expr> all;
  for (const Expr& e : system.everything()) all.push_back(system.time_functions().in_time(e));
  if (all.empty()) return {};
  ExprPool& pool = common_pool(all, "find_common_period");
  std::vector<double> periods;
  for (const SpecifiedData& s : model.specified) {
    if (s.table == nullptr || s.table->range() != TableRange::periodic) continue;
    const bool is_used = std::any_of(s.derivatives.begin(), s.derivatives.end(),
                                     [&](const Expr& d) { return varies_with(all, d); });
    if (is_used) periods.push_back(s.table->last() - s.table->first());
  }
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, all, "find_common_period"))) {
    const Node node = pool.node(i << 1);
    if (node.op != Op::sin && node.op != Op::cos && node.op != Op::tan) continue;
    const Expr rate = differentiate(Expr(pool, node.a), model.time);
    if (rate.is_zero()) continue;
    bool is_even = true;
    for (const Expr& s : free_symbols(rate)) {
      const SymbolRole* role = model.role(s);
      is_even = is_even && role != nullptr &&
                (role->role == Role::parameter || role->role == Role::input);
    }
    if (is_even) periods.push_back(2 * M_PI / std::abs(state.value(rate)));
  }
  return periods;
}

}  // namespace

std::optional<double> find_common_period(const MotionSystem& system, const StartState& state) {
  const std::vector<double> periods = list_periods(system, state);
  if (periods.empty()) return std::nullopt;
  const double longest = *std::max_element(periods.begin(), periods.end());
  for (int k = 1; k <= most_periods; ++k) {
    const double T = k * longest;
    const bool is_shared = std::all_of(periods.begin(), periods.end(), [&](double part) {
      return std::abs(T / part - std::round(T / part)) <= period_tolerance * T / part;
    });
    if (is_shared) return has_period(system, state, T) ? std::optional(T) : std::nullopt;
  }
  return std::nullopt;
}

bool is_smooth(const MotionSystem& system) {
  std::vector<Expr> all;
  for (const Expr& e : system.everything()) all.push_back(system.time_functions().in_time(e));
  const std::vector<SpecifiedData>& specified = system.motion().model().specified;
  const bool has_table = std::any_of(specified.begin(), specified.end(),
                                     [](const SpecifiedData& s) { return s.table != nullptr; });
  if (all.empty() || has_table) return !has_table;
  ExprPool& pool = common_pool(all, "is_smooth");
  const std::vector<std::uint32_t> cone = collect_cone(pool, refs_in(pool, all, "is_smooth"));
  return std::none_of(cone.begin(), cone.end(), [&](std::uint32_t i) {
    const Op op = pool.node(i << 1).op;
    return op == Op::sign || op == Op::step || op == Op::abs || op == Op::min || op == Op::max;
  });
}

bool has_period(const MotionSystem& system, const StartState& state, double T) {
  const std::vector<Expr> all = system.everything();
  const std::vector<Expr> inside = free_symbols(all);
  if (all.empty()) return true;
  const Evaluator evaluator(inside, all);
  const std::vector<Expr>& functions = system.time_functions().symbols();
  const Expr& time = system.motion().model().time;
  std::mt19937 random(7);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  for (int i = 0; i < 6; ++i) {
    const double t = T * uniform();
    std::vector<double> numbers, later;
    const std::vector<double> now = system.time_functions()(t),
                              then = system.time_functions()(t + T);
    for (const Expr& s : inside) {
      const auto found = std::find(functions.begin(), functions.end(), s);
      const SymbolRole* role = system.motion().model().role(s);
      if (found != functions.end()) {
        numbers.push_back(now[found - functions.begin()]);
        later.push_back(then[found - functions.begin()]);
      } else if (s == time) {
        numbers.push_back(t);
        later.push_back(t + T);
      } else if (role == nullptr || !state.known.contains(s)) {
        numbers.push_back(uniform());
        later.push_back(numbers.back());
      } else {
        const bool is_given = role->role == Role::parameter || role->role == Role::input;
        numbers.push_back(state.value(s) + (is_given ? 0 : 0.1 * uniform()));
        later.push_back(numbers.back());
      }
    }
    const std::vector<double> a = evaluator(numbers), b = evaluator(later);
    double largest = 0;
    for (const double x : a) largest = std::max(largest, std::abs(x));
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (!(std::abs(a[k] - b[k]) <= 1e-8 * (std::abs(a[k]) + 1e-3 * largest))) return false;
    }
  }
  return true;
}

namespace {

SmallMotionReason judge_moduli(const std::vector<std::complex<double>>& multipliers) {
  const double largest = multipliers.empty() ? 0.0 : std::abs(multipliers.front());
  if (largest > 1 + circle_tolerance) return {Kind::growing_multiplier};
  if (largest < 1 - circle_tolerance) return {Kind::decaying_multipliers};
  return {Kind::multipliers_on_circle};
}

// The state is the same one for small motions: A, and the rates of the motion itself.
bool has_returned(const StateMatrices& a, const MotionNumbers& at_a, const StateMatrices& b,
                  const MotionNumbers& at_b) {
  const MatrixXd size = a.A_size.cwiseMax(b.A_size);
  for (Index i = 0; i < size.rows(); ++i) {
    const double row = size.row(i).maxCoeff();
    for (Index j = 0; j < size.cols(); ++j) {
      if (!(std::abs(a.A(i, j) - b.A(i, j)) <= return_tolerance * row)) return false;
    }
  }
  const VectorXd x = product(a.S_X, at_a.X_rates), y = product(b.S_X, at_b.X_rates);
  const VectorXd x_size = product_of_sizes(a.S_X, at_a.X_rates);
  for (Index i = 0; i < x.size(); ++i) {
    if (!(std::abs(x(i) - y(i)) <= return_tolerance * (x_size(i) + size.row(i).maxCoeff())))
      return false;
  }
  return true;
}

// The equations are those at the start again, whose time is taken: a jump may lie there.
std::optional<MotionNumbers> compute_slopes_after_period(const MotionSystem& system,
                                                         const MotionNumbers& start,
                                                         const VectorXd& X) {
  return system.compute_slopes(start.t, X);
}

// Where the motion is after a period, and whether that is where it began; the motion alone is quickly
// followed, its variations are not.
std::optional<SmallMotionReason> check_return(const MotionSystem& system,
                                              const MotionNumbers& start,
                                              const StateMatrices& first, const VariationPlan& plan,
                                              double period) {
  const RateFunction rates = [&](double t, const VectorXd& X, VectorXd* rate) {
    return system.compute_rates(t, X, rate);
  };
  const FollowedMotion end =
      follow_motion(rates, start.t, start.X, start.t + period,
                    {.tolerance = 1e-11, .most_evaluations = multiplier_evaluations});
  if (!end.has_arrived)
    return SmallMotionReason{
        .kind = Kind::motion_not_followed, .number = period, .other_number = end.t - start.t};
  const std::optional<MotionNumbers> there = compute_slopes_after_period(system, start, end.y);
  if (!there || !has_returned(first, start, compute_state_matrices(system, *there, plan), *there))
    return SmallMotionReason{.kind = Kind::motion_lacks_period, .number = period};
  return {};
}

// A along all motions is the same function of t: whether this one returns does not matter.
bool depends_on_time_alone(const MotionSystem& system, const VariationPlan& plan) {
  for (const RotationChoice& choice : plan.choices) {
    if (choice.frame != RotationChoice::Frame::coordinates) return false;
  }
  const ModelData& model = system.motion().model();
  const std::vector<Expr> inside = free_symbols(system.slope_expressions());
  return std::all_of(inside.begin(), inside.end(), [&](const Expr& s) {
    const SymbolRole* role = model.role(s);
    return role != nullptr && (role->role == Role::parameter || role->role == Role::input ||
                               role->role == Role::time || role->role == Role::specified ||
                               role->role == Role::specified_rate);
  });
}

}  // namespace

Floquet compute_floquet(const MotionSystem& system, const MotionNumbers& start,
                        const VariationPlan& plan, double period) {
  Floquet result{.period = period};
  const StateMatrices first = compute_state_matrices(system, start, plan);
  if (!depends_on_time_alone(system, plan)) {
    if (const auto why_not = check_return(system, start, first, plan, period)) {
      result.verdict = *why_not;
      return result;
    }
  }
  const Index n = start.X.size(), k = first.Q_T.cols();
  VectorXd state(n + n * k);
  state.head(n) = start.X;
  Eigen::Map<MatrixXd>(state.data() + n, n, k) = first.Q_T;
  const RateFunction rates = [&](double t, const VectorXd& y, VectorXd* rate) {
    const std::optional<MotionNumbers> there = system.compute_slopes(t, y.head(n));
    if (!there) return false;
    rate->resize(y.size());
    rate->head(n) = there->X_rates;
    Eigen::Map<MatrixXd>(rate->data() + n, n, k) = product(
        compute_full_slopes(system, *there), Eigen::Map<const MatrixXd>(y.data() + n, n, k));
    return true;
  };
  const FollowedMotion end =
      follow_motion(rates, start.t, state, start.t + period,
                    {.tolerance = 1e-11, .most_evaluations = multiplier_evaluations});
  if (!end.has_arrived) {
    result.verdict = {
        .kind = Kind::motion_not_followed, .number = period, .other_number = end.t - start.t};
    return result;
  }
  const std::optional<MotionNumbers> there =
      compute_slopes_after_period(system, start, end.y.head(n));
  if (!there) {
    result.verdict = {.kind = Kind::motion_lacks_period, .number = period};
    return result;
  }
  const StateMatrices last = compute_state_matrices(system, *there, plan);
  const MatrixXd M = product(last.S_X, Eigen::Map<const MatrixXd>(end.y.data() + n, n, k));  // (1)
  const Eigen::VectorXcd values = compute_eigenvalues(M);
  result.multipliers.assign(values.begin(), values.end());
  std::sort(result.multipliers.begin(), result.multipliers.end(),
            [](const std::complex<double>& a, const std::complex<double>& b) {
              const double difference = std::abs(a) - std::abs(b);
              if (std::abs(difference) > 1e-9 * std::abs(a)) return difference > 0;
              return a.imag() > b.imag();
            });
  result.verdict = judge_moduli(result.multipliers);
  return result;
}

}  // namespace visviva
