#include "visviva/equations/energy/potential_search.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/equations/loads/line_pieces.h"
#include "visviva/equations/state/solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/write_by_abs.h"
#include "visviva/symbolic/integrate/integrate.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

using Kind = Reason::Kind;

// Whether all are zero, also where roots hide that from the fields.
bool all_proved_zero(const std::vector<Expr>& list) {
  return std::all_of(list.begin(), list.end(), is_proved_zero);
}

// Denominators and arguments of logarithms that are not numbers.
std::vector<Expr> list_divisors(const Expr& U) {
  std::vector<Expr> divisors;
  for (const std::uint32_t i : collect_cone(U.pool(), {U.ref()})) {
    const Node& n = U.pool().node(i << 1);
    if (n.op != Op::divide && n.op != Op::log) continue;
    const Expr d(U.pool(), n.op == Op::divide ? n.b : n.a);
    if (!d.is_constant()) divisors.push_back(d);
  }
  return divisors;
}

// Goes from one random state to another, and looks at the place between them where a divisor changes its sign.
struct PoleSearch {
  const Evaluator& values;  // U, then forces
  const Evaluator& divisors;
  const std::vector<double>& middle;
  const std::vector<bool>& is_varied;
  static constexpr int pairs = 48, halvings = 60;
  static constexpr double spread = 2.0,
                          huge = 1e9;  // beyond it, a value near a sign change is no value

  bool finds_one() const {
    std::mt19937_64 random(20231);
    std::uniform_real_distribution<double> any(-spread, spread);
    const auto state = [&] {
      std::vector<double> x = middle;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += is_varied[i] ? any(random) : 0.0;
      return x;
    };
    for (int k = 0; k < pairs; ++k) {
      const std::vector<double> a = state(), b = state();
      const std::vector<double> at_a = divisors(a), at_b = divisors(b);
      for (std::size_t d = 0; d < at_a.size(); ++d) {
        if (at_a[d] * at_b[d] < 0 && is_pole(a, b, d)) return true;
      }
    }
    return false;
  }

  bool is_pole(std::vector<double> a, std::vector<double> b, std::size_t d) const {
    const bool is_positive = divisors(a)[d] > 0;
    for (int k = 0; k < halvings; ++k) {
      std::vector<double> c = a;
      for (std::size_t i = 0; i < c.size(); ++i) c[i] = (a[i] + b[i]) / 2;
      ((divisors(c)[d] > 0) == is_positive ? a : b) = c;
    }
    const std::vector<double> v = values(a);
    const bool has_forces =
        std::all_of(v.begin() + 1, v.end(), [](double F) { return std::abs(F) < huge; });
    return has_forces && !(std::abs(v[0]) < huge);
  }
};

}  // namespace

PotentialSearch::PotentialSearch(const Equations& equations, const VelocitySplit& split,
                                 const EmbeddedEquations* embedded)
    : motion_(equations.motion),
      model_(motion_.model()),
      pool_(*model_.pool),
      embedded_(embedded),
      time_(motion_),
      chart_(motion_) {
  if (embedded_ != nullptr) embedding_.emplace(equations, *embedded_, split);
}

std::optional<FoundPotential> PotentialSearch::known(const Load& load) const {
  if (const std::optional<Expr> U = known_potential(load))
    return FoundPotential{*U, known_reason(load)};
  return {};
}

std::optional<FoundPotential> PotentialSearch::by_place(const Load& load,
                                                        const std::vector<Expr>& forces) {
  const std::optional<Expr> U = constant_potential(load);
  if (U && is_potential(*U, forces)) return FoundPotential{*U, {.kind = Kind::same_everywhere}};
  return central_potential(load, forces);
}

std::optional<FoundPotential> PotentialSearch::for_these_values(const std::vector<Expr>& forces) {
  const auto valued = attempt([&] {
    if (!values_) values_.emplace(model_);
    std::vector<Expr> list;
    for (const Expr& F : forces) list.push_back((*values_)(F));
    return list;
  });
  if (!valued) return {};
  auto found = integrate_freely(*valued);
  if (!found) return {};
  return FoundPotential{found->U, {.kind = Kind::integrable_for_values}};
}

// ---- Potentials that are known without integration

