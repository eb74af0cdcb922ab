#include "visviva/simulation/run/energy_watch.h"
#include "visviva/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace visviva {
namespace {

constexpr double poor_partition = 0.5;    // K2 and Z' grow like its inverse
constexpr double explained_factor = 100;  // estimates of errors and slopes are no bounds
constexpr double explained_noise = 50;
constexpr double real_part = 1e-6;  // of the parts of K: less may be negative by rounding
// Rounding of speeds, against those of all that moves. Where everything is driven K2 is the energy of such speeds alone.
constexpr double speed_rounding = 1000 * machine_epsilon;

}  // namespace

EnergyWatch::EnergyWatch(SystemRates& rates)
    : rates_(rates),
      Z_place_(rates.system().state_count()),
      first_(results_.size()),
      last_(results_.size()),
      farthest_(results_.size()),
      shifted_(rates.size()),
      motion_(rates.size()) {}

EnergyWatch::Now EnergyWatch::compute(double t, const double* y) const {
  const CompiledSystem& system = rates_.system();
  const SystemEnergies e =
      system.has_moving_constraints()
          ? system.compute_energies(rates_.at(t, y), rates_.prepared(), rates_.dependent())
          : system.compute_energies(rates_.at(t, y), rates_.prepared());
  return {e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P_nonconservative, y[Z_place_]};
}

void EnergyWatch::note(const Now& e) {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    last_[i] = compute_result(results_[i], e, e.Z);
    farthest_[i] = std::max(farthest_[i], std::abs(last_[i] - first_[i]));
  }
  largest_size_ = std::max(largest_size_, std::abs(e.K2) + std::abs(e.U) + std::abs(e.Z));
  noise_ = std::max(noise_, 4 * machine_epsilon * largest_size_);
  const double least = speed_rounding * speed_rounding * std::abs(e.K);
  // Where constraints move, K2 and Z' are differences of what is as large as K.
  if (rates_.system().has_moving_constraints())
    noise_ = std::max(noise_, machine_epsilon * std::abs(e.K));
  const double K2 = e.K2 > least ? e.K2 : 0.0, change = std::abs(e.U - begin_.U);
  scale_ = std::max(scale_, K2 + change);
  moving_ = std::max({moving_, K2, change});
}

bool EnergyWatch::begin(double t, const double* y) {
  noise_ = slope_ = scale_ = moving_ = max_deviation_ = largest_size_ = jumps_ = 0.0;
  max_time_ = t;
  judged_ = unexplained_ = unexplained_time_ = 0.0;
  changes_ = 0;
  begin_ = now_ = compute(t, y);
  start_ = E_Z();
  note(now_);
  first_ = last_;
  std::fill(farthest_.begin(), farthest_.end(), 0.0);
  if (!std::isfinite(start_)) return false;
  estimate_noise(t, y);
  return true;
}

double EnergyWatch::compute_deviation(double t, const double* y) {
  now_ = compute(t, y);
  // A prescribed motion such as sqrt(1 - t) that is no longer real: the square of its velocity is negative.
  const double size = std::abs(now_.K0) + std::abs(now_.K1) + std::abs(now_.K2);
  if (now_.K < -real_part * size) return std::numeric_limits<double>::quiet_NaN();
  return last_deviation();
}

double EnergyWatch::compute_E_Z(double t, const double* y) const { return compute(t, y).E_Z(); }

void EnergyWatch::take(double t) {
  note(now_);
  note_row(t, last_deviation());
}

void EnergyWatch::note_row(double t, double deviation) {
  if (!(std::abs(deviation) > max_deviation_)) return;
  max_deviation_ = std::abs(deviation);
  max_time_ = t;
}

// The errors of a step, relative to 1 + |y_i|, have the mean square tolerance^2, and slope_ is the like
// mean of the slopes: their product is at most so much.
double EnergyWatch::explain(double tolerance) const {
  const auto n = static_cast<double>(rates_.size() + 1);
  return explained_factor * n * slope_ * tolerance + explained_noise * noise_;
}

void EnergyWatch::judge_change(double t, const double* y, double tolerance) {
  const double change = std::abs(last_deviation() - std::exchange(judged_, last_deviation()));
  if (!(change > explain(tolerance))) return;
  estimate_noise(t, y);  // the slopes may have grown
  if (!(change > explain(tolerance))) return;
  if (unexplained_ == 0.0) unexplained_time_ = t;
  unexplained_ += change;
}

