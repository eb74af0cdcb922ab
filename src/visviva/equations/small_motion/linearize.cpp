#include "visviva/equations/small_motion/linearize.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "visviva/equations/small_motion/corners.h"
#include "visviva/equations/small_motion/floquet.h"
#include "visviva/equations/small_motion/motion_system.h"
#include "visviva/equations/small_motion/sampled_motion.h"
#include "visviva/equations/small_motion/steadiness.h"
#include "visviva/equations/state/solve.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/product.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SmallMotionReason::Kind;

constexpr double solved_tolerance = 1e-8;  // of the residual
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
constexpr double speeds_change_tolerance =
    1e-9;  // of a speed's rate, against what a change of the state by its own size would give
constexpr double vanishing_mass =
    1e-12;  // of the least mass in a direction, against what masses are beside the state

class Linearizer {
 public:
  Linearizer(const Equations& equations, const StartState& state, const SmallMotionOptions& options)
      : equations_(equations), state_(state), options_(options), system_(equations, state) {}

  Linearization run() {
    for (const InputData& input : model().inputs)
      if (input.state < 0) result_.inputs.push_back(input.name);
    if (!check_state()) return std::move(result_);
    if (system_.start().size() == 0) {
      remark({Kind::nothing_moves});
      return std::move(result_);
    }
    Steadiness found = judge_steadiness(system_, *start_);
    note_singularity(found.plan);
    if (!found.at_start.is_solved) remark({Kind::directions_without_slope});
    fill(found);
    if (result_.failure) return std::move(result_);
    judge(found);
    add_floquet(found.plan);
    return std::move(result_);
  }

 private:
  const ModelData& model() const { return equations_.motion.model(); }

  void remark(SmallMotionReason reason) { result_.remarks.push_back(std::move(reason)); }

  bool fail(SmallMotionReason why) {
    result_.failure = std::move(why);
    result_.is_steady = false;
    return false;
  }

  // ---- Whether there is a linearization

  bool check_state() {
    SolvedMotion solved;
    try {
      solved = MotionSolver(equations_)(state_);
    } catch (const ModelError& error) {
      if (error.diagnostics().front().code == "E-table-range") throw;  // tells which table
      return fail({Kind::term_not_finite});
    }
    std::vector<std::string> open;
    for (std::size_t r = 0; r < solved.is_rate_determined.size(); ++r) {
      if (!solved.is_rate_determined[r]) open.push_back(equations_.motion.speeds()[r].name);
    }
    if (!open.empty()) return fail({Kind::rates_not_determined, std::move(open)});
    start_ = system_.compute_slopes(system_.start_time(), system_.start());
    if (!start_) return fail({Kind::slope_not_finite});
    open = find_vanishing_masses();
    if (!open.empty()) return fail({Kind::coordinates_singular, std::move(open)});
    if (SmallMotionReason corner = find_corner(system_, state_)) return fail(std::move(corner));
    return check_solution();
  }

  // The equations, against what a change of the state by its own size would give.
  bool check_solution() {
    const VectorXd size =
        product_of_sizes(start_->R.X, own_size()) + product_of_sizes(start_->R.y, start_->y);
    for (Index i = 0; i < size.size(); ++i) {
      if (!(std::abs(start_->residual(i)) <=
            std::max(solved_tolerance * size(i), rounding * size.maxCoeff())))
        return fail({Kind::no_accelerations});
    }
    return true;
  }

  VectorXd own_size() const { return start_->X.cwiseAbs() + VectorXd::Ones(start_->X.size()); }

