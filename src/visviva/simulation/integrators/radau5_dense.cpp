// Radau IIA of order 5: values within a step, and how stiff it was.
#include <algorithm>
#include <cmath>

#include "visviva/simulation/integrators/radau5.h"
#include "visviva/simulation/integrators/radau5_tableau.h"

namespace visviva {
namespace {

using Eigen::Index;

// The quintic carries an error d of a component of y with the eigenvalue l into y'' as l^2 d, of
// which at most 0.0173 (h l)^2 d arrives: as much as d itself up to about this h |l|.
constexpr double stiff_step = 8.0;

// 2^squarings is the power of J in (8).
constexpr int squarings = 4;

}  // namespace

bool Radau5::interpolate(double theta, double* y) {
  const std::size_t n = y_.size();
  if (!has_stages_) return false;
  if (theta == 1.0) {
    std::copy(proposed_.begin(), proposed_.end(), y);
    return true;
  }
  if (stiffness() > stiff_step) {
    const Eigen::Vector3d weights = compute_radau5_weights(theta);
    for (std::size_t i = 0; i < n; ++i)
      y[i] = start_y_[i] + stages_.row(static_cast<Index>(i)).dot(weights);  // (6)
    return true;
  }

  if (!has_quintic_ && !prepare_quintic()) return false;
  const double s = theta, r = 1.0 - theta, h = step_;
  const double by_increment = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
  const double by_start_rate = h * s * r * r * r * (1.0 + 3.0 * s);
  const double by_end_rate = h * s * s * s * r * (3.0 * s - 4.0);
  const double by_start_curvature = 0.5 * h * h * s * s * r * r * r;
  const double by_end_curvature = 0.5 * h * h * s * s * s * r * r;
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Index>(i);
    y[i] = start_y_[i] + (by_increment * stages_(k, 2) + by_start_rate * start_rates_[i] +
                          by_end_rate * end_rates_[i] + by_start_curvature * start_curvature_[k] +
                          by_end_curvature * end_curvature_[k]);
  }
  // The slopes of quadratures' rates are not known: a cubic.
  for (std::size_t i = n - function_.quadrature_count(); i < n; ++i)
    y[i] = start_y_[i] + s * s * (3.0 - 2.0 * s) * stages_(static_cast<Index>(i), 2) +
           h * s * r * (r * start_rates_[i] - s * end_rates_[i]);
  return true;
}

// y' at the end, and (7) at both ends. A Jacobian computed at the end serves the next step too.
bool Radau5::prepare_quintic() {
  const std::size_t n = y_.size();
  const double end_t = start_t_ + step_;
  if (!has_end_rates_)
    has_end_rates_ =
        evaluate(end_t, proposed_.data(), end_rates_.data()) && all_finite(end_rates_.data(), n);
  if (!has_end_rates_) return false;

  const bool is_newtons = jacobian_.is_at(start_t_, start_y_.data());
  if (!is_newtons && !end_jacobian_.is_at(start_t_, start_y_.data()) &&
      !end_jacobian_.compute(function_, start_t_, start_y_.data()))
    return false;
  (is_newtons ? jacobian_ : end_jacobian_).compute_curvature(start_rates_, start_curvature_);
  if (!end_jacobian_.compute(function_, end_t, proposed_.data())) return false;
  end_jacobian_.compute_curvature(end_rates_, end_curvature_);
  has_quintic_ = true;
  return true;
}

// (8) by repeated squaring, each power scaled to the norm 1. Unlike a norm of J itself it does not
// depend on the units of y, and it is 0 for a free particle.
double Radau5::stiffness() const {
  if (!has_stages_) return 0.0;
  if (radius_ < 0.0) {
    power_ = jacobian_.by_state();
    double logarithm = 0.0, share = 1.0;
    for (int k = 0; k <= squarings; ++k, share /= 2.0) {
      const double norm = power_.norm();
      logarithm += share * std::log(norm);  // -infinity where J^(2^k) = 0
      if (norm == 0.0 || k == squarings) break;
      power_ /= norm;
      square_.noalias() = power_ * power_;
      power_.swap(square_);
    }
    radius_ = std::exp(logarithm);
  }
  return std::abs(step_) * radius_;
}

}  // namespace visviva
