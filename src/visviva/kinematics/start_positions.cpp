#include "visviva/kinematics/start_positions.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/model/field_coordinates.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/least_change.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double position_tolerance = 1e-12;  // of a residual, against the size of what is in it
constexpr double stalled_step = 1e-14;        // of 1 + |q|
constexpr double held_tolerance = 1e-10;      // of 1 + |q|, for what is held
constexpr int most_steps = 60, most_halvings = 6;

// Residuals of the rows that are used, each against its slope.
double measure_residual(const StartNumbers& x, const std::vector<bool>& used) {
  double sum = 0;
  for (Eigen::Index i = 0; i < x.g.size(); ++i) {
    if (!used[static_cast<std::size_t>(i)] || x.slope.cols() == 0) continue;
    const double slope = x.slope.row(i).cwiseAbs().maxCoeff();
    const double r = x.g(i) / (slope > 0 ? slope : 1.0);
    sum += r * r;
  }
  return sum;
}

// What is held is where it was: a quaternion that is normalised may have moved it.
bool is_kept(const std::vector<bool>& held, const VectorXd& before, const VectorXd& after) {
  for (Eigen::Index i = 0; i < before.size(); ++i) {
    if (held[static_cast<std::size_t>(i)] &&
        std::fabs(after(i) - before(i)) > held_tolerance * (1.0 + std::fabs(before(i))))
      return false;
  }
  return true;
}

// Nothing moves any more: the constraints are as near to holding as they get.
bool is_stalled(const VectorXd& change, const VectorXd& q) {
  return ((change.cwiseAbs().array() / (1.0 + q.cwiseAbs().array())) < stalled_step).all();
}

}  // namespace

StartPositions::StartPositions(const ModelData& model, const StartEvaluator& numbers,
                               const std::vector<ConstraintRow>& rows)
    : model_(model), numbers_(numbers), rows_(rows) {}

bool StartPositions::is_given(std::size_t i) const {
  return model_.coordinates[i].start && !model_.coordinates[i].start_note.is_guess;
}

bool StartPositions::is_guess(std::size_t i) const {
  return model_.coordinates[i].start && model_.coordinates[i].start_note.is_guess;
}

StartPositions::Held StartPositions::hold_given() const {
  Held held(model_.coordinates.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = is_given(i);
  return held;
}

// And bodies as they are: coordinates of fields that have no start value.
StartPositions::Held StartPositions::with_shapes(Held held) const {
  const std::vector<bool> shapes = list_field_coordinates(model_);
  for (std::size_t i = 0; i < held.size(); ++i)
    held[i] = held[i] || (shapes[i] && !model_.coordinates[i].start);
  return held;
}

// e0 = 1 beside three defaults says where to begin, not that the body must not turn.
StartPositions::Held StartPositions::release_part_quaternions(Held held) const {
  for (const auto& group : model_.quaternions) {
    const auto is_held = [&](int c) { return held[static_cast<std::size_t>(c)]; };
    if (std::all_of(group.begin(), group.end(), is_held)) continue;
    for (const int c : group) held[static_cast<std::size_t>(c)] = false;
  }
  return held;
}

// Coordinates that rows share with what cannot be satisfied; others stay held.
StartPositions::Held StartPositions::release_unmet(const std::vector<bool>& used, Held held,
                                                   const VectorXd& q) const {
  VectorXd end = q;
  newton(used, held, Step::short_mass, &end);
  const StartNumbers x = numbers_(end.allFinite() ? end : q);
  std::vector<bool> row_open(rows_.size()), open(held.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    row_open[i] = used[i] && !is_met(x, static_cast<Eigen::Index>(i), end);
  const auto touches = [&](std::size_t i, std::size_t j) {
    return x.slope(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) != 0.0;
  };
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; used[i] && j < open.size(); ++j) {
        if (row_open[i] == open[j] || !touches(i, j)) continue;
        row_open[i] = open[j] = is_new = true;
      }
    }
  }
  for (std::size_t j = 0; j < held.size(); ++j) held[j] = held[j] && !open[j];
  return held;
}

// Quaternions stay on the sphere; false where one has no direction.
bool StartPositions::normalize(VectorXd* q) const {
  for (const auto& group : model_.quaternions) {
    double norm = 0;
    for (const int c : group) norm += (*q)(c) * (*q)(c);
    if (!(norm > 0)) return false;
    for (const int c : group) (*q)(c) /= std::sqrt(norm);
  }
  return true;
}

