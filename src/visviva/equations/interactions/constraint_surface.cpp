#include "visviva/equations/interactions/constraint_surface.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/interactions/surface_samples.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr double least_slope = 1e-9;  // at the start
constexpr double fits = 1e-9;         // of a combination of rows, in doubles
constexpr int largest_denominator = 24;

bool has_any(const std::vector<Expr>& symbols, const std::vector<Expr>& of) {
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Expr& s) { return std::find(of.begin(), of.end(), s) != of.end(); });
}

// The fraction with a small denominator that a number is; nothing when it is none.
std::optional<Rational> find_fraction(double x) {
  for (int den = 1; den <= largest_denominator; ++den) {
    const double num = std::round(x * den);
    if (std::abs(x * den - num) < fits * std::max(1.0, std::abs(num)) && std::abs(num) < 1e6)
      return make_rational(static_cast<std::int64_t>(num), den);
  }
  return {};
}

// Random values with quaternions of unit length.
std::vector<double> draw_state(const ModelData& model, const std::vector<Expr>& symbols,
                               std::mt19937_64& random) {
  std::uniform_real_distribution<double> somewhere(0.3, 1.7);
  std::vector<double> at(symbols.size());
  for (double& x : at) x = somewhere(random);
  for (const auto& members : model.quaternions) {
    std::vector<std::size_t> places;
    for (const int i : members) {
      const auto found = std::find(symbols.begin(), symbols.end(),
                                   model.coordinates[static_cast<std::size_t>(i)].q);
      if (found != symbols.end())
        places.push_back(static_cast<std::size_t>(found - symbols.begin()));
    }
    double square = 0;
    for (const std::size_t i : places) square += at[i] * at[i];
    if (places.size() < members.size()) square = 1;  // the others complete it
    for (const std::size_t i : places)
      at[i] /= places.size() < members.size() ? 4.0 : std::sqrt(square);
  }
  return at;
}

// c with value = sum c_j g_j at random states, as fractions; nothing when there are none.
std::optional<std::vector<Rational>> fit_combination(const ModelData& model, const Expr& value,
                                                     const std::vector<Expr>& g) {
  std::vector<Expr> all = g;
  all.push_back(value);
  const std::vector<Expr> symbols = free_symbols(all);
  const Evaluator evaluator(symbols, all, FunctionValues::stand_ins);
  const auto m = std::ssize(g), states = 2 * m + 4;
  Eigen::MatrixXd A(states, m);
  Eigen::VectorXd b(states);
  std::mt19937_64 random(20261119);
  for (Eigen::Index k = 0; k < states; ++k) {
    const std::vector<double> numbers = evaluator(draw_state(model, symbols, random));
    A.row(k) = Eigen::Map<const Eigen::VectorXd>(numbers.data(), m).transpose();
    b[k] = numbers.back();
  }
  if (!A.allFinite() || !b.allFinite()) return {};
  const Eigen::VectorXd c = solve_least_squares(A, b, fits);
  if (!((A * c - b).norm() <= fits * b.norm())) return {};
  std::vector<Rational> fractions;
  for (const double x : c) {
    const std::optional<Rational> r = find_fraction(x);
    if (!r) return {};
    fractions.push_back(*r);
  }
  return fractions;
}

}  // namespace

ConstraintSurface::ConstraintSurface(const Equations& equations, const StartState& start,
                                     bool has_values)
    : equations_(equations),
      model_(equations.motion.model()),
      start_(start),
      has_values_(has_values) {
  for (const ConstraintData& c : model_.constraints) {
    for (const VirtualData& v : c.displaced.virtuals) {
      if (v.kind != VirtualData::Kind::point) continue;
      for (const Expr& s : v.symbols) {
        if (std::find(displaced_.begin(), displaced_.end(), s) == displaced_.end())
          displaced_.push_back(s);
      }
    }
  }
}

SurfaceVerdict ConstraintSurface::examine(const std::vector<SurfaceQuestion>& questions) {
  SurfaceVerdict verdict{Decision::yes, Ground::identity};
  for (const SurfaceQuestion& question : questions) {
    if (question.value.is_zero()) continue;
    if (is_proved(question)) {
      verdict.ground = std::max(verdict.ground, Ground::on_constraints);
      continue;
    }
    const Decision found = look_at(question.value);
    if (found == Decision::no) return {Decision::no, Ground::none};
    if (found == Decision::undecided) verdict.vanishes = Decision::undecided;
    verdict.ground = Ground::by_numbers;
  }
  if (verdict.vanishes != Decision::yes) verdict.ground = Ground::none;
  return verdict;
}

bool ConstraintSurface::is_proved(const SurfaceQuestion& question) {
  if (equations_.rows.empty()) return false;
  return is_combination(question.value) || vanishes_with_coordinates(question.value) ||
         vanishes_displaced(question);
}

// The value without factors that are in no row, such as its multiplier.
Expr ConstraintSurface::without_factors(const Expr& value, const std::vector<Expr>& rows) const {
  const std::vector<Expr> used = free_symbols(rows);
  Expr left = value;
  for (const Expr& s : free_symbols(value)) {
    if (std::find(used.begin(), used.end(), s) != used.end()) continue;
    const Expr slope = differentiate(left, s);
    if (!depends_on(slope, s) && (left - s * slope).is_zero()) left = slope;
  }
  return left;
}