  // Speeds along which the mass is next to nothing here and not beside: coordinates such as those of
  // a sphere at its pole. A slope there is one of the coordinates, not of the motion.
  std::vector<std::string> find_vanishing_masses() const {
    const MatrixXd M = system_.compute_mass_matrix(start_->X);
    if (M.size() == 0) return {};
    VectorXd d = M.diagonal();
    std::vector<MatrixXd> beside;
    for (const double change : {0.11, -0.17}) {
      VectorXd X = start_->X;
      for (Index i = 0; i < static_cast<Index>(system_.configuration_count()); ++i)
        X(i) += change * (1 + 0.1 * static_cast<double>(i % 7)) * size_of(i);
      MatrixXd there = system_.compute_mass_matrix(X);
      if (!there.allFinite()) continue;
      d = d.cwiseMax(there.diagonal());
      beside.push_back(std::move(there));
    }
    d = d.unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 1.0; });
    const MatrixXd T = compute_open_directions(start_->V.X.rightCols(d.size()) * d.asDiagonal());
    if (T.cols() == 0) return {};
    const auto decompose = [&](const MatrixXd& m) {
      return compute_symmetric_eigen(congruence(m, d.asDiagonal() * T));
    };
    const SymmetricEigen here = decompose(M);
    double largest = 0;
    for (const MatrixXd& m : beside) largest = std::max(largest, decompose(m).values(0));
    std::vector<std::string> names;
    if (!(here.values(0) < vanishing_mass * std::min(1.0, 1e6 * largest))) return names;
    const VectorXd direction = product(T, here.vectors.col(0));
    for (Index i = 0; i < direction.size(); ++i) {
      if (std::abs(direction(i)) > 0.1 * direction.cwiseAbs().maxCoeff())
        names.push_back(equations_.motion.speeds()[static_cast<std::size_t>(i)].name);
    }
    return names;
  }

  // A change of a coordinate that counts: a radian, or a length as it is unless that is nothing.
  double size_of(Index i) const {
    if (i >= std::ssize(model().coordinates) ||
        model().coordinates[static_cast<std::size_t>(i)].dimension.is_dimensionless())
      return 1;
    const double own = std::abs(start_->X(i));
    return own > 1e-9 ? own : 1e-4;
  }

  // ---- The answer

  // Where several branches meet, small motions are not what the slopes say.
  void note_singularity(const VariationPlan& plan) {
    const ConsistentStart start = make_consistent_start(equations_.motion);
    if (static_cast<int>(plan.dependent_speeds.size()) < start.rank)
      remark({.kind = Kind::constraints_singular,
              .count = plan.dependent_speeds.size(),
              .other_count = static_cast<std::size_t>(start.rank)});
  }

  void fill(const Steadiness& found) {
    result_.states = found.plan.states;
    result_.A = list_rows(found.at_start.A);
    result_.B = list_rows(found.at_start.B);
    result_.varied.time = system_.start_time();
    result_.varied.by_states = list_rows(found.at_start.Q_T);
    result_.varied.by_inputs = list_rows(found.at_start.Q_P);
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const Expr& state = system_.states()[i];
      result_.varied.names.push_back(state.home().symbol_name(state.ref()));
      result_.varied.values.push_back(start_->X(static_cast<Index>(i)));
    }
    if (!model().samples.empty()) return fill_sampled(found);
    Modes modes = compute_modes(result_.A);
    result_.eigenvalues = std::move(modes.eigenvalues);
    result_.modes = std::move(modes.modes);
    note_missing_modes();
    for (std::size_t g = 0; g < found.plan.choices.size(); ++g) {
      const RotationChoice& choice = found.plan.choices[g];
      if (choice.frame == RotationChoice::Frame::coordinates) continue;
      const RotationGroup& group = system_.rotations()[g];
      const std::string& carrier = model().frames[static_cast<std::size_t>(group.carrier)].name;
      result_.frames.push_back(
          {group.name, choice.frame == RotationChoice::Frame::body ? group.name : carrier, {}});
      if (choice.frame == RotationChoice::Frame::turning)
        result_.frames.back().turning = {choice.turning(0), choice.turning(1), choice.turning(2)};
    }
  }

  // sampled_motion.h (1). The eigenvalues are those of a step, which has no modes in time.
  void fill_sampled(const Steadiness& found) {
    const bool is_plain = found.plan.states.size() == system_.states().size() &&
                          std::all_of(found.plan.choices.begin(), found.plan.choices.end(),
                                      [](const RotationChoice& c) {
                                        return c.frame == RotationChoice::Frame::coordinates;
                                      });
    const auto sampled = is_plain
                             ? sample_motion(system_, state_, found.at_start.A, found.at_start.B)
                             : std::nullopt;
    if (!sampled) {
      result_.A.clear();
      result_.B.clear();
      fail({Kind::samples_not_combined});
      return;
    }
    result_.A = list_rows(sampled->A);
    result_.B = list_rows(sampled->B);
    result_.sample_period = sampled->period;
    result_.eigenvalues = compute_modes(result_.A).eigenvalues;
    remark({.kind = Kind::sampled, .number = sampled->period});
  }

  // Modes that oscillate stand for two eigenvalues.
  void note_missing_modes() {
    std::size_t shown = 0;
    for (const Mode& m : result_.modes) shown += m.is_oscillatory ? 2 : 1;
    if (shown < result_.eigenvalues.size())
      remark({.kind = Kind::modes_coincide,
              .count = result_.eigenvalues.size() - shown,
              .other_count = result_.eigenvalues.size()});
  }

  // linearize.h (1)
  void judge(const Steadiness& found) {
    times_ = find_time_dependence(model(), system_.everything());
    jumps_ = find_single_jumps(model(), system_.everything());
    const bool is_timed = !times_.empty() && !has_constant_slopes() && !is_same_all_the_time(found);
    result_.is_steady = found.is_constant && !is_timed && jumps_.empty();
    if (is_timed) remark({Kind::changes_with_time, times_});
    if (!jumps_.empty()) remark({Kind::jumps_with_time, jumps_});
    if (!found.is_constant) remark({Kind::changes_along_motion, list_frames()});
    if (!result_.is_steady) return;
    if (speeds_change()) remark({Kind::speeds_change});
    if (!found.free_rows.empty()) remark({Kind::rows_change, found.free_rows});
    if (!found.is_input_constant) remark({Kind::inputs_change});
  }

  // Functions of time may turn with the motion so that A stays the same.
  bool is_same_all_the_time(const Steadiness& found) {
    if (!found.is_constant || !is_smooth(system_)) return false;
    const std::optional<double> period = find_common_period(system_, state_);
    if (!period) return false;
    if (options_.compile) system_.compile(options_.compile);
    return is_steady_over(system_, *start_, found.plan.choices, *period);
  }

  std::vector<std::string> list_frames() const {
    std::vector<std::string> names;
    for (const RotationFrame& f : result_.frames) {
      for (const std::string& name : {f.frame, f.body}) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    return names;
  }

  bool has_constant_slopes() const {
    for (const Expr& s : free_symbols(system_.slope_expressions())) {
      const SymbolRole* role = model().role(s);
      if (role == nullptr) return false;
      if (role->role != Role::parameter && role->role != Role::input &&
          (role->role != Role::specified && role->role != Role::specified_rate))
        return false;
      if (std::count(times_.begin(), times_.end(), s.home().symbol_name(s.ref())) > 0) return false;
    }
    return true;
  }

  bool speeds_change() const {
    const Index nu = static_cast<Index>(system_.speed_count());
    const VectorXd size =
        product_of_sizes(compute_full_slopes(system_, *start_).bottomRows(nu), own_size());
    for (Index r = 0; r < nu; ++r) {
      if (std::abs(start_->X_rates(start_->X_rates.size() - nu + r)) >
          speeds_change_tolerance * size(r) + 1e-12)
        return true;
    }
    return false;
  }

  // ---- Periods

  void add_floquet(const VariationPlan& plan) {
    if (result_.states.empty() || (!options_.period && (times_.empty() || result_.is_steady)))
      return;
    std::optional<double> period = options_.period;
    if (!period) period = find_common_period(system_, state_);
    if (!period) return remark({Kind::no_common_period, times_});
    std::vector<std::string> changing = times_;
    changing.insert(changing.end(), jumps_.begin(), jumps_.end());
    if (options_.period && !changing.empty() && !has_period(system_, state_, *period))
      return remark({.kind = Kind::functions_lack_period, .names = changing, .number = *period});
    if (options_.compile) system_.compile(options_.compile);
    Floquet floquet = compute_floquet(system_, *start_, plan, *period);
    if (floquet.multipliers.empty()) return remark(floquet.verdict);
    if (!options_.period) remark({.kind = Kind::period_of_functions, .number = *period});
    result_.floquet = std::move(floquet);
  }

  const Equations& equations_;
  const StartState& state_;
  const SmallMotionOptions& options_;
  MotionSystem system_;
  Linearization result_;
  std::optional<MotionNumbers> start_;
  std::vector<std::string> times_;  // what brings time into the equations
  std::vector<std::string> jumps_;  // what makes them jump once
};

}  // namespace

Linearization linearize(const Equations& equations, const StartState& state,
                        const SmallMotionOptions& options) {
  const Workspace work(equations.pool());
  const Equations kept = without_vanishing_rows(equations, state);
  return Linearizer(kept, state, options).run();
}

std::vector<std::complex<double>> compute_instant_eigenvalues(const Equations& equations,
                                                              const ConsistentStart& at) {
  const Workspace work(equations.pool());
  const StartState state = make_state(equations.motion, at);
  const Equations kept = without_vanishing_rows(equations, state);
  const MotionSystem system(kept, state);
  const std::optional<MotionNumbers> start =
      system.compute_slopes(system.start_time(), system.start());
  if (!start) return {};
  const VariationPlan plan =
      make_variation_plan(system, *start, RotationChoices(system.rotations().size()));
  return compute_modes(list_rows(compute_state_matrices(system, *start, plan).A)).eigenvalues;
}

Linearization linearize(const Equations& equations, const ConsistentStart& at,
                        const SmallMotionOptions& options) {
  const Workspace work(equations.pool());
  return linearize(equations, make_state(equations.motion, at), options);
}

}  // namespace visviva
