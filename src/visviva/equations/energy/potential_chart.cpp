#include "visviva/equations/energy/potential_chart.h"

#include <algorithm>
#include <optional>

#include "visviva/kinematics/motion_engine.h"
#include "visviva/kinematics/speed_definition.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr int highest_power = 16;  // of 1/|a| in a slope; beyond it, roots stay

const Expr* coefficient_of(const ScalarMotion& rate, std::size_t r) {
  for (const auto& [s, c] : rate.coefficients) {
    if (s == static_cast<int>(r)) return &c;
  }
  return nullptr;
}

// Whether a function with corners or jumps looks at a symbol: there, derivatives at one place tell nothing of others.
bool has_corner_by(const Expr& e, const Expr& symbol) {
  const ExprPool& pool = e.pool();
  for (const std::uint32_t i : collect_cone(pool, {e.ref()})) {
    const Node& n = pool.node(i << 1);
    const bool has_corner = n.op == Op::abs || n.op == Op::sign || n.op == Op::step ||
                            n.op == Op::min || n.op == Op::max || n.op == Op::atan2;
    if (has_corner && depends_on(Expr(e.pool(), i << 1), symbol)) return true;
  }
  return false;
}

}  // namespace

PotentialChart::PotentialChart(const Kinematics& motion)
    : motion_(motion), model_(motion.model()), pool_(*model_.pool) {
  for (const std::array<int, 4>& group : model_.quaternions) {
    Sphere sphere;
    for (std::size_t k = 0; k < 4; ++k) {
      sphere.e[k] = model_.coordinates[group[k]].q;
      sphere.rates[k] = motion_.table().rates[group[k]];
    }
    sphere.name = model_.coordinates[group[0]].name;
    spheres_.push_back(std::move(sphere));
  }
  MotionEngine& engine = engine_of(motion_);
  for (std::size_t F = 0; F < engine.frame_count(); ++F) {
    const FrameData& frame = model_.frames[F];
    if (frame.hidden.size() == 1)
      angles_.push_back({frame.hidden[0], engine.hidden_rate(static_cast<int>(F), 0), Expr()});
    if (frame.hidden.size() != 4) continue;
    Sphere sphere;
    for (std::size_t k = 0; k < 4; ++k) {
      sphere.e[k] = frame.hidden[k];
      sphere.rates[k] = engine.hidden_rate(static_cast<int>(F), k);
    }
    sphere.name = frame.name;
    spheres_.push_back(std::move(sphere));
  }
}

Result<PotentialChart::Slopes, Reason> PotentialChart::make_slopes(
    const std::vector<Expr>& forces) {
  clear();
  for (std::size_t r = 0; r < forces.size(); ++r) {
    if (!forces[r].is_zero() && !add_force(r, forces[r]))
      return Reason{.kind = Reason::Kind::acts_on_no_coordinate,
                    .names = {motion_.speeds()[r].name}};
  }
  for (Sphere& sphere : spheres_) {
    const bool is_used = std::any_of(forces.begin(), forces.end(), [&](const Expr& F) {
      return std::any_of(sphere.e.begin(), sphere.e.end(),
                         [&](const Expr& e) { return depends_on(F, e); });
    });
    const bool is_moved = std::any_of(sphere.forces.begin(), sphere.forces.end(),
                                      [](const Expr& F) { return !F.is_zero(); });
    if (is_used || is_moved) name_parameters(&sphere);
  }
  Slopes result;
  const auto add = [&](const Expr& variable, const Expr& force, const std::string& name) {
    result.variables.push_back(variable);
    result.slopes.push_back(-enter(force));
    result.names.push_back(name);
  };
  for (std::size_t j = 0; j < coordinates_.size(); ++j) {
    const CoordinateData& c = model_.coordinates[j];
    if (c.quaternion < 0) add(c.q, coordinates_[j], c.name);
  }
  for (const Angle& angle : angles_)
    add(angle.angle, angle.force, angle.angle.home().symbol_name(angle.angle.ref()));
  for (Sphere& sphere : spheres_) {
    if (sphere.a[0].valid()) enter(sphere, &result);
  }
  return result;
}

void PotentialChart::clear() {
  coordinates_.assign(model_.coordinates.size(), pool_.zero());
  for (Sphere& sphere : spheres_) sphere.forces.fill(pool_.zero());
  for (Angle& angle : angles_) angle.force = pool_.zero();
}

// Adds a force to what its speed is the rate of.
bool PotentialChart::add_force(std::size_t r, const Expr& F) {
  const Speed& speed = motion_.speeds()[r];
  if (speed.coordinate >= 0) {
    coordinates_[speed.coordinate] += F;
    return true;
  }
  return add_by_definition(r, F) || add_on_sphere(r, F) || add_on_angle(r, F);
}

bool PotentialChart::add_by_definition(std::size_t r, const Expr& F) {
  const std::optional<Expr> definition = find_speed_definition(motion_, motion_.speeds()[r].name);
  if (!definition) return false;
  for (const Expr& s : free_symbols(*definition)) {
    const SymbolRole* role = model_.role(s);
    if (role != nullptr && role->role == Role::speed) return false;
  }
  for (std::size_t j = 0; j < coordinates_.size(); ++j) {
    const CoordinateData& c = model_.coordinates[j];
    const Expr D = differentiate(*definition, c.rate);
    if (D.is_zero()) continue;
    coordinates_[j] += F * D;
    for (std::size_t q = 0; q < model_.quaternions.size(); ++q) {
      const auto& group = model_.quaternions[q];
      for (std::size_t k = 0; k < 4; ++k) {
        if (group[k] == static_cast<int>(j)) spheres_[q].forces[k] += F * D;
      }
    }
  }
  return true;
}