VectorXd StartPositions::settle_quaternions(VectorXd q) const {
  for (const auto& group : model_.quaternions) {
    double given = 0, open = 0;
    bool has_guess = false;
    for (const int c : group) {
      (is_given(static_cast<std::size_t>(c)) ? given : open) += q(c) * q(c);
      has_guess = has_guess || is_guess(static_cast<std::size_t>(c));
    }
    if (!(given < 1)) continue;
    const std::size_t scalar = static_cast<std::size_t>(group[0]);
    if (!has_guess && !is_given(scalar) && given > 0) q(group[0]) = std::sqrt(1 - given);
    if (!has_guess || !(open > 0)) continue;
    for (const int c : group) {
      if (!is_given(static_cast<std::size_t>(c))) q(c) *= std::sqrt((1 - given) / open);
    }
  }
  normalize(&q);
  return q;
}

bool StartPositions::is_met(const StartNumbers& x, Eigen::Index row, const VectorXd& q) const {
  const double size = x.slope.row(row).cwiseAbs().dot(q.cwiseAbs());
  return std::fabs(x.g(row)) <= position_tolerance * (1.0 + size);
}

bool StartPositions::are_met(const StartNumbers& x, const std::vector<bool>& used,
                             const VectorXd& q) const {
  for (Eigen::Index i = 0; i < x.g.size(); ++i) {
    if (used[static_cast<std::size_t>(i)] && !is_met(x, i, q)) return false;
  }
  return true;
}

bool StartPositions::solve(const std::vector<bool>& used, VectorXd* q) const {
  *q = settle_quaternions(*q);
  const Held given = hold_given();
  const VectorXd from = *q;
  if (const Held stiff = with_shapes(given); stiff != given && try_all(used, stiff, q)) {
    try_between(used, stiff, from, q);
    if (approach(used, stiff, from, q) || !has_moved_start(from, *q)) return true;
    *q = from;
  }
  if (try_all(used, given, q)) {
    try_between(used, given, from, q);
    if (approach(used, given, from, q) || !has_moved_start(from, *q)) return true;
    *q = from;
    return false;
  }
  const Held turning = release_part_quaternions(given);
  if (turning != given && try_all(used, turning, q)) return true;
  if (search_around(used, turning, q)) return true;
  const Held fewer = release_unmet(used, turning, *q);
  const Held none(given.size(), false);
  for (const Held& held : {with_shapes(fewer), fewer, none}) {
    *q = from;
    if (held == turning || !try_all(used, held, q)) continue;
    try_between(used, held, from, q);
    if (move_near(used, held, from, q) && approach(used, held, from, q)) return true;
  }
  for (const Held& held : {fewer, none}) {
    *q = from;
    if (held != turning && search_around(used, held, q) && move_near(used, held, from, q) &&
        approach(used, held, from, q))
      return true;
  }
  *q = from;
  return false;
}

// From beside the start, in directions of all kinds: Newton's steps end where the sum of squares of residuals has a hill or a
// saddle, such as x*y = -1 on the line x + y = 0 between both branches of x*y = 1.
bool StartPositions::search_around(const std::vector<bool>& used, const Held& held,
                                   VectorXd* q) const {
  constexpr int directions = 12;
  const VectorXd start = *q;
  const bool is_whole = std::find(used.begin(), used.end(), false) == used.end();
  if (!is_whole || std::find(held.begin(), held.end(), false) == held.end()) return false;
  const StartNumbers here = numbers_(start);
  std::mt19937_64 random(20240609);
  std::normal_distribution<double> normal;
  for (const double reach : {0.03, 0.1, 0.3, 1.0, 3.0}) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < directions; ++k) {
      VectorXd other = start;
      for (Eigen::Index i = 0; i < other.size(); ++i) {
        const double aside = reach * (1.0 + std::fabs(start(i))) * normal(random);
        if (!held[static_cast<std::size_t>(i)]) other(i) += aside;
      }
      if (!normalize(&other) || !newton(used, held, Step::short_mass, &other) ||
          !is_kept(held, start, other))
        continue;
      approach(used, held, start, &other);
      const double way = measure_way(here, other - start);
      if (way >= least) continue;
      least = way;
      *q = other;
    }
    if (std::isfinite(least)) return true;
  }
  *q = start;
  return false;
}

// A way in the mass metric, or as numbers where that is not known.
double StartPositions::measure_way(const StartNumbers& x, const VectorXd& way) const {
  if (!x.M().allFinite() || !x.W.allFinite()) return way.norm();
  const VectorXd du = solve_least_squares(x.W, way).col(0);
  return std::sqrt(std::max(0.0, du.dot(x.M() * du)));
}

