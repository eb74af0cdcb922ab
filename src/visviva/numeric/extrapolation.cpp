#include "visviva/numeric/extrapolation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace visviva {
namespace {

using Eigen::VectorXd;

constexpr int columns = 8;  // of the scheme: n = 2, 4, ... 16
constexpr double floor_part =
    1e-3;  // of the largest entry: what counts as the size of a smaller one
constexpr double least_step = 1e-13;  // of the whole time

class Extrapolation {
 public:
  Extrapolation(const RateFunction& rates, const FollowOptions& options)
      : rates_(rates), options_(options) {}

  bool is_spent() const { return evaluations_ > options_.most_evaluations; }

  // y after a step H, or nothing; `ratio` is the error against the tolerance.
  std::optional<VectorXd> step(double t, const VectorXd& y, double H, double* ratio) {
    *ratio = 1e3;
    VectorXd slope(y.size());
    if (!compute(t, y, &slope)) return std::nullopt;
    std::vector<VectorXd> row, before;
    for (int j = 0; j < columns; ++j) {
      const int n = 2 * (j + 1);
      std::optional<VectorXd> rough = make_midpoints(t, y, slope, {H, n});
      if (!rough) return std::nullopt;
      row.assign(1, *std::move(rough));
      for (int k = 0; k < j; ++k) {  // (1)
        const double quotient = static_cast<double>(n) / (2 * (j - k));
        row.push_back(row[k] + (row[k] - before[k]) / (quotient * quotient - 1));
      }
      if (j > 1) {
        *ratio = measure(row[j] - row[j - 1], y, H * slope);
        if (*ratio <= 1) return row[j];
      }
      before = row;
    }
    return std::nullopt;
  }

 private:
  struct Parts {
    double H;
    int n;
  };

  bool compute(double t, const VectorXd& y, VectorXd* slope) {
    ++evaluations_;
    return rates_(t, y, slope) && slope->allFinite();
  }

  std::optional<VectorXd> make_midpoints(double t, const VectorXd& y, const VectorXd& slope,
                                         Parts parts) {
    const double h = parts.H / parts.n;
    VectorXd last = y, now = y + h * slope, rate(y.size());
    for (int i = 1; i < parts.n; ++i) {
      if (!compute(t + i * h, now, &rate)) return std::nullopt;
      const VectorXd next = last + 2 * h * rate;
      last = now;
      now = next;
    }
    return now;
  }

  double measure(const VectorXd& error, const VectorXd& y, const VectorXd& change) const {
    if (y.size() == 0) return 0;
    const double least = floor_part * y.cwiseAbs().maxCoeff();
    double ratio = 0;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      const double allowed = options_.tolerance * (std::abs(y(i)) + std::abs(change(i)) + least);
      if (std::abs(error(i)) > 0) ratio = std::max(ratio, std::abs(error(i)) / allowed);
    }
    return std::isfinite(ratio) ? ratio : 1e3;
  }

  const RateFunction& rates_;
  const FollowOptions& options_;
  int evaluations_ = 0;
};

}  // namespace

FollowedMotion follow_motion(const RateFunction& rates, double t, VectorXd y, double end,
                             const FollowOptions& options) {
  const double whole = end - t;
  Extrapolation method(rates, options);
  double H = whole / 4;
  while (t < end && !method.is_spent()) {
    const bool is_last = t + H >= end - least_step * whole;
    if (is_last) H = end - t;
    double ratio = 0;
    const std::optional<VectorXd> next = method.step(t, y, H, &ratio);
    if (!next) {
      H *= ratio < 1e3 ? 0.6 : 0.3;
      if (!(H > least_step * whole)) break;
      continue;
    }
    y = *next;
    t = is_last ? end : t + H;
    if (ratio < 1e-2) H *= 1.6;
  }
  return {t, std::move(y), t >= end};
}

}  // namespace visviva
