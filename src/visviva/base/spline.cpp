// Cubic spline interpolation by its second derivatives (C. de Boor, A Practical Guide to Splines,
// chapter IV).
//
// t_i, y_i   samples, i = 0..n       h_i = t_{i+1} - t_i       d_i = (y_{i+1} - y_i)/h_i
// M_i        y'' at t_i, the unknowns; linear in between, so that y is C2 by construction
// A, B       (t_{i+1} - t)/h_i and (t - t_i)/h_i = 1 - A, for t in [t_i, t_{i+1}]
//
//   (1)  y    = A y_i + B y_{i+1} - h_i^2/6 A B ((1 + A) M_i + (1 + B) M_{i+1})
//   (2)  y'   = d_i + h_i/6 ((1 - 3 A^2) M_i - (1 - 3 B^2) M_{i+1})
//   (3)  y''  = A M_i + B M_{i+1}
//   (4)  y''' = (M_{i+1} - M_i)/h_i
//   (8)  int_{t_i}^t y = h_i ((1 - A^2)/2 y_i + B^2/2 y_{i+1}) - h_i^3/24 ((1 - A^2)^2 M_i + B^2 (2 - B^2) M_{i+1})
//        and, over all of the piece, h_i (y_i + y_{i+1})/2 - h_i^3/24 (M_i + M_{i+1})
//
// y' is continuous at t_i, i = 1..n-1, by (2); with l = h_{i-1}/(h_{i-1} + h_i):
//   (5)  l M_{i-1} + 2 M_i + (1 - l) M_{i+1} = 6 (d_i - d_{i-1})/(h_{i-1} + h_i)
// Not-a-knot: y''' is continuous at t_1 and t_{n-1}, by (4); r = h_0/h_1, s = h_{n-1}/h_{n-2}:
//   (6)  M_0 = (1 + r) M_1 - r M_2        M_n = (1 + s) M_{n-1} - s M_{n-2}
// (6) in (5) leaves a diagonally dominant tridiagonal system: elimination needs no pivoting.
// Periodic: M_n = M_0, and (5) at i = 0 too, with t_{-1} = t_{n-1} - (t_n - t_0). That is M = v + M_0 w, where
// v and w solve (5) at i = 1..n-1 with v_0 = v_n = 0, w_0 = w_n = 1 and no right side for w; then (5) at 0:
//   (7)  M_0 = (right_0 - l v_{n-1} - (1 - l) v_1)/(2 + l w_{n-1} + (1 - l) w_1)
#include "visviva/base/spline.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "visviva/base/error.h"
#include "visviva/base/rounding.h"

namespace visviva {
namespace {

using Vector = std::vector<double>;

/// "times[3] = 0.25"
std::string entry(const char* name, const Vector& v, std::size_t i) {
  char number[32];
  char* end = std::to_chars(number, number + sizeof number, v[i]).ptr;
  return std::string(name) + "[" + std::to_string(i) + "] = " + std::string(number, end);
}

void require_samples(const Vector& times, const Vector& values) {
  const auto refuse = [](const std::string& problem) { throw UsageError("Spline", problem); };

  if (times.size() != values.size()) {
    refuse(std::to_string(times.size()) + " times but " + std::to_string(values.size()) +
           " values");
  }
  if (times.size() < 2) refuse("needs at least 2 samples, found " + std::to_string(times.size()));

  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i])) refuse(entry("times", times, i) + " is not finite");
    if (!std::isfinite(values[i])) refuse(entry("values", values, i) + " is not finite");
    if (i > 0 && !(times[i] > times[i - 1])) {
      refuse("times must increase: " + entry("times", times, i) + " after " +
             entry("times", times, i - 1));
    }
  }
}

/// The last value becomes the first where they agree but for rounding in a file.
void make_ends_agree(Vector* values) {
  double largest = 0.0;
  for (const double y : *values) largest = std::max(largest, std::fabs(y));
  if (std::fabs(values->front() - values->back()) > 1e-9 * largest)
    throw UsageError("Spline",
                     "a periodic curve ends as it begins: " + entry("values", *values, 0) + ", " +
                         entry("values", *values, values->size() - 1));
  values->back() = values->front();
}

/// The steps h_i and the chords' slopes d_i.
struct Chords {
  Vector h, d;
};