bool ConstraintSurface::is_combination(const Expr& value) const {
  std::vector<Expr> configuration = free_symbols(value);
  std::erase_if(configuration, [&](const Expr& s) {
    const SymbolRole* role = model_.role(s);
    return role == nullptr || (role->role != Role::coordinate && role->role != Role::hidden);
  });
  std::vector<Expr> g;
  for (const ConstraintRow& row : equations_.rows) {
    if (row.position && has_any(free_symbols(*row.position), configuration))
      g.push_back(*row.position);
  }
  if (g.empty()) return false;
  const Expr part = without_factors(value, g);
  const auto c = fit_combination(model_, part, g);
  if (!c) return false;
  Expr rest = part;
  for (std::size_t j = 0; j < g.size(); ++j)
    rest -= model_.pool->rational((*c)[j].num, (*c)[j].den) * g[j];
  return rest.is_zero();
}

bool ConstraintSurface::vanishes_with_coordinates(const Expr& value) {
  return !coordinates().empty() && substitute(value, coordinates()).is_zero();
}

const Replacements& ConstraintSurface::coordinates() {
  if (!coordinates_) coordinates_ = solve_positions(equations_, Pivot::any);
  return *coordinates_;
}

// ---- Displaced points

bool ConstraintSurface::vanishes_displaced(const SurfaceQuestion& question) {
  if (!question.displaced.valid() || displacements().empty()) return false;
  Replacements rest;
  for (const Expr& s : displaced_) rest.emplace_back(s, model_.pool->zero());
  const Expr undisplaced = substitute(question.displaced, rest);
  if (!(question.value - question.multiplier * undisplaced).is_zero()) return false;
  const Expr left = substitute(question.displaced, displacements());
  return left.is_zero() || vanishes_with_coordinates(left);
}

// Rows of conditions on the configuration, with their points displaced.
std::vector<Expr> ConstraintSurface::list_displaced_rows() const {
  std::vector<Expr> rows;
  for (const ConstraintData& c : model_.constraints) {
    if (c.kind != ConstraintData::Kind::configuration || c.displaced.virtuals.empty()) continue;
    Replacements rest;
    for (const VirtualData& v : c.displaced.virtuals) {
      if (v.kind == VirtualData::Kind::point) continue;
      for (const Expr& s : v.symbols) rest.emplace_back(s, model_.pool->zero());
    }
    std::vector<Expr> law;
    if (c.displaced.scalar.valid())
      law = {c.displaced.scalar};
    else
      for (const Expr& e : c.displaced.vector.in(Frame(model_, 0))) law.push_back(e);
    for (const Expr& e : law)
      rows.push_back(
          equations_.motion.resolve(Quantity(substitute(e, rest), Dimension())).expr(*model_.pool));
  }
  return rows;
}

bool ConstraintSurface::holds_displacement(const Expr& e) const {
  return has_any(free_symbols(e), displaced_);
}

// The displacement that a row is linear in and that has the largest slope at the start.
std::optional<Expr> ConstraintSurface::find_pivot(const Expr& row) const {
  std::optional<Expr> best;
  double largest = 0;
  for (const Expr& s : displaced_) {
    if (!depends_on(row, s)) continue;
    const Expr slope = differentiate(row, s);
    if (slope.is_zero() || holds_displacement(slope)) continue;
    const std::vector<Expr> symbols = free_symbols(slope);
    const bool is_known =
        has_values_ && std::all_of(symbols.begin(), symbols.end(),
                                   [&](const Expr& x) { return start_.known.contains(x); });
    const double size = is_known ? std::abs(start_.value(slope)) : 1.0;
    if (!(size > std::max(largest, least_slope))) continue;
    largest = size;
    best = s;
  }
  return best;
}

const Replacements& ConstraintSurface::displacements() {
  if (displacements_) return *displacements_;
  Replacements solved;
  for (const Expr& row : list_displaced_rows()) {
    const Expr g = substitute(row, solved);
    const std::optional<Expr> s = find_pivot(g);
    if (!s) continue;
    const Expr slope = differentiate(g, *s);
    const Replacements own = {{*s, -substitute(g, {{*s, model_.pool->zero()}}) / slope}};
    for (auto& entry : solved) entry.second = substitute(entry.second, own);
    solved.push_back(own[0]);
  }
  displacements_ = std::move(solved);
  return *displacements_;
}

// ---- Numbers

Decision ConstraintSurface::look_at(const Expr& value) const {
  const std::vector<Expr> symbols = free_symbols(value);
  const bool is_of_motion = std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const SymbolRole* role = model_.role(s);
    return role != nullptr && (role->role == Role::rate || role->role == Role::speed);
  });
  std::vector<Expr> g;
  for (const ConstraintRow& row : equations_.rows) {
    if (row.position) g.push_back(*row.position);
    if (is_of_motion) g.push_back(total(row.velocity, equations_.motion.table().symbols));
  }
  const SurfaceSamples samples(model_, g);
  using Look = SurfaceSamples::Look;
  const Look seen = has_values_ ? samples.look_closely(value, start_) : samples.look_at(value);
  if (seen == Look::differs) return Decision::no;
  return seen == Look::vanishes && has_values_ ? Decision::yes : Decision::undecided;
}

}  // namespace visviva
