#include "visviva/simulation/run/system_rates.h"

#include <cmath>
#include <limits>

namespace visviva {
namespace {

// Central differences of a smooth function are best with steps of this relative size.
const double difference_step = std::cbrt(std::numeric_limits<double>::epsilon());

}  // namespace

SystemRates::SystemRates(const CompiledSystem& system, std::vector<double> parameters,
                         std::vector<double> inputs, InputLaw law)
    : system_(system),
      prepared_(system.prepare(parameters)),
      inputs_(std::move(inputs)),
      law_(std::move(law)),
      size_(system.state_count() + system.quadrature_names().size()),
      shifted_(size_),
      up_(size_),
      down_(size_) {}

Instant SystemRates::at(double t, const double* y) const {
  if (law_) law_(t, {y, system_.state_count()}, inputs_);
  return {t, y, inputs_.data()};
}

std::string SystemRates::name(std::size_t i) const {
  const std::size_t n = system_.state_count();
  return i < n ? system_.state_names()[i] : system_.quadrature_names()[i - n];
}

void SystemRates::set_dependent(std::vector<int> dependent) {
  dependent_ = std::move(dependent);
  keeps_dependent_ = system_.has_moving_constraints();
}

MotionStatus SystemRates::compute(double t, const double* y, double* rates) const {
  if (keeps_dependent_)
    return system_.compute_rates_and_quadratures(at(t, y), prepared_, dependent_, rates);
  return system_.compute_rates_and_quadratures(at(t, y), prepared_, rates);
}

// A contradiction among constraints shows as drift that no projection removes; here the nearest
// accelerations are good enough.
bool SystemRates::compute_rates(double t, const double* y, double* rates) {
  const MotionStatus status = compute(t, y, rates);
  return status == MotionStatus::ok ||
         (status == MotionStatus::contradictory && system_.row_count() > 0);
}

void SystemRates::compute_outputs(double t, const double* y, double* values) const {
  const double* quadratures = y + system_.state_count();
  if (keeps_dependent_)
    system_.compute_outputs(at(t, y), prepared_, dependent_, quadratures, values);
  else
    system_.compute_outputs(at(t, y), prepared_, quadratures, values);
}

void SystemRates::compute_events(double t, const double* y, double* values) const {
  const double* quadratures = y + system_.state_count();
  if (keeps_dependent_)
    system_.compute_events(at(t, y), prepared_, dependent_, quadratures, values);
  else
    system_.compute_events(at(t, y), prepared_, quadratures, values);
}

RateTrouble SystemRates::examine(double t, const double* y) {
  using Kind = RateTrouble::Kind;
  const MotionStatus status = compute(t, y, up_.data());
  for (std::size_t i = 0; i < size_; ++i) {
    if (!std::isfinite(y[i])) return {Kind::state_not_finite, name(i)};
  }
  if (auto exit = system_.find_table_exit(at(t, y), prepared_)) {
    const bool is_lost =
        status == MotionStatus::not_finite ||
        std::any_of(up_.begin(), up_.end(), [](double v) { return !std::isfinite(v); });
    if (is_lost)
      return {Kind::outside_table, exit->name, exit->argument,
              exit->first,         exit->last, exit->value};
  }
  if (status == MotionStatus::not_determined) return {Kind::acceleration_undefined};
  if (status == MotionStatus::contradictory && system_.row_count() == 0)
    return {Kind::no_acceleration};
  for (std::size_t i = 0; i < size_; ++i) {
    if (!std::isfinite(up_[i])) return {Kind::rate_not_finite, name(i)};
  }
  if (status == MotionStatus::not_finite) return {Kind::term_not_finite};
  return {};
}

// Exact where the system was compiled so. The quadratures' rows are zero: nothing depends on quadratures,
// and Newton's iteration finds them once the states are found.
bool SystemRates::compute_jacobian(double t, const double* y, double* by_state, double* by_time) {
  const std::size_t n = system_.state_count();
  std::fill_n(by_state, size_ * size_, 0.0);
  std::fill_n(by_time, size_, 0.0);
  // Slopes such as that of |v| v at rest are 0/0 though the force is smooth enough: differences do. So they do for
  // inputs that follow a law, whose slopes nobody gives.
  if (law_ || !system_.has_jacobian() ||
      system_.compute_jacobian(at(t, y), prepared_, &jacobian_) == MotionStatus::not_finite ||
      !jacobian_.by_state.allFinite() || !jacobian_.by_time.allFinite())
    return difference_rates(t, y, by_state, by_time);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r)
      by_state[c * size_ + r] =
          jacobian_.by_state(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    by_time[c] = jacobian_.by_time(static_cast<Eigen::Index>(c));
  }
  return true;
}

bool SystemRates::difference_rates(double t, const double* y, double* by_state, double* by_time) {
  const std::size_t n = system_.state_count();
  bool is_finite = true;
  const auto difference = [&](double h, double* to) {
    for (std::size_t r = 0; r < n; ++r) {
      to[r] = (up_[r] - down_[r]) / (2 * h);
      is_finite = is_finite && std::isfinite(to[r]);
    }
  };
  std::copy_n(y, size_, shifted_.begin());
  for (std::size_t c = 0; c < n; ++c) {
    const double h = difference_step * (1 + std::abs(y[c]));
    shifted_[c] = y[c] + h;
    compute(t, shifted_.data(), up_.data());
    shifted_[c] = y[c] - h;
    compute(t, shifted_.data(), down_.data());
    shifted_[c] = y[c];
    difference(h, by_state + c * size_);
  }
  const double h = difference_step * (1 + std::abs(t));
  compute(t + h, y, up_.data());
  compute(t - h, y, down_.data());
  difference(h, by_time);
  return is_finite;
}

}  // namespace visviva