Chords compute_chords(const Vector& t, const Vector& y) {
  Chords c{Vector(t.size() - 1), Vector(t.size() - 1)};
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    c.h[i] = t[i + 1] - t[i];
    c.d[i] = (y[i + 1] - y[i]) / c.h[i];
  }
  return c;
}

/// M_0..M_n for n >= 3.
Vector solve_curvatures(const Chords& c) {
  const Vector& h = c.h;
  const Vector& d = c.d;
  const std::size_t n = h.size();
  const double r = h[0] / h[1];
  const double s = h[n - 1] / h[n - 2];
  Vector M(n + 1), upper(n);  // upper[i]: what multiplies M_{i+1} once row i is eliminated

  for (std::size_t i = 1; i < n; ++i) {
    // (5)
    double lower = h[i - 1] / (h[i - 1] + h[i]);
    double diagonal = 2.0;
    double above = h[i] / (h[i - 1] + h[i]);
    const double right = 6.0 * ((d[i] - d[i - 1]) / (h[i - 1] + h[i]));

    // (6): M_0 and M_n go
    if (i == 1) {
      diagonal += lower * (1.0 + r);
      above -= lower * r;
      lower = 0.0;
    }
    if (i == n - 1) {
      diagonal += above * (1.0 + s);
      lower -= above * s;
      above = 0.0;
    }

    const double pivot = diagonal - lower * upper[i - 1];
    upper[i] = above / pivot;
    M[i] = (right - lower * M[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i >= 1; --i) M[i] -= upper[i] * M[i + 1];

  M[0] = M[1] + r * (M[1] - M[2]);              // (6)
  M[n] = M[n - 1] + s * (M[n - 1] - M[n - 2]);  // (6)
  return M;
}

/// M_0..M_n of (5) at i = 1..n-1 with these ends; `scale` 0 leaves the right sides out.
Vector solve_between(const Chords& c, double end, double scale) {
  const std::size_t n = c.h.size();
  Vector M(n + 1, end), upper(n, 0.0);
  for (std::size_t i = 1; i < n; ++i) {
    const double sum = c.h[i - 1] + c.h[i], lower = c.h[i - 1] / sum;
    double right = scale * 6.0 * ((c.d[i] - c.d[i - 1]) / sum);
    if (i == n - 1) right -= c.h[i] / sum * end;
    const double pivot = 2.0 - lower * upper[i - 1];
    upper[i] = c.h[i] / sum / pivot;
    M[i] = (right - lower * M[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) M[i] -= upper[i] * M[i + 1];
  return M;
}

/// M_0..M_n of a periodic curve.
Vector solve_periodic(const Chords& c) {
  const std::size_t n = c.h.size();
  if (n == 1) return {0.0, 0.0};  // one piece between equal values
  Vector M = solve_between(c, 0.0, 1.0);
  const Vector w = solve_between(c, 1.0, 0.0);
  const double sum = c.h[n - 1] + c.h[0], lower = c.h[n - 1] / sum, above = c.h[0] / sum;
  const double right = 6.0 * ((c.d[0] - c.d[n - 1]) / sum);
  const double M0 =
      (right - lower * M[n - 1] - above * M[1]) / (2.0 + lower * w[n - 1] + above * w[1]);  // (7)
  for (std::size_t i = 0; i <= n; ++i) M[i] += M0 * w[i];
  return M;
}

Vector compute_curvatures(const Vector& t, const Vector& y, TableRange range) {
  const Chords c = compute_chords(t, y);
  Vector M(t.size(), 0.0);
  if (range == TableRange::periodic)
    M = solve_periodic(c);
  else if (t.size() == 3)
    M.assign(3, 2.0 * ((c.d[1] - c.d[0]) / (c.h[0] + c.h[1])));  // one parabola
  else if (t.size() > 3)
    M = solve_curvatures(c);

  for (std::size_t i = 0; i < t.size(); ++i) {
    const bool chord_fits = i == 0 || (std::isfinite(c.h[i - 1]) && std::isfinite(c.d[i - 1]));
    if (chord_fits && std::isfinite(M[i])) continue;
    throw UsageError(
        "Spline", "the samples change too fast for double precision near " + entry("times", t, i));
  }
  return M;
}

}  // namespace

const char* name_of(TableRange range) {
  switch (range) {
    case TableRange::hold:
      return "hold";
    case TableRange::periodic:
      return "periodic";
    case TableRange::error:
      break;
  }
  return "error";
}

Spline::Spline(std::vector<double> times, std::vector<double> values, TableRange range,
               TableShape shape)
    : times_(std::move(times)), values_(std::move(values)), range_(range), shape_(shape) {
  require_samples(times_, values_);
  if (range_ == TableRange::periodic) make_ends_agree(&values_);
  if (shape_ == TableShape::linear)
    curvatures_.assign(times_.size(), 0.0);
  else
    curvatures_ = compute_curvatures(times_, values_, range_);
  integrals_.assign(times_.size(), 0.0);
  for (std::size_t i = 0; i + 1 < times_.size(); ++i) {
    const double h = times_[i + 1] - times_[i];
    integrals_[i + 1] = integrals_[i] + h / 2.0 * (values_[i] + values_[i + 1]) -
                        h * (h * (h / 24.0 * (curvatures_[i] + curvatures_[i + 1])));  // (8)
  }
}

// An integrator's last step, t + (last - t), may end a little past the end.
double Spline::slack() const {
  return 8.0 * machine_epsilon * std::max(std::fabs(first()), std::fabs(last()));
}

bool Spline::covers(double t) const {
  if (range_ != TableRange::error) return std::isfinite(t);
  return t >= first() - slack() && t <= last() + slack();
}

double Spline::integral_start() const { return covers(0.0) ? 0.0 : first(); }

std::size_t Spline::find_piece(double t) const {
  // The piece that begins at or before t; last() belongs to the last piece.
  const auto next = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  return static_cast<std::size_t>(next - times_.begin()) - 1;
}

double Spline::integrate_from_first(double t) const {
  double turns = 0.0, beyond = 0.0;
  if (range_ == TableRange::periodic && !(t >= first() && t <= last())) {
    const double period = last() - first();
    turns = std::floor((t - first()) / period);
    t -= period * turns;
  }
  if (range_ == TableRange::hold) {
    if (t < first()) beyond = (t - first()) * values_.front();
    if (t > last()) beyond = (t - last()) * values_.back();
  }
  t = std::clamp(t, first(), last());
  const std::size_t i = find_piece(t);
  const double h = times_[i + 1] - times_[i];
  const double A = (times_[i + 1] - t) / h, B = (t - times_[i]) / h;
  const double a = B * (1.0 + A);  // 1 - A^2
  return beyond + turns * integrals_.back() + integrals_[i] +
         h / 2.0 * (a * values_[i] + B * B * values_[i + 1]) -
         h * (h * (h / 24.0 *
                   (a * a * curvatures_[i] + B * B * (2.0 - B * B) * curvatures_[i + 1])));  // (8)
}

double Spline::value(double t, int derivative) const {
  if (derivative < -1) {
    throw UsageError("Spline::value",
                     "a derivative of order " + std::to_string(derivative) + " does not exist");
  }
  if (!covers(t)) return std::numeric_limits<double>::quiet_NaN();
  if (derivative == -1) return integrate_from_first(t) - integrate_from_first(integral_start());
  if (range_ == TableRange::periodic && !(t >= first() && t <= last())) {
    const double period = last() - first();
    t -= period * std::floor((t - first()) / period);
  }
  const bool is_outside = t < first() - slack() || t > last() + slack();
  if (range_ == TableRange::hold && is_outside && derivative > 0) return 0.0;
  t = std::clamp(t, first(), last());

  const std::size_t i = find_piece(t);
  const double h = times_[i + 1] - times_[i];
  const double A = (times_[i + 1] - t) / h;
  const double B = (t - times_[i]) / h;
  const double M0 = curvatures_[i];
  const double M1 = curvatures_[i + 1];

  switch (derivative) {
    case 0:  // (1)
      return A * values_[i] + B * values_[i + 1] -
             h * (h / 6.0 * (A * B * ((1.0 + A) * M0 + (1.0 + B) * M1)));
    case 1:  // (2)
      return (values_[i + 1] - values_[i]) / h +
             h / 6.0 * ((1.0 - 3.0 * A * A) * M0 - (1.0 - 3.0 * B * B) * M1);
    case 2:  // (3)
      return A * M0 + B * M1;
    case 3:  // (4)
      return (M1 - M0) / h;
    default:
      return 0.0;
  }
}

}  // namespace visviva
