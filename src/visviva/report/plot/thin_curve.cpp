// Thinning of curves in a plane, after D. H. Douglas and T. K. Peucker, Cartographica 10 (1973): between two points that stay,
// the one farthest from the straight way between them stays too, if it is farther than is allowed.
#include <algorithm>
#include <array>
#include <cmath>

#include "visviva/report/plot/thin.h"

namespace visviva {
namespace {

constexpr double finest = 1.0 / 20000;     // of the extents: no screen shows it
constexpr std::size_t longest_run = 2000;  // a run is cut here, so that none takes long

class CurveThinner {
 public:
  CurveThinner(const std::vector<double>& x, const std::vector<double>& y)
      : x_(x), y_(y), x_unit_(extent(x)), y_unit_(extent(y)) {}

  std::vector<std::size_t> keep(double allowed) const {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < x_.size();) {
      if (!is_point(i)) {
        kept.push_back(i);  // a gap is one
        while (i < x_.size() && !is_point(i)) ++i;
        continue;
      }
      std::size_t last = i;
      while (last + 1 < x_.size() && is_point(last + 1) && last - i < longest_run) ++last;
      keep_run(i, last, allowed, &kept);
      i = last + 1;
    }
    return kept;
  }

 private:
  static double extent(const std::vector<double>& values) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double v : values) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
    return high > low ? high - low : 1.0;
  }

  bool is_point(std::size_t i) const { return std::isfinite(x_[i]) && std::isfinite(y_[i]); }

  // As parts of the extents, from a point to the way from a to b.
  double distance(std::size_t i, std::size_t a, std::size_t b) const {
    const double bx = (x_[b] - x_[a]) / x_unit_, by = (y_[b] - y_[a]) / y_unit_;
    const double px = (x_[i] - x_[a]) / x_unit_, py = (y_[i] - y_[a]) / y_unit_;
    const double square = bx * bx + by * by;
    const double part = square > 0 ? std::clamp((px * bx + py * by) / square, 0.0, 1.0) : 0.0;
    return std::hypot(px - part * bx, py - part * by);
  }

  void keep_run(std::size_t first, std::size_t last, double allowed,
                std::vector<std::size_t>* kept) const {
    std::vector<std::size_t> chosen = {first};
    if (last > first) chosen.push_back(last);
    std::vector<std::array<std::size_t, 2>> ways = {{first, last}};
    while (!ways.empty()) {
      const auto [a, b] = ways.back();
      ways.pop_back();
      std::size_t farthest = a;
      double most = allowed;
      for (std::size_t i = a + 1; i < b; ++i) {
        const double d = distance(i, a, b);
        if (d <= most) continue;
        most = d;
        farthest = i;
      }
      if (farthest == a) continue;
      chosen.push_back(farthest);
      ways.push_back({a, farthest});
      ways.push_back({farthest, b});
    }
    std::sort(chosen.begin(), chosen.end());
    kept->insert(kept->end(), chosen.begin(), chosen.end());
  }

  const std::vector<double>&x_, &y_;
  const double x_unit_, y_unit_;
};

}  // namespace

std::vector<std::size_t> thin_curve(const std::vector<double>& x, const std::vector<double>& y,
                                    std::size_t most) {
  constexpr double coarsest = 0.02;  // beyond, gaps are what is many
  const CurveThinner thinner(x, y);
  double allowed = finest;
  std::vector<std::size_t> kept = thinner.keep(allowed);
  while (kept.size() > most && allowed < coarsest) kept = thinner.keep(allowed *= 2);
  return kept;
}

}  // namespace visviva