std::optional<Expr> PotentialSearch::known_potential(const Load& load) const {
  switch (load.kind) {
    case Load::Kind::gravity: {
      const Vector g = motion_.resolve(*model_.gravity);
      Expr U = pool_.zero();
      for (const int index : list_weighed(model_, load.index)) {
        const BodyData& body = model_.bodies[static_cast<std::size_t>(index)];
        U -= body.mass * dot(g, position(body.point)).expr(pool_);
      }
      return U;
    }
    case Load::Kind::spring:
      return spring_potential(model_.springs[load.index]);
    case Load::Kind::potential:
      return motion_.resolve(Quantity(model_.energies[load.index].value, Dimension())).expr(pool_);
    default:
      return {};
  }
}

Reason PotentialSearch::known_reason(const Load& load) {
  return {.kind = load.kind == Load::Kind::gravity  ? Kind::uniform_gravity
                  : load.kind == Load::Kind::spring ? Kind::elastic
                                                    : Kind::given_by_potential};
}

Vector PotentialSearch::position(int point) const {
  return Point(model_, point) - Point(model_, 0);
}

Expr PotentialSearch::resolve(const Expr& e) const {
  return motion_.resolve(Quantity(e, Dimension())).expr(pool_);
}

// k/2 (length - rest)^2
Expr PotentialSearch::spring_potential(const SpringData& s) const {
  const Expr half_k = pool_.rational(1, 2) * resolve(s.coefficient);
  const Expr rest = s.rest.valid() ? resolve(s.rest) : pool_.zero();
  if (s.on.valid()) return half_k * (s.on - rest) * (s.on - rest);
  const Vector d = position(s.to) - position(s.from);
  if (rest.is_zero()) return half_k * dot(d, d).expr(pool_);
  const Expr stretch = magnitude(d).expr(pool_) - rest;
  return half_k * stretch * stretch;
}

// -sum F · p, for forces that are the same everywhere.
std::optional<Expr> PotentialSearch::constant_potential(const Load& load) const {
  if (load.forces.empty() || !load.torques.empty() || !load.generalized.empty()) return {};
  Expr U = pool_.zero();
  for (const auto& [point, force] : load.forces) {
    for (const Expr& c : force.in(Frame(model_, 0))) {
      if (time_.depends_on_configuration(c)) return {};
    }
    U -= dot(force, position(point)).expr(pool_);
  }
  return U;
}

// A force along the line to another point, with a size that depends on the distance alone: between
// two points, or towards one whose motion no speed changes.
std::optional<FoundPotential> PotentialSearch::central_potential(const Load& load,
                                                                 const std::vector<Expr>& forces) {
  if (load.forces.empty() || load.forces.size() > 2 || !load.torques.empty()) return {};
  const auto& [P, F] = load.forces[0];
  if (load.forces.size() == 2) {
    if (!(F + load.forces[1].second).is_zero()) return {};
    return central_potential(P, load.forces[1].first, F, forces);
  }
  for (std::size_t Q = 0; Q < engine_of(motion_).point_count(); ++Q) {
    if (static_cast<int>(Q) == P ||
        !engine_of(motion_).velocity(static_cast<int>(Q)).coefficients.empty())
      continue;
    if (std::optional<FoundPotential> found = central_potential(P, static_cast<int>(Q), F, forces))
      return found;
  }
  return {};
}

// F = phi(r) d gives U' = -phi(r) r, r the length of d.
std::optional<FoundPotential> PotentialSearch::central_potential(int P, int Q, const Vector& F,
                                                                 const std::vector<Expr>& forces) {
  const Vector d = Point(model_, P) - Point(model_, Q);
  if (d.is_zero() || !cross(F, d).is_zero()) return {};
  const Expr square = dot(d, d).expr(pool_), length = magnitude(d).expr(pool_);
  if (square.is_constant() || length.is_symbol()) return {};  // integration does it
  const Expr r = pool_.scratch_symbol("length of a line");
  const std::optional<Expr> factor = find_factor(F, d, {{square, r * r}, {length, r}});
  if (!factor) return {};
  const Expr phi = *factor;
  const std::optional<Expr> U = integrate(-write_by_abs(phi) * r, r);
  if (!U) return {};
  const Expr potential = substitute(*U, {{r, length}});
  if (!explain_switch(potential).empty() || !has_value(potential) ||
      !is_potential(potential, forces))
    return {};
  return FoundPotential{potential, {.kind = Kind::central}};
}

