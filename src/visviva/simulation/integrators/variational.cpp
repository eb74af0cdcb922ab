#include "visviva/simulation/integrators/variational.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "visviva/base/error.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int max_iterations = 30;
constexpr double near = 1e-5;      // corrections below it leave the matrix as good as exact
constexpr double settled = 4e-16;  // of 1 + |v|: two units in the last place
constexpr double newton_rounding =
    1e-10;  // below it, corrections that no longer shrink are rounding

// Pieces of a step of order 4, (5).
const double piece = 1.0 / (4.0 - std::cbrt(4.0));
const double five_pieces[] = {piece, piece, 1.0 - 4.0 * piece, piece, piece};

void check_options(const VariationalOptions& options) {
  const char* maker = "VariationalRunner";
  if (!std::isfinite(options.until)) throw UsageError(maker, "the end must be a finite time");
  if (!(options.step > 0.0) || !std::isfinite(options.step))
    throw UsageError(
        maker, fmt::format("the step must be given, finite and positive; found {}", options.step));
  if (options.order != 2 && options.order != 4)
    throw UsageError(maker, fmt::format("the order is 2 or 4; found {}", options.order));
}

// sum += increment; `carry` holds what the sum lost (as in stepper.cpp).
void add(const VectorXd& increment, VectorXd* sum, VectorXd* carry) {
  for (Index i = 0; i < sum->size(); ++i) {
    const double y = (*sum)(i), x = increment(i) - (*carry)(i), s = y + x, z = s - y;
    (*carry)(i) = -((y - (s - z)) + (x - z));
    (*sum)(i) = s;
  }
}

// Largest part of 1 + |v|; NaN when a component is.
double measure(const VectorXd& change, const VectorXd& v) {
  double worst = 0.0;
  for (Index i = 0; i < v.size(); ++i) {
    const double part = std::abs(change(i)) / (1.0 + std::abs(v(i)));
    if (!(part <= worst)) worst = part;
  }
  return worst;
}

}  // namespace

VariationalRunner::VariationalRunner(MomentumFunction& function, const VariationalOptions& options)
    : function_(function),
      options_(options),
      n_(static_cast<Index>(function.size())),
      quadratures_(static_cast<Index>(function.quadrature_count())),
      place_(2 * n_),
      p_(n_),
      g_(n_),
      place_rates_(2 * n_ + quadratures_) {
  check_options(options);
}

bool VariationalRunner::refuse(MethodTrouble reason) {
  reason_ = std::move(reason);
  return false;
}

bool VariationalRunner::restart(double t, const double* y) {
  reason_ = {};
  is_ready_ = is_interpolable_ = false;
  if (!std::isfinite(t)) return refuse({MethodTrouble::Kind::start_not_finite});
  y_ = VectorXd(Eigen::Map<const VectorXd>(y, 2 * n_ + quadratures_));  // `y` may be state()
  start_ = t_ = before_ = t;
  steps_ = 0;
  last_step_ = static_cast<std::size_t>(
      std::ceil(std::abs(options_.until - t) / options_.step * (1 - 1e-12)));
  h_ = last_step_ == 0 ? 0.0 : (options_.until - t) / static_cast<double>(last_step_);
  now_.q = y_.head(n_);
  now_.v = y_.segment(n_, n_);
  now_.z = y_.tail(quadratures_);
  if (!compute(t, now_.q, now_.v, false)) return false;
  now_.p = p_;
  now_.v_slope = now_.q_carry = now_.p_carry = VectorXd::Zero(n_);
  now_.z_carry = VectorXd::Zero(quadratures_);
  now_.v_time = t;
  return is_ready_ = true;
}

bool VariationalRunner::step() {
  reason_ = {};
  if (!is_ready_) return refuse({MethodTrouble::Kind::not_restarted});
  if (steps_ == last_step_) return refuse({MethodTrouble::Kind::end_reached});
  Point next = now_;
  const double t1 =
      steps_ + 1 == last_step_ ? options_.until : start_ + static_cast<double>(steps_ + 1) * h_;
  if (t1 == t_) return refuse({MethodTrouble::Kind::step_changes_no_time, t_, h_});
  if (!take_pieces(&next)) return false;
  // (2) without length: p(t, q, u) = p_k.
  VectorXd u = next.v + (t1 - next.v_time) * next.v_slope;
  if (!solve(t1, 0.0, next, &u)) return false;
  y_before_ = y_;
  y_ << next.q, u, next.z;
  now_ = std::move(next);
  before_ = std::exchange(t_, t1);
  ++steps_;
  is_interpolable_ = false;
  return quadratures_ == 0 || add_quadratures();
}

