// Radau IIA of order 5: simplified Newton on the split stages, and the estimate of the error.
#include "visviva/simulation/integrators/radau5.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/simulation/integrators/methods.h"
#include "visviva/simulation/integrators/radau5_tableau.h"

namespace visviva {
namespace {

using Eigen::Index;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

constexpr double rounding = std::numeric_limits<double>::epsilon();

// Newton stops when what is left is this part of the tolerance: Hairer and Wanner find 0.01 to 0.1.
constexpr double newton_part = 0.03;

// As many iterations as corrections that shrink to a fifth, starting at 1 + |y|, need to get there:
// what is a good step does then not depend on the tolerance.
int compute_newton_limit(double target) {
  return static_cast<int>(std::clamp(std::ceil(-1.43 * std::log10(target)), 8.0, 23.0));
}

// A Jacobian is kept while corrections shrink by this factor: (8.14) there, and RADAU5's default.
constexpr double good_contraction = 1e-3;

// Corrections that stop shrinking are rounding when they are no larger than this many times what
// rounding of y and of J y makes of them; f may be a long sum.
constexpr double noise_margin = 64.0;

// An old polynomial is no guess farther away than this many of its steps.
constexpr double longest_prediction = 8.0;

ConstVector as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

Vector as_vector(std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

}  // namespace

void JacobianAt::resize(std::size_t n) {
  is_known_ = false;
  y_.assign(n, 0.0);
  by_state_.setZero(static_cast<Index>(n), static_cast<Index>(n));
  by_time_.setZero(static_cast<Index>(n));
}

bool JacobianAt::compute(RateFunction& function, double t, const double* y) {
  t_ = t;
  std::copy(y, y + y_.size(), y_.begin());
  is_known_ = function.compute_jacobian(t, y, by_state_.data(), by_time_.data()) &&
              by_state_.allFinite() && by_time_.allFinite();
  return is_known_;
}

bool JacobianAt::is_at(double t, const double* y) const {
  return is_known_ && t == t_ && std::equal(y_.begin(), y_.end(), y);
}

void JacobianAt::compute_curvature(const std::vector<double>& rates,
                                   Eigen::VectorXd& curvature) const {
  curvature.noalias() = by_state_ * as_vector(rates);
  curvature += by_time_;
}

const MethodFacts& radau5_facts() {
  static const MethodFacts facts{
      .name = "radau5",
      .description =
          "Radau IIA, order 5, for stiff equations (E. Hairer, G. Wanner, Solving "
          "Ordinary Differential Equations II, section IV.8)",
      .order = 5,
      .error_order = 3,
      .dense_order = 5,
      .stages = 3,
      .is_implicit = true};
  return facts;
}

std::unique_ptr<Stepper> make_radau5(RateFunction& function) {
  return std::make_unique<Radau5>(function);
}

const MethodFacts& Radau5::facts() const { return radau5_facts(); }

void Radau5::begin() {
  const std::size_t n = y_.size();
  const auto rows = static_cast<Index>(n);
  has_tried_ = has_stages_ = has_end_rates_ = has_quintic_ = false;
  wants_jacobian_ = true;
  factorized_h_ = 0.0;
  contraction_ = 0.0;
  radius_ = -1.0;

  // All that a step writes into, so that no step allocates.
  for (auto* values : {&start_y_, &start_rates_, &end_rates_}) values->assign(n, 0.0);
  for (auto* stages : {&stages_, &transformed_, &stage_rates_, &residual_})
    stages->setZero(rows, 3);
  for (auto* column : {&start_curvature_, &end_curvature_, &scale_, &point_, &right_side_,
                       &solution_, &stage_sum_})
    column->setZero(rows);
  complex_right_side_.setZero(rows);
  complex_solution_.setZero(rows);
  jacobian_.resize(n);
  end_jacobian_.resize(n);
  for (auto* matrix : {&real_matrix_, &power_, &square_}) matrix->setIdentity(rows, rows);
  complex_matrix_.setIdentity(rows, rows);
  real_lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(real_matrix_);
  complex_lu_ = Eigen::PartialPivLU<Eigen::MatrixXcd>(complex_matrix_);
}

bool Radau5::compute_step(double h, double tolerance) {
  if (!std::isfinite(1.0 / h)) return false;
  const bool is_careful = !has_tried_ || start_t_ == t_;
  predict_stages(h);
  start_t_ = t_;
  step_ = h;
  std::copy(y_.begin(), y_.end(), start_y_.begin());
  std::copy(rates_.begin(), rates_.end(), start_rates_.begin());
  has_tried_ = true;
  has_stages_ = has_end_rates_ = has_quintic_ = false;
  scale_ = (1.0 + as_vector(y_).array().abs()).inverse();

  // An old Jacobian that no longer serves gives way to a new one before the step is given up.
  if (wants_jacobian_ && !refresh_jacobian()) return false;
  factorize(h);
  if (!solve_stages(h, tolerance)) {
    wants_jacobian_ = true;
    if (jacobian_.is_at(t_, y_.data()) || !refresh_jacobian()) return false;
    factorize(h);
    stages_.setZero();
    if (!solve_stages(h, tolerance)) return false;
  }

  has_stages_ = true;
  as_vector(increment_) = stages_.col(2);  // (3)
  estimate_error(h, tolerance, is_careful);
  return all_finite(error_.data(), error_.size());
}

// Starting values from the polynomial (6) of the step tried last: it ended here, or began here.
void Radau5::predict_stages(double h) {
  const double ratio = h / step_;
  if (!has_stages_ || !(std::abs(ratio) <= longest_prediction)) {
    stages_.setZero();
    return;
  }
  const double here = start_t_ == t_ ? 0.0 : 1.0;
  Eigen::Matrix3d weights;
  for (int i = 0; i < 3; ++i)
    weights.col(i) =
        compute_radau5_weights(here + radau5_tableau().c[i] * ratio) - compute_radau5_weights(here);
  residual_ = stages_.lazyProduct(weights);
  stages_.swap(residual_);
}

bool Radau5::refresh_jacobian() {
  if (!jacobian_.is_at(t_, y_.data())) {
    factorized_h_ = 0.0;
    radius_ = -1.0;
    if (end_jacobian_.is_at(t_, y_.data()))
      std::swap(jacobian_, end_jacobian_);
    else if (!jacobian_.compute(function_, t_, y_.data()))
      return false;
  }
  wants_jacobian_ = false;
  return true;
}

void Radau5::factorize(double h) {
  if (h == factorized_h_) return;
  const Radau5Tableau& tableau = radau5_tableau();
  real_matrix_ = -jacobian_.by_state();
  complex_matrix_ = real_matrix_.cast<std::complex<double>>();
  real_matrix_.diagonal().array() += tableau.real / h;
  complex_matrix_.diagonal().array() += tableau.pair / h;
  real_lu_.compute(real_matrix_);
  complex_lu_.compute(complex_matrix_);
  factorized_h_ = h;
}

// Ends when the next corrections together would be below a part of the tolerance, judged by how
// much the last one shrank, or where rounding lets none of them shrink.
bool Radau5::solve_stages(double h, double tolerance) {
  const double target = std::max(newton_part * tolerance, rounding);
  const int limit = compute_newton_limit(target);
  transformed_ = stages_.lazyProduct(radau5_tableau().inverse_basis.transpose());
  contraction_ = 0.0;
  double last = 0.0;
  for (int k = 1; k <= limit; ++k) {
    if (!evaluate_stages(h)) return false;
    const double size = correct_stages(h);
    if (!std::isfinite(size)) return false;
    if (size == 0.0) return true;
    if (k > 1) {
      const double ratio = size / last;
      const double rest = ratio < 1.0 ? size / (1.0 - ratio) : std::numeric_limits<double>::max();
      if (ratio * rest <= target) {
        contraction_ = std::max(contraction_, ratio);
        wants_jacobian_ = k > 2 && contraction_ > good_contraction;
        return true;
      }
      const double hoped = std::pow(ratio, limit - k) * rest;
      if (hoped > target) {
        const double floor = noise_margin * compute_noise();
        if (size <= floor || hoped > floor) return size <= floor;
      }
      contraction_ = ratio;
    }
    last = size;
  }
  return false;
}

bool Radau5::evaluate_stages(double h) {
  const std::size_t n = y_.size();
  for (int i = 0; i < 3; ++i) {
    point_ = as_vector(y_) + stages_.col(i);
    double* rates = stage_rates_.col(i).data();
    if (!evaluate(t_ + radau5_tableau().c[i] * h, point_.data(), rates) || !all_finite(rates, n))
      return false;
  }
  return true;
}

// Solves (2) and adds the correction; returns its size relative to 1 + |y|.
double Radau5::correct_stages(double h) {
  const Radau5Tableau& tableau = radau5_tableau();
  residual_ = stage_rates_.lazyProduct(tableau.inverse_basis.transpose());
  right_side_ = residual_.col(0) - tableau.real / h * transformed_.col(0);
  solution_ = real_lu_.solve(right_side_);

  const std::complex<double> pair = tableau.pair / h;
  for (Index i = 0; i < right_side_.size(); ++i)
    complex_right_side_[i] = std::complex<double>(residual_(i, 1), residual_(i, 2)) -
                             pair * std::complex<double>(transformed_(i, 1), transformed_(i, 2));
  complex_solution_ = complex_lu_.solve(complex_right_side_);

  residual_.col(0) = solution_;
  residual_.col(1) = complex_solution_.real();
  residual_.col(2) = complex_solution_.imag();
  transformed_ += residual_;
  stages_ = transformed_.lazyProduct(tableau.basis.transpose());
  stage_rates_ = residual_.lazyProduct(tableau.basis.transpose());
  double size = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double of_stage = (stage_rates_.col(i).array() * scale_.array()).abs().maxCoeff();
    if (!std::isfinite(of_stage)) return of_stage;
    size = std::max(size, of_stage);
  }
  return size;
}

// What rounding makes of a correction: of y itself, and of J y after the solution of (2).
double Radau5::compute_noise() {
  point_ = as_vector(y_).cwiseAbs() + stages_.cwiseAbs().rowwise().maxCoeff();
  right_side_.noalias() = jacobian_.by_state().cwiseAbs() * point_;
  right_side_ += as_vector(rates_).cwiseAbs();
  solution_ = real_lu_.solve(right_side_);
  return rounding * ((solution_.cwiseAbs() + point_).array() * scale_.array()).maxCoeff();
}

// After a restart or a rejected step (4) may still hold what a stiff component, not yet at rest,
// puts into f(t, y); (5) filters it.
void Radau5::estimate_error(double h, double tolerance, bool is_careful) {
  stage_sum_.noalias() = stages_ * radau5_tableau().error;
  stage_sum_ /= h;
  right_side_ = as_vector(rates_) + stage_sum_;
  solution_ = real_lu_.solve(right_side_);  // (4)
  as_vector(error_) = solution_;
  if (!is_careful || (solution_.array() * scale_.array()).abs().maxCoeff() < tolerance) return;

  point_ = as_vector(y_) + solution_;
  if (!evaluate(t_, point_.data(), right_side_.data()) ||
      !all_finite(right_side_.data(), error_.size()))
    return;
  right_side_ += stage_sum_;
  solution_ = real_lu_.solve(right_side_);  // (5)
  as_vector(error_) = solution_;
}

bool Radau5::compute_next_rates() {
  const std::size_t n = y_.size();
  if (!has_end_rates_)
    has_end_rates_ = evaluate(start_t_ + step_, proposed_.data(), end_rates_.data()) &&
                     all_finite(end_rates_.data(), n);
  std::copy(end_rates_.begin(), end_rates_.end(), next_rates_.begin());
  return has_end_rates_;
}

}  // namespace visviva