// phi in terms of r alone, read off a component of F and d.
std::optional<Expr> PotentialSearch::find_factor(const Vector& F, const Vector& d,
                                                 const Replacements& lengths) {
  const Expr e = pool_.scratch_symbol("component of a line");
  for (const Vector::Part& in_F : F.parts()) {
    for (const Vector::Part& in_d : d.parts()) {
      for (std::size_t k = 0; k < 3 && in_F.frame == in_d.frame; ++k) {
        const Expr& component = in_d.column[k];
        if (component.is_zero()) continue;
        Replacements parts = lengths;
        const bool is_number = component.is_constant();
        const Expr divisor = is_number ? component : e;
        if (!is_number) parts.emplace_back(component, e);
        const Expr phi = Substitution::of_parts(pool_, parts)(in_F.column[k]) / divisor;
        if (!time_.depends_on_configuration(phi) && differentiate(phi, e).is_zero()) return phi;
      }
    }
  }
  return {};
}

// (1)
bool PotentialSearch::is_potential(const Expr& U, const std::vector<Expr>& forces) const {
  std::vector<Expr> sums = forces;
  for (const auto& [r, c] : motion_.rate_of(U).coefficients) sums[r] += c;
  return all_proved_zero(sums);
}

// ---- Integration

Result<FoundPotential, Reason> PotentialSearch::by_integration(const std::vector<Expr>& forces) {
  auto free = integrate_freely(forces);
  if (free || embedded_ == nullptr || embedded_->dependent.empty()) return free;
  if (std::optional<FoundPotential> found = integrate_embedded(forces)) return *std::move(found);
  return free;
}

// Integrates forces on coordinates, as if there were no constraints.
Result<FoundPotential, Reason> PotentialSearch::integrate_freely(const std::vector<Expr>& forces) {
  const auto made = chart_.make_slopes(write_by_abs(forces));
  if (!made) return made.why();
  const PotentialChart::Slopes& slopes = *made;
  std::optional<Expr> U =
      slopes.variables.empty() ? std::nullopt : find_potential(slopes.slopes, slopes.variables);
  if (U) U = chart_.leave(*U);
  if (U && !explain_switch(*U).empty()) return explain_switch(*U).front();
  if (U && !has_value(*U)) return Reason{.kind = Kind::potential_without_value, .expression = *U};
  if (U && is_potential(*U, forces) && !adds_a_pole(*U, forces))
    return FoundPotential{*U, {.kind = Kind::integrable}, false, true};
  return explain_not_integrable(slopes);
}

// Finite at the start, as far as values are given: sin(a x)/a has no value for a = 0.
bool PotentialSearch::has_value(const Expr& U) {
  if (!start_) start_ = make_state(motion_, make_consistent_start(motion_));
  if (!start_->missing.empty()) return true;
  StartState state = *start_;
  for (const Expr& s : free_symbols(U)) {
    if (state.known.contains(s)) continue;
    if (model_.role(s) != nullptr) return true;
    state.symbols.push_back(s);  // of a line; it cancels
    state.values.push_back(1.0);
  }
  return std::isfinite(Evaluator(state.symbols, {U})(state.values)[0]);
}

// Whether it is infinite where the forces are not: a denominator changes its sign there. Looked for between random states.
bool PotentialSearch::adds_a_pole(const Expr& U, const std::vector<Expr>& forces) {
  const std::vector<Expr> divisors = list_divisors(U);
  if (divisors.empty()) return false;
  if (!start_) start_ = make_state(motion_, make_consistent_start(motion_));
  std::vector<Expr> all = {U};
  all.insert(all.end(), forces.begin(), forces.end());
  const std::vector<Expr> symbols = free_symbols(all);
  std::vector<double> middle;
  std::vector<bool> is_varied;
  for (const Expr& s : symbols) {
    const auto known = start_->known.find(s);
    const SymbolRole* role = model_.role(s);
    middle.push_back(known == start_->known.end() ? 0.0 : known->second);
    is_varied.push_back(known == start_->known.end() || role == nullptr ||
                        (role->role != Role::parameter && role->role != Role::input));
  }
  const Evaluator values(symbols, all), signs(symbols, divisors);
  return PoleSearch{values, signs, middle, is_varied}.finds_one();
}

// An angle around an axis jumps somewhere; a sign or a step switches, and is in no potential.
Reasons PotentialSearch::explain_switch(const Expr& U) {
  for (const std::uint32_t i : collect_cone(U.pool(), {U.ref()})) {
    const Op op = U.pool().node(i << 1).op;
    if (op == Op::atan2) return {{.kind = Kind::potential_jumps}};
    if (op == Op::sign || op == Op::step) return {{.kind = Kind::potential_switches}};
  }
  return {};
}

