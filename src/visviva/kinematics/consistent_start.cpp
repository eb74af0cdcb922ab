#include "visviva/kinematics/consistent_start.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "visviva/kinematics/start_numbers.h"
#include "visviva/kinematics/start_positions.h"
#include "visviva/kinematics/start_speeds.h"
#include "visviva/model/field_coordinates.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double no_inertia = 1e-13;   // of what is usual for the speed: less is rounding
constexpr double some_inertia = 1e-9;  // likewise: more is none
constexpr double start_rank_tolerance =
    1e-9;  // singular values below this part of the largest are zero

constexpr double start_rounding_level =
    1e-14;  // rows below this part of the largest entry say nothing

Eigen::Index numerical_rank(const MatrixXd& m) {
  if (m.rows() == 0 || m.cols() == 0) return 0;
  const VectorXd s = compute_singular_values(m);
  return (s.array() > start_rank_tolerance * std::max(s(0), 1e-300)).count();
}

// Rows scaled to their largest entry: they may carry different units.
MatrixXd scaled(MatrixXd m) {
  if (m.size() == 0) return m;
  const double all = m.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    const double largest = m.row(i).cwiseAbs().maxCoeff();
    if (largest > start_rounding_level * all)
      m.row(i) /= largest;
    else
      m.row(i).setZero();
  }
  return m;
}

bool has_moved(double from, double to) {
  return std::fabs(from - to) > 1e-12 * (1.0 + std::fabs(from));
}

class Starter {
 public:
  explicit Starter(const Kinematics& motion)
      : motion_(motion),
        model_(motion.model()),
        rows_(make_constraint_rows(motion)),
        given_(list_given_speeds(motion)),
        state_(make_start_state(model_)),
        numbers_(motion, rows_, given_, state_),
        positions_(model_, numbers_, rows_),
        q0_(read_coordinates()) {}

  ConsistentStart run() {
    ConsistentStart result;
    result.missing = state_.missing;
    VectorXd q = q0_;
    // The values that stand in for a function that nobody defined have slopes of their own: nothing can
    // be solved by them.
    const bool is_solvable = undefined_functions(list_row_terms()).empty();
    if (is_solvable && !positions_.solve(std::vector<bool>(rows_.size(), true), &q)) {
      result.contradiction = find_contradiction([&](const std::vector<bool>& used) {
        VectorXd other = q0_;
        return positions_.solve(used, &other);
      });
      q = q0_;
    }
    const StartNumbers numbers = numbers_(q);
    const StartSpeeds start =
        make_start_speeds(numbers, given_, default_speeds(q, numbers), list_shape_speeds());
    describe_conflict(start, numbers, &result);
    describe_positions(q, &result);
    describe_rates(start, numbers, &result);
    describe_speeds(start, &result);
    if (needs_missing()) result.changes.clear();  // stand-ins move nothing that matters
    describe_freedom(q, &result);
    result.coordinates.assign(q.data(), q.data() + q.size());
    result.speeds.assign(start.speeds.data(), start.speeds.data() + start.speeds.size());
    return result;
  }

 private:
  std::vector<Expr> list_row_terms() const {
    std::vector<Expr> terms;
    for (const ConstraintRow& row : rows_) {
      if (row.position) terms.push_back(*row.position);
      for (const auto& [r, c] : row.velocity.coefficients) terms.push_back(c);
      terms.push_back(row.velocity.remainder);
    }
    return terms;
  }