bool EnergyWatch::wants_other(double t, const double* y) {
  const CompiledSystem& system = rates_.system();
  if (!system.has_moving_constraints()) return false;
  return system.compute_partition_quality(rates_.at(t, y), rates_.prepared(), rates_.dependent()) <
         poor_partition;
}

// E_Z is the same before and after: only its parts change.
void EnergyWatch::rebase(double t, double* y, const std::vector<int>& dependent) {
  const Now before = compute(t, y);
  rates_.set_dependent(dependent);
  const Now after = compute(t, y);
  const double jump = after.K2 - before.K2;
  if (!std::isfinite(jump)) return;
  y[Z_place_] -= jump;
  jumps_ += std::abs(jump);
  ++changes_;
  now_ = compute(t, y);
}

// |y_i dE/dy_i| eps is what rounding y_i once does.
void EnergyWatch::estimate_noise(double t, const double* y) {
  const std::size_t n = rates_.system().state_count();
  std::copy_n(y, rates_.size(), shifted_.begin());
  double sum = 1.0, largest = 0.0;  // Z itself has the slope 1 + |Z|
  for (std::size_t i = 0; i < n; ++i) {
    const double h = 1e-6 * (1 + std::abs(y[i]));
    shifted_[i] = y[i] + h;
    const Now up = compute(t, shifted_.data());
    shifted_[i] = y[i] - h;
    const Now down = compute(t, shifted_.data());
    shifted_[i] = y[i];
    const double by = (up.K2 + up.U - down.K2 - down.U) / (2 * h);
    if (!std::isfinite(by)) continue;
    sum += by * by * (1 + std::abs(y[i])) * (1 + std::abs(y[i]));
    largest = std::max(largest, std::abs(by * y[i]));
  }
  slope_ = std::max(slope_, std::sqrt(sum / static_cast<double>(n + 1)));
  noise_ = std::max(noise_, 4 * machine_epsilon * largest);
}

EnergyWatch::Balance EnergyWatch::compute_balance(double t, const double* y) {
  if (!rates_.compute_rates(t, y, motion_.data())) return {};
  double terms = 0.0;
  for (std::size_t i = 0; i < motion_.size(); ++i)
    terms = std::max(terms, std::abs(motion_[i]) / (1 + std::abs(y[i])));
  // Along the motion to first order; fourth-order differences.
  // What is not zero is so at every h; curvature shows in long ones, rounding in short ones.
  Balance best;
  double least = std::numeric_limits<double>::infinity();
  for (double h = 1e-1 / (1 + terms); h >= 1e-6 / (1 + terms); h *= 0.1) {
    double K2[4], U[4];
    const double steps[] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; ++k) {
      for (std::size_t i = 0; i < motion_.size(); ++i)
        shifted_[i] = y[i] + steps[k] * h * motion_[i];
      const Now e = compute(t + steps[k] * h, shifted_.data());
      K2[k] = e.K2;
      U[k] = e.U;
    }
    const auto slope = [&](const double* f) {
      return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
    };
    const double Z_rate = motion_[Z_place_];
    const double rate = slope(K2) + slope(U) + Z_rate;
    const double size = std::abs(slope(K2)) + std::abs(slope(U)) + std::abs(Z_rate);
    const double noise = std::max(noise_, 4 * machine_epsilon * (std::abs(K2[0]) + std::abs(U[0])));
    const double beyond = std::max(0.0, std::abs(rate) - 10 * noise / h);
    if (!std::isfinite(rate) || beyond >= least * size) continue;
    least = size > 0 ? beyond / size : 0.0;
    best = {std::copysign(beyond, rate), size};
  }
  return best;
}

void EnergyWatch::write(Trajectory* trajectory) const {
  for (std::size_t i = 0; i < results_.size(); ++i)
    trajectory->energies[std::string(results_[i].name)] = {first_[i], last_[i], farthest_[i]};
  Certificate& c = trajectory->certificate;
  c.start = start_;
  c.max_deviation = max_deviation_;
  c.max_time = max_time_;
  c.noise = noise_;
  c.smallest = 50 * noise_;
  c.scale = scale_;
  c.moving = moving_;
  c.unexplained = unexplained_;
  c.unexplained_time = unexplained_time_;
  c.partition_changes = changes_;
  c.partition_jumps = jumps_;
}

}  // namespace visviva