// Goes along the constraints until (2) is next to nothing, or as far as that helps. False, and *q as it was, where there is
// no nearest place, as on atan2(y, x) = 0 for what lies to the left of the origin.
bool StartPositions::approach(const std::vector<bool>& used, const Held& held,
                              const VectorXd& given, VectorXd* q) const {
  if (*q == given) return true;
  constexpr double steeper = 1e2, much_steeper = 1e4;  // the way leads to where a row has no slope
  const auto steepest = [&](const VectorXd& place) {
    return numbers_(place).slope.cwiseAbs().maxCoeff();
  };
  VectorXd near = *q;
  const bool has_arrived = go_near(used, held, given, &near);
  if (near == *q) return true;
  if (!(steepest(near) <= (has_arrived ? much_steeper : steeper) * steepest(*q))) return false;
  if (has_arrived) *q = near;
  return true;
}

// False where that ends on the way.
bool StartPositions::go_near(const std::vector<bool>& used, const Held& held, const VectorXd& given,
                             VectorXd* q) const {
  constexpr int most_moves = 100;
  constexpr double least_part = 1e-3;      // of a move
  constexpr double arrived = 1e-9;         // of the way to the given values
  constexpr double nearly_arrived = 1e-6;  // likewise, where rounding lets nothing come nearer
  constexpr double least_gain =
      0.25;  // of what the square of the way would lose on straight constraints
  for (int k = 0; k < most_moves; ++k) {
    const StartNumbers x = numbers_(*q);
    const VectorXd back = find_way_back(x, used, held, given - *q);
    if (back.size() == 0) return false;
    const double way = measure_way(x, given - *q);
    const double open = std::sqrt(std::max(0.0, back.dot(x.M() * back)));
    if (open <= arrived * way) return true;
    bool is_nearer = false;
    // Where constraints bend away from the given values a whole move leads to as far on the other side.
    const auto gains = [&](const VectorXd& next, double part) {
      const double rest = measure_way(x, given - next);
      return way * way - rest * rest >= 2 * least_gain * part * open * open;
    };
    for (double part = 1.0; !is_nearer && part > least_part; part /= 2) {
      VectorXd next = *q + part * (x.W * back);
      is_nearer = normalize(&next) && newton(used, held, Step::short_mass, &next) &&
                  is_kept(held, given, next) && gains(next, part);
      if (is_nearer) *q = next;
    }
    if (!is_nearer) return open <= nearly_arrived * way;
  }
  return false;
}

// Whether what has a start value, exact or guessed, is elsewhere.
bool StartPositions::has_moved_start(const VectorXd& from, const VectorXd& to) const {
  for (Eigen::Index i = 0; i < from.size(); ++i) {
    if (model_.coordinates[static_cast<std::size_t>(i)].start &&
        std::fabs(to(i) - from(i)) > held_tolerance * (1.0 + std::fabs(from(i))))
      return true;
  }
  return false;
}

// Newton's steps may go over near places to far ones: steps from between find them. Defaults may go anywhere.
void StartPositions::try_between(const std::vector<bool>& used, const Held& held,
                                 const VectorXd& given, VectorXd* q) const {
  constexpr double much_nearer = 0.9;  // of the way
  if (!has_moved_start(given, *q)) return;
  for (const double part : {0.5, 0.25, 0.125, 0.0625}) {
    VectorXd other = given + part * (*q - given);
    if (normalize(&other) && newton(used, held, Step::short_mass, &other) &&
        is_kept(held, given, other) && (other - given).norm() < much_nearer * (*q - given).norm())
      *q = other;
  }
}

// The part of the way back to given values that the constraints allow, (2), as changes of speeds; empty where it is not known.
VectorXd StartPositions::find_way_back(const StartNumbers& x, const std::vector<bool>& used,
                                       const Held& held, const VectorXd& way) const {
  if (!x.M().allFinite() || !x.W.allFinite() || !x.slope.allFinite()) return {};
  const Eigen::Index m = x.slope.rows(), count = std::count(held.begin(), held.end(), true);
  MatrixXd A(m + count, x.W.cols());
  A.topRows(m) = x.slope * x.W;
  for (Eigen::Index i = 0; i < m; ++i) {
    if (!used[static_cast<std::size_t>(i)]) A.row(i).setZero();
  }
  Eigen::Index next = m;
  for (Eigen::Index j = 0; j < x.W.rows(); ++j) {
    if (held[static_cast<std::size_t>(j)]) A.row(next++) = x.W.row(j);
  }
  const VectorXd du = solve_least_squares(x.W, way).col(0);
  return du - compute_least_change(x.M(), A, A * du);
}

