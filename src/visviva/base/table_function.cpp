#include "visviva/base/table_function.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "visviva/base/error.h"

namespace visviva {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

using Vector = std::vector<double>;

// y as a place on its axis: turns of a periodic one taken off, and clamped to its ends.
struct Place {
  double at, turns = 0.0, beyond = 0.0;
};

Place find_place(const Spline& axis, double y) {
  Place place{y};
  if (axis.range() == TableRange::periodic && !(y >= axis.first() && y <= axis.last())) {
    const double period = axis.last() - axis.first();
    place.turns = std::floor((y - axis.first()) / period);
    place.at -= period * place.turns;
  }
  const double clamped = std::clamp(place.at, axis.first(), axis.last());
  if (axis.range() == TableRange::hold) place.beyond = place.at - clamped;
  place.at = clamped;
  return place;
}

// What multiplies V_j, V_{j+1}, W_j, W_{j+1}.
using Weights = std::array<double, 4>;

Weights find_weights(double A, double B, double h, int order) {
  const double a = B * (1.0 + A), c = h * h / 6.0;
  switch (order) {
    case -1:  // spline.cpp (8)
      return {h / 2.0 * a, h / 2.0 * B * B, -c * h / 4.0 * a * a,
              -c * h / 4.0 * B * B * (2.0 - B * B)};
    case 0:
      return {A, B, -c * A * B * (1.0 + A), -c * A * B * (1.0 + B)};
    case 1:
      return {-1.0 / h, 1.0 / h, h / 6.0 * (1.0 - 3.0 * A * A), -h / 6.0 * (1.0 - 3.0 * B * B)};
    case 2:
      return {0.0, 0.0, A, B};
    case 3:
      return {0.0, 0.0, -1.0 / h, 1.0 / h};
    default:
      return {};
  }
}

// The number of the piece in which x lies; from 0 left of the first knot, or any whole number of a periodic axis.
struct CornerSearch {
  const Spline& axis;
  std::int64_t pieces = static_cast<std::int64_t>(axis.knots().size()) - 1;
  bool is_periodic = axis.range() == TableRange::periodic;

  std::int64_t piece_of(double x) const {
    if (is_periodic) {
      const double period = axis.last() - axis.first();
      const double turns = std::floor((x - axis.first()) / period);
      const double at = std::clamp(x - period * turns, axis.first(), axis.last());
      return static_cast<std::int64_t>(axis.find_piece(at)) +
             static_cast<std::int64_t>(turns) * pieces;
    }
    if (x < axis.first()) return 0;
    return x > axis.last() ? pieces + 1 : static_cast<std::int64_t>(axis.find_piece(x)) + 1;
  }

  // Knot k ends piece k - 1.
  std::optional<double> place_of(std::int64_t k) const {
    if (!is_periodic) {
      if (k < 1 || k > pieces + 1) return {};
      return axis.knots()[static_cast<std::size_t>(k - 1)];
    }
    const std::int64_t turns = k >= 0 ? k / pieces : -((pieces - 1 - k) / pieces);
    return axis.knots()[static_cast<std::size_t>(k - turns * pieces)] +
           static_cast<double>(turns) * (axis.last() - axis.first());
  }
};

double compute_corner(const Spline& axis, double x, int bit) {
  if (!std::isfinite(x)) return no_value;
  if (bit == BoundTable::ends) return (x - axis.first()) * (axis.last() - x);
  const CornerSearch search{axis};
  const std::int64_t m = search.piece_of(x);
  const bool is_top = bit + 1 == BoundTable::count_corner_bits(axis);
  // Its knots are phase + i*step.
  const std::int64_t step = std::int64_t{1} << (is_top ? bit : bit + 1);
  const std::int64_t phase = is_top ? 0 : step / 2;
  const std::int64_t behind = ((m - phase) % step + step) % step;
  const std::optional<double> before = search.place_of(m - behind),
                              after = search.place_of(m - behind + step);
  const bool is_negative = ((m >> bit) & 1) != (is_top ? 0 : (m >> (bit + 1)) & 1);
  double size = 1.0;
  if (before) size *= x - *before;
  if (after) size *= *after - x;
  if (before && after) size /= *after - *before;
  return is_negative ? -size : size;
}

}  // namespace

