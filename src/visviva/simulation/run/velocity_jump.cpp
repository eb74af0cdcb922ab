#include "visviva/simulation/run/velocity_jump.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "visviva/numeric/solve_any_rank.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double jump_part = 1e-8;  // of a value's size: far above what so short a time changes

bool differ(double a, double b, double size) { return std::abs(a - b) > jump_part * (1 + size); }

// A difference of values of that size; zero where rounding explains it.
double drop_rounding(double x, double size) {
  constexpr double rounding = 1e-12;
  return std::abs(x) <= rounding * size ? 0.0 : x;
}

void subtract(const double* a, const double* b, std::array<double, 3>* difference) {
  double size = 0.0;
  for (std::size_t k = 0; k < 3; ++k) size = std::max({size, std::abs(a[k]), std::abs(b[k])});
  for (std::size_t k = 0; k < 3; ++k) (*difference)[k] = drop_rounding(a[k] - b[k], size);
}

// The first of two lists that differ in it.
std::optional<std::size_t> find_jump(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (differ(a[i], b[i], std::abs(a[i]))) return i;
  return {};
}

}  // namespace

VelocityJump::VelocityJump(RunContext& context) : context_(context) {}

VelocityJump::Side VelocityJump::look(double t, const double* y) {
  const CompiledSystem& system = context_.system;
  const Instant at = context_.rates.at(t, y);
  const PreparedParameters& p = context_.rates.prepared();
  Side side{.places = std::vector<double>(system.place_names().size()),
            .positions = std::vector<double>(system.position_count()),
            .rows = std::vector<double>(system.row_count()),
            .momenta = std::vector<double>(system.speed_count())};
  system.compute_places(at, p, side.places.data());
  system.compute_residuals(at, p, side.positions.data(), side.rows.data());
  compute_momenta(t, y, &side.momenta);
  const SystemEnergies e = system.compute_energies(at, p);
  side.energy = e.K + e.U;
  side.kinetic = e.K;
  side.potential = e.U;
  system.compute_momentum(at, p, side.total);
  return side;
}

// K is of degree 2 in the speeds: central differences of any length are exact.
void VelocityJump::compute_momenta(double t, const double* y, std::vector<double>* momenta) {
  const CompiledSystem& system = context_.system;
  shifted_.assign(y, y + context_.rates.size());
  const auto K = [&] {
    return system.compute_energies(context_.rates.at(t, shifted_.data()), context_.rates.prepared())
        .K;
  };
  for (std::size_t r = 0; r < momenta->size(); ++r) {
    const std::size_t i = system.configuration_count() + r;
    const double h = 1 + std::abs(y[i]);
    shifted_[i] = y[i] + h;
    const double up = K();
    shifted_[i] = y[i] - h;
    (*momenta)[r] = (up - K()) / (2 * h);
    shifted_[i] = y[i];
  }
}

// Momenta are compared with what such speeds make of the masses, rows with what they make of the entries.
bool VelocityJump::must_jump(double t, const double* y, const Side& before,
                             const Side& after) const {
  const CompiledSystem& system = context_.system;
  const Instant at = context_.rates.at(t, y);
  const std::size_t n = system.speed_count();
  const double* u = y + system.configuration_count();
  double speed = 1.0;
  for (std::size_t r = 0; r < n; ++r) speed = std::max(speed, std::abs(u[r]));
  const Eigen::MatrixXd M = system.compute_mass_matrix(at, context_.rates.prepared());
  for (std::size_t r = 0; r < n; ++r) {
    const double size = M.row(static_cast<Index>(r)).cwiseAbs().sum() * speed;
    if (std::abs(after.momenta[r] - before.momenta[r]) >
        jump_part * (size + std::abs(before.momenta[r])))
      return true;
  }
  if (after.rows.empty()) return false;
  const Eigen::MatrixXd A = system.compute_rows(at, context_.rates.prepared());
  for (std::size_t i = 0; i < after.rows.size(); ++i) {
    const double size = A.row(static_cast<Index>(i)).cwiseAbs().sum() * speed;
    if (std::abs(after.rows[i] - before.rows[i]) > jump_part * (size + std::abs(after.rows[i])))
      return true;
  }
  return false;
}