// (4)
bool VariationalRunner::add_quadratures() {
  const double middle = before_ + (t_ - before_) / 2;
  VectorXd y(2 * n_ + quadratures_);
  if (!interpolate(middle, y.data())) return false;
  ++evaluations_;
  if (!function_.compute_rates(middle, y.data(), place_rates_.data()))
    return refuse({MethodTrouble::Kind::rates_undefined, middle});
  add((t_ - before_) / 6 * (rates_before_ + 4 * place_rates_ + rates_).tail(quadratures_), &now_.z,
      &now_.z_carry);
  y_.tail(quadratures_) = now_.z;
  return true;
}

bool VariationalRunner::take_pieces(Point* point) {
  if (options_.order == 2) return take_piece(t_, h_, point);
  double t = t_;
  for (const double part : five_pieces) {
    if (!take_piece(t, part * h_, point)) return false;
    t += part * h_;
  }
  return true;
}

bool VariationalRunner::take_piece(double t, double h, Point* point) {
  const double middle = t + h / 2;
  VectorXd v = point->v + (middle - point->v_time) * point->v_slope;
  if (!solve(t, h, *point, &v)) return false;
  add(h * v, &point->q, &point->q_carry);
  add(h * g_, &point->p, &point->p_carry);  // (3) less (2)
  if (middle != point->v_time) point->v_slope = (v - point->v) / (middle - point->v_time);
  point->v = v;
  point->v_time = middle;
  return true;
}

// (2) by Newton's method. The matrix is made anew until corrections are small; from then on
// it is as good as exact, and values are enough.
bool VariationalRunner::solve(double t, double h, const Point& from, VectorXd* v) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < max_iterations; ++i) {
    const bool is_near = before < near;
    if (!compute(t + h / 2, from.q + h / 2 * *v, *v, !is_near)) return false;
    if (!is_near)
      matrix_.compute(slopes_.momenta_by_u + h / 2 * (slopes_.momenta_by_q - slopes_.rates_by_u) -
                      h * h / 4 * slopes_.rates_by_q);
    const VectorXd change = matrix_.solve(from.p - p_ - from.p_carry + h / 2 * g_);
    *v += change;
    const double size = measure(change, *v);
    if (!std::isfinite(size)) return refuse({MethodTrouble::Kind::no_momentum_slope, t, h});
    if (size <= settled || (before <= newton_rounding && size > before / 4)) return true;
    before = size;
  }
  return refuse({MethodTrouble::Kind::newton_does_not_settle, t, h});
}

bool VariationalRunner::compute(double t, const VectorXd& q, const VectorXd& v, bool with_slopes) {
  place_ << q, v;
  ++evaluations_;
  if (function_.compute_momenta(t, place_.data(), p_.data(), g_.data(),
                                with_slopes ? &slopes_ : nullptr) &&
      p_.allFinite() && g_.allFinite())
    return true;
  return refuse({MethodTrouble::Kind::momenta_undefined, t});
}

// ---- Between steps

bool VariationalRunner::prepare_interpolation() {
  if (is_interpolable_) return true;
  for (VectorXd* rates : {&rates_before_, &rates_}) rates->resize(2 * n_ + quadratures_);
  evaluations_ += 2;
  is_interpolable_ = function_.compute_rates(before_, y_before_.data(), rates_before_.data()) &&
                     function_.compute_rates(t_, y_.data(), rates_.data());
  return is_interpolable_ || refuse({MethodTrouble::Kind::rates_undefined, t_});
}

// Hermite's polynomials: of degree 5 from q, q', q'' at both ends, and its derivative for u; of degree 3
// from Z and Z'.
bool VariationalRunner::interpolate(double t, double* y) {
  reason_ = {};
  if (!is_ready_) return refuse({MethodTrouble::Kind::not_restarted});
  if (!(std::min(before_, t_) <= t && t <= std::max(before_, t_)))
    return refuse({MethodTrouble::Kind::outside_last_step, t});
  Eigen::Map<VectorXd> to(y, 2 * n_ + quadratures_);
  if (t == t_) {
    to = y_;
    return true;
  }
  if (!prepare_interpolation()) return false;
  const double h = t_ - before_, s = (t - before_) / h;
  for (Index i = 0; i < n_; ++i) {
    const double q0 = y_before_(i), u0 = h * y_before_(n_ + i), a0 = h * h * rates_before_(n_ + i);
    const double D = y_(i) - q0 - u0 - a0 / 2, E = h * y_(n_ + i) - u0 - a0,
                 A = h * h * rates_(n_ + i) - a0;
    const double c3 = 10 * D - 4 * E + A / 2, c4 = -15 * D + 7 * E - A, c5 = 6 * D - 3 * E + A / 2;
    to(i) = q0 + s * (u0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))));
    to(n_ + i) = (u0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
  }
  for (Index i = 2 * n_; i < 2 * n_ + quadratures_; ++i) {
    const double z0 = y_before_(i), r0 = h * rates_before_(i), D = y_(i) - z0 - r0,
                 E = h * rates_(i) - r0;
    to(i) = z0 + s * (r0 + s * (3 * D - E + s * (E - 2 * D)));
  }
  return true;
}

}  // namespace visviva