TableFunction::TableFunction(Spline curve) { values_.push_back(std::move(curve)); }

TableFunction::TableFunction(const TableAxis& x, const TableAxis& y,
                             const std::vector<std::vector<double>>& samples, TableShape shape) {
  const std::size_t n = x.knots.size(), m = y.knots.size();
  if (samples.size() != n)
    throw UsageError("TableFunction", "needs a row of samples for each knot of the first axis");
  std::vector<Vector> columns(m, Vector(n)), bends(m, Vector(n)), sums(m, Vector(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    const Spline line(y.knots, samples[i], y.range, shape);
    for (std::size_t j = 0; j < m; ++j) {
      columns[j][i] = line.samples()[j];
      bends[j][i] = line.curvatures()[j];
    }
  }
  // The ends of a periodic axis agree but for rounding, and their curvatures must, too.
  if (x.range == TableRange::periodic) {
    for (std::size_t j = 0; j < m; ++j) {
      columns[j] = Spline(x.knots, columns[j], x.range, shape).samples();
      bends[j].back() = bends[j].front();
    }
  }
  for (std::size_t j = 0; j + 1 < m; ++j) {
    const double h = y.knots[j + 1] - y.knots[j];
    for (std::size_t i = 0; i < n; ++i)
      sums[j + 1][i] = sums[j][i] + h / 2.0 * (columns[j][i] + columns[j + 1][i]) -
                       h * h * h / 24.0 * (bends[j][i] + bends[j + 1][i]);
  }
  for (std::size_t j = 0; j < m; ++j) {
    values_.emplace_back(x.knots, columns[j], x.range, shape);
    curvatures_.emplace_back(x.knots, bends[j], x.range, shape);
    sums_.emplace_back(x.knots, sums[j], x.range, shape);
  }
  y_axis_.emplace_back(y.knots, Vector(m, 0.0), y.range, shape);
}

const Spline& TableFunction::axis(std::size_t argument) const {
  return argument == 0 ? values_.front() : y_axis_.front();
}

double TableFunction::value(double x, double y, int x_order, int y_order) const {
  if (argument_count() == 1) return values_.front().value(x, x_order);
  const Spline& axis = y_axis_.front();
  if (!axis.covers(y)) return no_value;
  if (y_order >= 0) return value_in_y(x, y, x_order, y_order);
  return integral_in_y(x, y, x_order) - integral_in_y(x, axis.integral_start(), x_order);
}

double TableFunction::value_in_y(double x, double y, int x_order, int y_order) const {
  const Spline& axis = y_axis_.front();
  const Place place = find_place(axis, y);
  if (place.beyond != 0.0 && y_order > 0) return 0.0 * values_.front().value(x, x_order);
  const std::size_t j = axis.find_piece(place.at);
  const double h = axis.knots()[j + 1] - axis.knots()[j];
  const double A = (axis.knots()[j + 1] - place.at) / h, B = (place.at - axis.knots()[j]) / h;
  const Weights w = find_weights(A, B, h, y_order);
  return w[0] * values_[j].value(x, x_order) + w[1] * values_[j + 1].value(x, x_order) +
         w[2] * curvatures_[j].value(x, x_order) + w[3] * curvatures_[j + 1].value(x, x_order);
}

double TableFunction::integral_in_y(double x, double y, int x_order) const {
  const Spline& axis = y_axis_.front();
  const Place place = find_place(axis, y);
  const std::size_t j = axis.find_piece(place.at);
  double sum = sums_[j].value(x, x_order) + value_in_y(x, place.at, x_order, -1);
  if (place.turns != 0.0) sum += place.turns * sums_.back().value(x, x_order);
  if (place.beyond != 0.0) sum += place.beyond * value_in_y(x, place.at, x_order, 0);
  return sum;
}

double BoundTable::operator()(double x, double y) const {
  if (corner_argument < 0) return table->value(x, y, orders[0], orders[1]);
  const auto argument = static_cast<std::size_t>(corner_argument);
  return compute_corner(table->axis(argument), argument == 0 ? x : y, corner_bit);
}

int BoundTable::count_corner_bits(const Spline& axis) {
  int bits = 1;
  while ((std::size_t{1} << bits) < axis.knots().size() + 1) ++bits;
  return bits;
}

}  // namespace visviva