// Momenta of the whole mechanism are compared with what its energy makes of its masses and moments of inertia: sum m|v| is at
// most sqrt(2 K sum m). What K is of beside the energies that move in the run is rounding.
bool VelocityJump::total_jumps(const Side& before, const Side& after, double smooth) const {
  const double K = std::max(context_.watch.scale(), std::max(before.kinetic, after.kinetic));
  for (std::size_t k = 0; k < 6; ++k) {
    const double inertia = after.total[k < 3 ? 6 : 7];
    const double change = std::abs(after.total[k] - before.total[k]);
    if (change > jump_part * std::sqrt(2 * K * inertia) && change > smooth) return true;
  }
  return false;
}

// What is driven and moves with no speed jumps by the impulse of its motor alone. With the state held, what is smooth
// changes a thousand times more in a thousand times the time.
bool VelocityJump::is_carried_over_corner(double t, const double* y, double after) {
  constexpr double longer = 1000.0, part = 0.1;
  const double far = longer * (after - t);
  const Side earlier = look(t - far, y), before = look(t, y), behind = look(after, y),
             later = look(after + far, y);
  double smooth = 0.0;
  for (std::size_t k = 0; k < 6; ++k)
    smooth = std::max({smooth, std::abs(before.total[k] - earlier.total[k]),
                       std::abs(later.total[k] - behind.total[k])});
  return total_jumps(before, behind, part * smooth);
}

// Whether momenta next to a surface of time are what they are a little farther away, with the state held: those of
// asin(sin(t)) have no value at its corners, or a wrong one.
bool VelocityJump::is_known(double t, const double* y, double outwards) {
  constexpr double away = 1e-7, part = 0.1;
  const double step = std::copysign(away * context_.span, outwards);
  const Side here = look(t, y), near = look(t + step, y), far = look(t + 2 * step, y);
  // What is small beside all momenta may be rounding.
  const double K = std::max(context_.watch.scale(), std::max(near.kinetic, far.kinetic));
  double size = std::sqrt(2 * K * std::max(near.total[6], near.total[7]));
  for (const double p : near.momenta) size = std::max(size, std::abs(p));
  // Straight on, or as (t - t0)^k does, k > 0.4, whose slope is zero or infinite at t0.
  const auto goes_on = [&](double a, double b, double c) {
    return std::abs(2 * b - c - a) <=
               part * (std::abs(a) + std::abs(b) + std::abs(c)) + 1e-6 * size ||
           std::abs(b - a) <= 3 * std::abs(c - b);
  };
  for (std::size_t r = 0; r < here.momenta.size(); ++r)
    if (!goes_on(here.momenta[r], near.momenta[r], far.momenta[r])) return false;
  for (std::size_t k = 0; k < 6; ++k)
    if (!goes_on(here.total[k], near.total[k], far.total[k])) return false;
  return true;
}

// (1), for the change of u. M alone need not be regular: what a constraint leads may have no mass.
void VelocityJump::apply(double t, const Side& before, const Side& after,
                         std::vector<double>* end) {
  const CompiledSystem& system = context_.system;
  const Instant at = context_.rates.at(t, end->data());
  const auto n = static_cast<Index>(system.speed_count());
  const auto rows = static_cast<Index>(after.rows.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + rows, n + rows);
  K.topLeftCorner(n, n) = system.compute_mass_matrix(at, context_.rates.prepared());
  if (rows > 0) {
    const Eigen::MatrixXd A = system.compute_rows(at, context_.rates.prepared());
    K.bottomLeftCorner(rows, n) = A;
    K.topRightCorner(n, rows) = A.transpose();
  }
  VectorXd right(n + rows);
  right << Eigen::Map<const VectorXd>(before.momenta.data(), n) -
               Eigen::Map<const VectorXd>(after.momenta.data(), n),
      -Eigen::Map<const VectorXd>(after.rows.data(), rows);
  Eigen::Map<VectorXd> u(end->data() + system.configuration_count(), n);
  u += solve_closest(std::move(K), right).col(0).head(n);
}