// Goes along the constraints as near to the given values as they come. False where that leads to no nearest place.
bool StartPositions::move_near(const std::vector<bool>& used, const Held& held,
                               const VectorXd& given, VectorXd* q) const {
  constexpr int most_moves = 100;
  constexpr double least_part = 1e-3;   // of a move
  constexpr double allowed_part = 0.5;  // of the way that the constraints would allow back
  for (int k = 0; k < most_moves; ++k) {
    const StartNumbers x = numbers_(*q);
    const VectorXd way = given - *q;
    const VectorXd back = find_way_back(x, used, Held(held.size(), false), way);
    if (back.size() == 0) return true;
    const VectorXd du = solve_least_squares(x.W, way).col(0);
    const auto measure = [&](const VectorXd& v) {
      return std::sqrt(std::max(0.0, v.dot(x.M() * v)));
    };
    if (measure(back) <= allowed_part * measure(du)) return true;
    bool is_nearer = false;
    for (double part = 0.5; !is_nearer && part > least_part; part /= 2) {
      VectorXd next = *q + part * (x.W * back);
      for (Eigen::Index i = 0; i < next.size(); ++i) {
        if (held[static_cast<std::size_t>(i)]) next(i) = (*q)(i);
      }
      is_nearer = normalize(&next) && newton(used, held, Step::short_mass, &next) &&
                  (given - next).norm() < (1 - 0.1 * part) * way.norm();
      if (is_nearer) *q = next;
    }
    if (!is_nearer) return false;
  }
  return false;
}

bool StartPositions::solve_near(VectorXd* q) const {
  return newton(std::vector<bool>(rows_.size(), true), Held(model_.coordinates.size(), false),
                Step::mass, q);
}

// Short steps stay near the guesses, long ones get over hills.
bool StartPositions::try_all(const std::vector<bool>& used, const Held& held, VectorXd* q) const {
  const VectorXd start = *q;
  for (const Step kind : {Step::short_mass, Step::mass, Step::plain}) {
    *q = start;
    if (newton(used, held, kind, q) && is_kept(held, start, *q)) return true;
  }
  // Defaults at 0 may be where a constraint has no slope: once more from beside it.
  *q = start;
  for (Eigen::Index i = 0; i < q->size(); ++i) {
    if (!model_.coordinates[static_cast<std::size_t>(i)].start)
      (*q)(i) += 0.1 + 0.01 * static_cast<double>(i % 7);
  }
  if (normalize(q) && newton(used, held, Step::plain, q) && is_kept(held, start, *q)) {
    approach(used, held, start, q);
    return true;
  }
  *q = start;
  return false;
}

// (1), or by the least change of the coordinates as numbers; empty where nothing can move.
VectorXd StartPositions::find_step(const StartNumbers& x, const std::vector<bool>& used,
                                   const Held& held, Step kind) const {
  VectorXd residual = x.g;
  MatrixXd J = x.slope;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    if (used[static_cast<std::size_t>(i)]) continue;
    residual(i) = 0;
    for (Eigen::Index j = 0; j < J.cols(); ++j) J(i, j) = 0;
  }
  const bool in_metric = kind != Step::plain && x.M().allFinite() && x.W.allFinite();
  if (!in_metric) {
    for (Eigen::Index j = 0; j < J.cols(); ++j) {
      if (held[static_cast<std::size_t>(j)]) J.col(j).setZero();
    }
    return J.isZero() ? VectorXd() : VectorXd(solve_least_squares(J, -residual));
  }
  const Eigen::Index m = J.rows(), count = std::count(held.begin(), held.end(), true);
  MatrixXd rows(m + count, x.W.cols());
  rows.topRows(m) = J * x.W;
  VectorXd right = VectorXd::Zero(m + count);
  right.head(m) = -residual;
  Eigen::Index next = m;
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    if (held[static_cast<std::size_t>(j)]) rows.row(next++) = x.W.row(j);
  }
  if (rows.topRows(m).isZero()) return {};
  return x.W * compute_least_change(x.M(), rows, right);
}

bool StartPositions::newton(const std::vector<bool>& used, const Held& held, Step kind,
                            VectorXd* q) const {
  for (int step = 0; step < most_steps; ++step) {
    const StartNumbers x = numbers_(*q);
    if (!x.g.allFinite() || !x.slope.allFinite()) return false;
    if (are_met(x, used, *q)) return true;
    VectorXd change = find_step(x, used, held, kind);
    if (change.size() == 0 || !change.allFinite()) return false;
    double part = 1.0;
    for (Eigen::Index i = 0; i < change.size(); ++i) {
      if (held[static_cast<std::size_t>(i)]) change(i) = 0;
      part = std::min(part, (1.0 + std::fabs((*q)(i))) / std::max(std::fabs(change(i)), 1e-300));
    }
    if (is_stalled(part * change, *q)) return false;
    const double before = measure_residual(x, used);
    VectorXd moved = *q + part * change;
    if (!normalize(&moved)) return false;
    for (int k = 0; kind == Step::short_mass; ++k) {
      if (measure_residual(numbers_(moved), used) < before) break;
      if (k == most_halvings) return false;
      part /= 2;
      moved = *q + part * change;
      if (!normalize(&moved)) return false;
    }
    *q = moved;
  }
  return false;
}

}  // namespace visviva