// (2), of a speed that moves one orientation and nothing else.
bool PotentialChart::add_on_sphere(std::size_t r, const Expr& F) {
  Sphere* moved = nullptr;
  for (Sphere& sphere : spheres_) {
    const bool moves = std::any_of(sphere.rates.begin(), sphere.rates.end(), [&](const auto& rate) {
      return coefficient_of(rate, r) != nullptr;
    });
    if (moves && moved != nullptr) return false;
    if (moves) moved = &sphere;
  }
  if (moved == nullptr) return false;
  for (std::size_t s = 0; s < motion_.speeds().size(); ++s) {
    Expr product = pool_.zero();
    for (const ScalarMotion& rate : moved->rates) {
      const Expr *a = coefficient_of(rate, r), *b = coefficient_of(rate, s);
      if (a != nullptr && b != nullptr) product += *a * *b;
    }
    if (product != (s == r ? pool_.rational(1, 4) : pool_.zero())) return false;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    if (const Expr* c = coefficient_of(moved->rates[k], r))
      moved->forces[k] += F * pool_.rational(4) * *c;
  }
  return true;
}

bool PotentialChart::add_on_angle(std::size_t r, const Expr& F) {
  Angle* moved = nullptr;
  for (Angle& angle : angles_) {
    if (coefficient_of(angle.rate, r) == nullptr) continue;
    if (moved != nullptr || angle.rate.coefficients.size() != 1) return false;
    moved = &angle;
  }
  if (moved == nullptr) return false;
  const Expr& c = *coefficient_of(moved->rate, r);
  if (c.is_zero() || !free_symbols(c).empty()) return false;
  moved->force += F / c;
  return true;
}

// ---- (1)

void PotentialChart::name_parameters(Sphere* sphere) {
  if (sphere->a[0].valid()) return;
  for (std::size_t k = 0; k < 4; ++k)
    sphere->a[k] =
        pool_.scratch_symbol("Euler parameter " + std::to_string(k) + " of " + sphere->name);
}

// A function of the configuration in terms of the a.
Expr PotentialChart::enter(const Expr& e) {
  Expr result = e;
  for (const Sphere& sphere : spheres_) {
    if (!sphere.a[0].valid()) continue;
    const Expr inverse = pool_.scratch_symbol("inverse length of " + sphere.name);
    Expr square = pool_.zero();
    Replacements parts;
    for (std::size_t k = 0; k < 4; ++k) {
      square += sphere.a[k] * sphere.a[k];
      parts.emplace_back(sphere.e[k], sphere.a[k] * inverse);
    }
    result = put_length(substitute(result, parts), inverse, square);
  }
  return result;
}

void PotentialChart::enter(Sphere& sphere, Slopes* slopes) {
  const Expr inverse = pool_.scratch_symbol("inverse length of " + sphere.name);
  Expr square = pool_.zero(), radial = pool_.zero();
  for (std::size_t k = 0; k < 4; ++k) {
    square += sphere.a[k] * sphere.a[k];
    radial += sphere.forces[k] * sphere.e[k];
  }
  for (std::size_t k = 0; k < 4; ++k) {
    // de_s/da_k = (delta_sk - e_s e_k)/|a|, with the length put in last.
    const Expr force = sphere.forces[k] - radial * sphere.e[k];
    Replacements parts;
    for (std::size_t s = 0; s < 4; ++s) parts.emplace_back(sphere.e[s], sphere.a[s] * inverse);
    const Expr slope = put_length(-substitute(force, parts) * inverse, inverse, square);
    slopes->variables.push_back(sphere.a[k]);
    slopes->slopes.push_back(enter(slope));
    slopes->names.push_back(sphere.e[k].home().symbol_name(sphere.e[k].ref()));
  }
}

// An expression with inverse = 1/sqrt(square): as a polynomial in it, whose even powers need no root.
Expr PotentialChart::put_length(const Expr& e, const Expr& inverse, const Expr& square) {
  if (!depends_on(e, inverse)) return e;
  ExprPool& pool = e.pool();
  const Expr length = sqrt(square);
  const bool has_corner = has_corner_by(e, inverse);
  Expr sum = pool.zero(), slope = e, factor = pool.one();
  for (int k = 0; k <= highest_power && !has_corner; ++k) {
    if (slope.is_zero()) return sum;
    const auto at_zero = try_substitute(slope, {{inverse, pool.zero()}});
    if (!at_zero) break;
    sum += *at_zero * factor;
    slope = differentiate(slope, inverse) / pool.rational(k + 1);
    factor = k % 2 == 0 ? factor / length : factor * length / square;
  }
  return substitute(e, {{inverse, pool.one() / length}});
}

Expr PotentialChart::leave(const Expr& U) const {
  Replacements parts;
  for (const Sphere& sphere : spheres_) {
    for (std::size_t k = 0; k < 4 && sphere.a[0].valid(); ++k)
      parts.emplace_back(sphere.a[k], sphere.e[k]);
  }
  return parts.empty() ? U : substitute(U, parts);
}

}  // namespace visviva