  // Whether a constraint contains what has no value.
  bool needs_missing() const {
    const std::vector<Expr> terms = list_row_terms();
    if (!undefined_functions(terms).empty()) return true;
    if (state_.missing.empty() || terms.empty()) return false;
    const std::vector<Expr> symbols = free_symbols(terms);
    return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
      const std::string& name = s.home().symbol_name(s.ref());
      return std::find(state_.missing.begin(), state_.missing.end(), name) != state_.missing.end();
    });
  }

  VectorXd read_coordinates() const {
    VectorXd q(model_.coordinates.size());
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
      q(static_cast<Eigen::Index>(i)) = state_.value(model_.coordinates[i].q);
    return q;
  }

  // A smallest set of constraints that cannot hold, by trying with fewer.
  std::vector<std::string> find_contradiction(
      const std::function<bool(const std::vector<bool>&)>& can_hold) const {
    const auto name = [this](std::size_t i) {
      return model_.constraints[static_cast<std::size_t>(rows_[i].constraint)].name;
    };
    std::vector<bool> used(rows_.size(), true);
    std::set<std::string> names;
    for (std::size_t i = 0; i < rows_.size(); ++i) names.insert(name(i));
    std::set<std::string> kept = names;
    for (const std::string& candidate : names) {
      std::vector<bool> fewer = used;
      for (std::size_t i = 0; i < rows_.size(); ++i) fewer[i] = used[i] && name(i) != candidate;
      if (can_hold(fewer)) continue;
      used = fewer;
      kept.erase(candidate);
    }
    return {kept.begin(), kept.end()};
  }

  // Rates of fields: by speed.
  std::vector<bool> list_shape_speeds() const {
    const std::vector<bool> shapes = list_field_coordinates(model_);
    if (std::find(shapes.begin(), shapes.end(), true) == shapes.end()) return {};
    std::vector<bool> found;
    for (const Speed& u : motion_.speeds())
      found.push_back(u.coordinate >= 0 && shapes[static_cast<std::size_t>(u.coordinate)]);
    return found;
  }

  // ---- Speeds as each start value by itself gives them

  // From start values of speeds, or from their definitions with the rates that were given.
  VectorXd default_speeds(const VectorXd& q, const StartNumbers& numbers) const {
    StartState state = state_;
    const auto set = [&](const Expr& symbol, double value) {
      state.known.erase(symbol);
      state.known.emplace(symbol, value);
    };
    VectorXd rates = VectorXd::Zero(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const CoordinateData& c = model_.coordinates[static_cast<std::size_t>(i)];
      if (c.start_rate) rates(i) = state_.value(*c.start_rate);
      set(c.q, q(i));
      set(c.rate, rates(i));
    }
    for (const Speed& s : motion_.speeds()) {
      if (s.coordinate < 0) set(s.u, 0.0);
    }
    VectorXd u = VectorXd::Zero(std::ssize(motion_.speeds()));
    add_body_rates(rates, numbers, &u);
    for (Eigen::Index r = 0; r < u.size(); ++r) {
      const int c = motion_.speeds()[static_cast<std::size_t>(r)].coordinate;
      if (c >= 0) u(r) = rates(c);
    }
    for (const SpeedData& d : model_.speeds) {
      double& value = u(motion_.speed_index(d.name));
      if (d.start)
        value = state_.value(*d.start);
      else if (d.definition)
        value = state.value(motion_.speed_definition(d.name));
    }
    return u;
  }

  // w = 2 E' e' of a frame that turns by Euler parameters: the columns of dq'/du are E/2, orthogonal.
  void add_body_rates(const VectorXd& rates, const StartNumbers& numbers, VectorXd* u) const {
    for (std::size_t f = 0; f < model_.frames.size(); ++f) {
      const int first = motion_.table().body_rates[f];
      if (first < 0) continue;
      const Expr e0 = model_.frames[f].orientation.parameters[0].expr();
      for (const auto& group : model_.quaternions) {
        if (!(model_.coordinates[static_cast<std::size_t>(group[0])].q == e0)) continue;
        for (const int c : group) {
          for (int k = 0; k < 3; ++k) (*u)(first + k) += 4 * numbers.W(c, first + k) * rates(c);
        }
      }
    }
  }

  // ---- What is said about it

  void describe_conflict(const StartSpeeds& start, const StartNumbers& numbers,
                         ConsistentStart* result) const {
    if (!start.are_constraints_met && result->contradiction.empty())
      result->contradiction = find_contradiction(
          [&](const std::vector<bool>& used) { return can_satisfy_rows(numbers, used); });
    // Stand-ins contradict nobody.
    if (!state_.missing.empty()) return;
    for (const std::size_t i : start.contradiction) {
      if (result->start_contradiction.empty())
        result->start_contradiction_span = given_[i].note.span;
      std::vector<std::string>& names = result->start_contradiction;
      if (std::find(names.begin(), names.end(), given_[i].name) == names.end())
        names.push_back(given_[i].name);
    }
  }

  // The Euler parameters were only made to have the norm 1.
  bool is_normalised(int quaternion, const VectorXd& settled, const VectorXd& q) const {
    if (quaternion < 0) return false;
    const auto& group = model_.quaternions[static_cast<std::size_t>(quaternion)];
    return std::none_of(group.begin(), group.end(),
                        [&](int c) { return has_moved(settled(c), q(c)); });
  }

  void describe_positions(const VectorXd& q, ConsistentStart* result) const {
    const VectorXd settled = positions_.settle_quaternions(q0_);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const CoordinateData& c = model_.coordinates[static_cast<std::size_t>(i)];
      if (!has_moved(q0_(i), q(i))) continue;
      const bool is_guess = c.start && c.start_note.is_guess;
      result->changes.push_back({c.name, q0_(i), q(i), c.start && !is_guess, is_guess,
                                 is_normalised(c.quaternion, settled, q)
                                     ? StartChange::Cause::quaternion
                                     : StartChange::Cause::constraints,
                                 c.source.span});
    }
  }

  // Rates that are no speeds themselves.
  void describe_rates(const StartSpeeds& start, const StartNumbers& numbers,
                      ConsistentStart* result) const {
    const VectorXd missed = numbers.G * start.speeds + numbers.h;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const GivenSpeed& given = given_[i];
      if (given.coordinate < 0 || given.speed >= 0) continue;
      const CoordinateData& c = model_.coordinates[static_cast<std::size_t>(given.coordinate)];
      const double from = state_.value(*c.start_rate),
                   to = from + missed(static_cast<Eigen::Index>(i));
      if (!has_moved(from, to)) continue;
      const StartChange::Cause cause = start.is_overruled[i] ? StartChange::Cause::overruled
                                       : given.is_euler && !start.is_released[i]
                                           ? StartChange::Cause::quaternion
                                           : StartChange::Cause::constraints;
      result->changes.push_back({given.name, from, to, !given.note.is_guess, given.note.is_guess,
                                 cause, given.note.span});
    }
  }

  void describe_speeds(const StartSpeeds& start, ConsistentStart* result) const {
    for (Eigen::Index r = 0; r < start.speeds.size(); ++r) {
      const Speed& speed = motion_.speeds()[static_cast<std::size_t>(r)];
      StartChange change{speed.name, start.wanted(r), start.speeds(r), false};
      change.span = source_of(speed).span;
      for (std::size_t i = 0; i < given_.size(); ++i)
        describe_given(given_[i], static_cast<int>(r), start, i, &change);
      change.was_guess = change.was_guess && !change.was_given;
      if (has_moved(change.from, change.to)) result->changes.push_back(std::move(change));
    }
  }

  // What a start value has to do with the change of a speed.
  void describe_given(const GivenSpeed& given, int r, const StartSpeeds& start, std::size_t i,
                      StartChange* change) const {
    if (given.note.is_guess) {
      change->was_guess = change->was_guess || speaks_of(given, r);
    } else if (given.speed == r) {
      change->was_given = true;
      if (!start.is_overruled[i]) return;
      change->cause = StartChange::Cause::overruled;
      change->from = -state_.value(given.row.remainder);
    } else if (start.is_released[i]) {
      if (!speaks_of(given, r)) return;
      change->was_given = true;
      if (change->span.line == 0) change->span = given.note.span;
    } else if (start.is_overruled[i] && given.coordinate < 0 && speaks_of(given, r)) {
      change->was_given = true;
      change->cause = StartChange::Cause::overruled;
      change->from = start.overruled(r);
      change->span = given.note.span;
    }
  }

  static bool speaks_of(const GivenSpeed& given, int r) {
    return std::any_of(given.row.coefficients.begin(), given.row.coefficients.end(),
                       [&](const auto& entry) { return entry.first == r; });
  }

  // Where a speed is declared, or what it turns or moves.
  Source source_of(const Speed& speed) const {
    if (speed.coordinate >= 0)
      return model_.coordinates[static_cast<std::size_t>(speed.coordinate)].source;
    for (const SpeedData& s : model_.speeds) {
      if (s.name == speed.name) return s.source;
    }
    for (std::size_t f = 0; f < model_.frames.size(); ++f) {
      const int first = motion_.table().body_rates[f];
      for (int k = 0; first >= 0 && k < 3; ++k) {
        if (motion_.speeds()[static_cast<std::size_t>(first + k)].name == speed.name)
          return model_.frames[f].source;
      }
    }
    return {};
  }

  void describe_freedom(const VectorXd& q, ConsistentStart* result) const {
    const auto m = rows_.size(), n = motion_.speeds().size();
    const StartNumbers x = numbers_(q);
    MatrixXd A = scaled(x.A);
    const Eigen::Index here = numerical_rank(A);
    Eigen::Index best = here;
    // Elsewhere on the constraints the rank may be larger: the start may be a singular
    // configuration.
    std::mt19937_64 random(20240607);
    std::normal_distribution<double> normal(0.0, 1e-2);
    for (int trial = 0; m > 0 && trial < 3; ++trial) {
      VectorXd near = q;
      for (double& value : near) value += normal(random);
      if (!positions_.solve_near(&near)) continue;
      const MatrixXd B = scaled(numbers_(near).A);
      const Eigen::Index rank = numerical_rank(B);
      if (rank <= best) continue;
      best = rank;
      A = B;
    }
    result->rank = static_cast<int>(best);
    result->is_singular = best > here;
    result->degrees_of_freedom = static_cast<int>(n - best);
    describe_dependent(A, result);
    describe_redundancy(A, result);
    describe_massless(q, x.M(), A, result);
  }

  // The columns of the speeds that the user wants dependent.
  void describe_dependent(const MatrixXd& A, ConsistentStart* result) const {
    MatrixXd columns(A.rows(), model_.dependent.size());
    for (std::size_t k = 0; k < model_.dependent.size(); ++k) {
      columns.col(k).setZero();
      for (std::size_t r = 0; r < motion_.speeds().size(); ++r) {
        if (motion_.speeds()[r].u == model_.dependent[k]) columns.col(k) = A.col(r);
      }
    }
    result->is_dependent_singular = numerical_rank(columns) < columns.cols();
  }

  // A constraint none of whose rows adds to the rank. One of several rows may: a disc that rolls on
  // the plane it touches anyway.
  void describe_redundancy(const MatrixXd& A, ConsistentStart* result) const {
    if (result->rank == A.rows()) return;
    std::map<int, bool> adds;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const bool more = numerical_rank(A.topRows(i + 1)) > numerical_rank(A.topRows(i));
      adds[rows_[i].constraint] = adds[rows_[i].constraint] || more;
    }
    for (const auto& [constraint, useful] : adds) {
      if (!useful)
        result->redundant.push_back(model_.constraints[static_cast<std::size_t>(constraint)].name);
    }
  }

  std::vector<VectorXd> list_near_places(const VectorXd& q) const {
    std::vector<VectorXd> places;
    std::mt19937_64 random(20240608);
    std::normal_distribution<double> normal(0.0, 1e-1);
    for (int trial = 0; trial < 3; ++trial) {
      places.push_back(q);
      for (double& value : places.back()) value += normal(random);
    }
    return places;
  }

  void describe_massless(const VectorXd& q, const MatrixXd& M, const MatrixXd& A,
                         ConsistentStart* result) const {
    const Eigen::Index n = M.rows();
    if (n == 0 || result->degrees_of_freedom == 0 || !M.allFinite() || !A.allFinite()) return;
    // By what the inertia of each speed usually is, here or nearby: 1e3 kg beside 1e25 kg is a mass, and 1e-32 kg*m^2 at an
    // angle where it vanishes is none.
    const std::vector<VectorXd> places = list_near_places(q);
    VectorXd scale = M.diagonal();
    for (const VectorXd& place : places) {
      const VectorXd there = numbers_.compute_inertias(place);
      if (there.allFinite()) scale = scale.cwiseMax(there);
    }
    for (double& s : scale) s = s > 0.0 ? 1.0 / std::sqrt(s) : 1.0;
    const MatrixXd inertia = scale.asDiagonal() * M * scale.asDiagonal();
    if (is_surely_above(inertia, no_inertia)) return;
    const MatrixXd scaled_rows = scaled(A * scale.asDiagonal());
    const MatrixXd free = compute_null_space(scaled_rows, start_rank_tolerance);
    const MatrixXd reduced = free.transpose() * inertia * free;
    const SymmetricEigen eigen = compute_symmetric_eigen(reduced);
    std::vector<std::pair<double, Eigen::Index>> open;  // the most inertia beside, and the speed
    std::vector<MatrixXd> nearby;
    for (Eigen::Index k = 0; k < reduced.rows(); ++k) {
      if (std::fabs(eigen.values(k)) > no_inertia) continue;
      if (nearby.empty()) nearby = list_near_inertias(places);
      const VectorXd direction = free * eigen.vectors.col(k);
      const VectorXd moved = scale.asDiagonal() * direction;
      open.emplace_back(0.0, 0);
      direction.cwiseAbs().maxCoeff(&open.back().second);
      for (const MatrixXd& there : nearby)
        open.back().first = std::max(open.back().first, moved.dot(there * moved));
    }
    // What has no inertia beside either may be another direction there: a rod's own axis, by angles.
    std::stable_sort(open.begin(), open.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const std::size_t everywhere = open.empty() ? 0 : count_massless(places, scale);
    for (std::size_t k = 0; k < open.size(); ++k) {
      const bool is_pole = k >= everywhere && open[k].first > some_inertia;
      (is_pole ? result->poles : result->massless)
          .push_back(motion_.speeds()[static_cast<std::size_t>(open[k].second)].name);
    }
  }

  // Directions that constraints leave free and that have no inertia at any of these places.
  std::size_t count_massless(const std::vector<VectorXd>& places, const VectorXd& scale) const {
    std::ptrdiff_t least = scale.size();
    for (VectorXd place : places) {
      if (!rows_.empty() && !positions_.solve_near(&place)) continue;
      const StartNumbers x = numbers_(place);
      if (!x.M().allFinite() || !x.A.allFinite()) continue;
      const MatrixXd free =
          compute_null_space(scaled(x.A * scale.asDiagonal()), start_rank_tolerance);
      const MatrixXd inertia = scale.asDiagonal() * x.M() * scale.asDiagonal();
      const VectorXd values = compute_symmetric_eigen(free.transpose() * inertia * free).values;
      least = std::min<std::ptrdiff_t>(least, (values.array().abs() <= no_inertia).count());
    }
    return static_cast<std::size_t>(least);
  }

  std::vector<MatrixXd> list_near_inertias(const std::vector<VectorXd>& places) const {
    std::vector<MatrixXd> inertias;
    for (const VectorXd& place : places) {
      const MatrixXd there = numbers_.compute_mass(place);
      if (there.allFinite()) inertias.push_back(there);
    }
    return inertias;
  }

  const Kinematics& motion_;
  const ModelData& model_;
  std::vector<ConstraintRow> rows_;
  std::vector<GivenSpeed> given_;
  StartState state_;
  StartEvaluator numbers_;
  StartPositions positions_;
  VectorXd q0_;
};

}  // namespace

ConsistentStart make_consistent_start(const Kinematics& motion) {
  const Workspace work(motion.pool());
  return Starter(motion).run();
}

}  // namespace visviva