bool VelocityJump::are_all(const std::vector<std::size_t>& surfaces, SwitchKind kind) const {
  return std::all_of(surfaces.begin(), surfaces.end(),
                     [&](std::size_t i) { return context_.system.switch_kinds()[i] == kind; });
}

ImpulseRecord VelocityJump::record(const Side& before, const Side& after) const {
  const double size = std::abs(before.energy) + std::abs(after.energy);
  ImpulseRecord impulse{.energy = drop_rounding(after.energy - before.energy, size)};
  subtract(after.total, before.total, &impulse.impulse);
  subtract(after.total + 3, before.total + 3, &impulse.moment);
  return impulse;
}

// A place that goes to infinity is twice as far away, or more, at half the distance in time; one that a quotient such as
// sin(t)/t leaves finite hardly moves.
JumpFound VelocityJump::cross_pole(double t, const double* y, double after,
                                   const std::string& surface) {
  const double aside = after - t;
  const Side near = look(t - aside, y), far = look(t - 2 * aside, y);
  if (const auto i = find_jump(far.places, near.places))
    return {.refusal = reason::PlaceIsInfinite{t, surface, context_.system.place_names()[*i]}};
  return {};
}

JumpFound VelocityJump::cross(double t, const double* y, double after, std::vector<double>* end,
                              const std::vector<std::size_t>& crossed) {
  const CompiledSystem& system = context_.system;
  if (crossed.empty()) return {};
  const std::string& surface = system.switch_names()[crossed.front()];
  if (are_all(crossed, SwitchKind::pole_of_time)) return cross_pole(t, y, after, surface);
  const bool is_of_time = std::none_of(crossed.begin(), crossed.end(), [&](std::size_t i) {
    const SwitchKind kind = system.switch_kinds()[i];
    return kind == SwitchKind::of_configuration || kind == SwitchKind::of_motion;
  });
  // The run may stand exactly on the surface, where functions of time have the values of the other side.
  const double before = is_of_time ? t - (after - t) : t;
  const Side left = look(before, y), right = look(after, end->data());
  if (const auto i = find_jump(left.places, right.places))
    return {.refusal = reason::PlaceJumps{t, surface, system.place_names()[*i],
                                          right.places[*i] - left.places[*i]}};
  if (find_jump(left.positions, right.positions))
    return {.refusal = reason::ConstraintJumps{t, surface}};
  if (is_of_time && (!is_known(before, y, -1.0) || !is_known(after, end->data(), 1.0)))
    return {.refusal = reason::CornerUnknown{t, surface}};
  const bool jumps = must_jump(after, end->data(), left, right);
  const bool is_struck =
      is_of_time ? is_carried_over_corner(before, y, after)
                 : are_all(crossed, SwitchKind::of_configuration) && total_jumps(left, right, 0.0);
  if ((jumps || is_struck) && !is_of_time) return {.refusal = reason::CornerMet{t, surface}};
  const double lift = right.potential - left.potential;
  const bool is_lifted = differ(left.potential, right.potential, context_.watch.scale());
  if (is_lifted && are_all(crossed, SwitchKind::of_configuration))
    return {.refusal = reason::PotentialJumps{t, surface, lift}};
  if (!is_of_time || (!jumps && !is_struck && !is_lifted)) return {};

  const double E_Z = context_.watch.compute_E_Z(before, y);
  if (jumps) {
    apply(after, left, right, end);
    if (!context_.projection.project(after, end->data()).is_done)
      return {.refusal = reason::NoConsistentState{after, false}};
  }
  (*end)[system.state_count()] -= context_.watch.compute_E_Z(after, end->data()) - E_Z;
  ImpulseRecord impulse = record(left, look(after, end->data()));
  impulse.time = t;
  impulse.surface = surface;
  return {.impulse = std::move(impulse)};
}

}  // namespace visviva