Reason PotentialSearch::explain_not_integrable(const PotentialChart::Slopes& s) {
  for (std::size_t i = 0; i < s.slopes.size(); ++i) {
    for (std::size_t j = i + 1; j < s.slopes.size(); ++j) {
      if (is_proved_zero(differentiate(s.slopes[i], s.variables[j]) -
                         differentiate(s.slopes[j], s.variables[i])))
        continue;
      return {.kind = Kind::not_integrable, .names = {s.names[i], s.names[j]}};
    }
  }
  return {.kind = Kind::no_closed_form};
}

// F_i of independent speeds; the coordinates that those move one each.
std::optional<FoundPotential> PotentialSearch::integrate_embedded(const std::vector<Expr>& forces) {
  const std::vector<Expr> F = write_by_abs(reduce(forces));
  std::vector<Expr> variables, slopes;
  for (std::size_t i = 0; i < F.size(); ++i) {
    if (F[i].is_zero()) continue;
    const std::optional<std::size_t> j = coordinate_of(i, F[i]);
    if (!j) return {};
    variables.push_back(model_.coordinates[*j].q);
    slopes.push_back(-F[i] / reduced_rate(*j)[i]);
  }
  for (const Expr& slope : slopes) {
    for (const Expr& s : free_symbols(slope)) {
      const SymbolRole* role = model_.role(s);
      if (role == nullptr || (role->role != Role::coordinate && role->role != Role::hidden))
        continue;
      const bool is_variable = std::find(variables.begin(), variables.end(), s) != variables.end();
      if (!is_variable && (role->role == Role::hidden || !is_still(role->index))) return {};
    }
  }
  const std::optional<Expr> U =
      variables.empty() ? std::nullopt : find_potential(slopes, variables);
  if (!U || !explain_switch(*U).empty() || !has_value(*U)) return {};
  if (!is_embedded_potential(*U, forces) || adds_a_pole(*U, forces)) return {};
  return FoundPotential{*U, {.kind = Kind::integrable_on_constraints}, true};
}

// (1) for the independent speeds.
bool PotentialSearch::is_embedded_potential(const Expr& U, const std::vector<Expr>& forces) const {
  std::vector<Expr> sums = forces;
  for (const auto& [r, c] : motion_.rate_of(U).coefficients) sums[r] += c;
  return all_proved_zero(reduce(sums));
}

// sum over all speeds of v_r du_r/du_i
std::vector<Expr> PotentialSearch::reduce(const std::vector<Expr>& v) const {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < embedded_->independent.size(); ++i) {
    Expr sum = v[embedded_->independent[i]];
    for (std::size_t d = 0; d < embedded_->dependent.size(); ++d)
      sum += embedded_->transmission[d][i] * v[embedded_->dependent[d]];
    result.push_back(sum);
  }
  return result;
}

std::vector<Expr> PotentialSearch::reduced_rate(std::size_t coordinate) const {
  std::vector<Expr> c(motion_.speeds().size(), pool_.zero());
  for (const auto& [r, e] : motion_.table().rates[coordinate].coefficients) c[r] = e;
  return reduce(c);
}

// A coordinate that the i-th independent speed moves and no other does; one that the force depends
// on before others.
std::optional<std::size_t> PotentialSearch::coordinate_of(std::size_t i, const Expr& force) const {
  std::optional<std::size_t> found;
  for (std::size_t j = 0; j < model_.coordinates.size(); ++j) {
    if (model_.coordinates[j].quaternion >= 0) continue;
    const std::vector<Expr> rate = reduced_rate(j);
    bool is_own = !rate[i].is_zero();
    for (std::size_t k = 0; k < rate.size(); ++k) is_own = is_own && (k == i || rate[k].is_zero());
    if (!is_own) continue;
    if (depends_on(force, model_.coordinates[j].q)) return j;
    if (!found) found = j;
  }
  return found;
}

// A coordinate that nothing moves: a locked one.
bool PotentialSearch::is_still(std::size_t coordinate) {
  const ScalarMotion& rate = motion_.table().rates[coordinate];
  return (*embedding_)(total(rate, motion_.table().symbols)).is_zero();
}

}  // namespace visviva
