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
//
// y' is continuous at t_i, i = 1..n-1, by (2); with l = h_{i-1}/(h_{i-1} + h_i):
//   (5)  l M_{i-1} + 2 M_i + (1 - l) M_{i+1} = 6 (d_i - d_{i-1})/(h_{i-1} + h_i)
// Not-a-knot: y''' is continuous at t_1 and t_{n-1}, by (4); r = h_0/h_1, s = h_{n-1}/h_{n-2}:
//   (6)  M_0 = (1 + r) M_1 - r M_2        M_n = (1 + s) M_{n-1} - s M_{n-2}
// (6) in (5) leaves a diagonally dominant tridiagonal system: elimination needs no pivoting.
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

Vector compute_curvatures(const Vector& t, const Vector& y) {
  const Chords c = compute_chords(t, y);
  Vector M(t.size(), 0.0);
  if (t.size() == 3) M.assign(3, 2.0 * ((c.d[1] - c.d[0]) / (c.h[0] + c.h[1])));  // one parabola
  if (t.size() > 3) M = solve_curvatures(c);

  for (std::size_t i = 0; i < t.size(); ++i) {
    const bool chord_fits = i == 0 || (std::isfinite(c.h[i - 1]) && std::isfinite(c.d[i - 1]));
    if (chord_fits && std::isfinite(M[i])) continue;
    throw UsageError(
        "Spline", "the samples change too fast for double precision near " + entry("times", t, i));
  }
  return M;
}

}  // namespace

Spline::Spline(std::vector<double> times, std::vector<double> values)
    : times_(std::move(times)), values_(std::move(values)) {
  require_samples(times_, values_);
  curvatures_ = compute_curvatures(times_, values_);
}

double Spline::value(double t, int derivative) const {
  if (derivative < 0) {
    throw UsageError("Spline::value",
                     "a derivative of order " + std::to_string(derivative) + " does not exist");
  }

  // An integrator's last step, t + (last - t), may end a little past the end.
  const double slack = 8.0 * machine_epsilon * std::max(std::fabs(first()), std::fabs(last()));
  if (!(t >= first() - slack && t <= last() + slack))
    return std::numeric_limits<double>::quiet_NaN();
  t = std::clamp(t, first(), last());

  // The piece that begins at or before t; last() belongs to the last piece.
  const auto next = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  const auto i = static_cast<std::size_t>(next - times_.begin()) - 1;
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
