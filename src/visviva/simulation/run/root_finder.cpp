#include "visviva/simulation/run/root_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr double foretold = 1e-3;         // part of the range by which foretold values may be wrong
constexpr double far_away = 3.0;          // ranges from zero: no root is expected
constexpr double smallest_piece = 1e-9;   // part of the interval
constexpr double near_zero = 0.05;        // part of the range: an extremum to be looked at closely
constexpr double value_rounding = 1e-12;  // part of the largest value
constexpr double short_change = 1e-6;     // part of the largest value, over an interval of rounding
constexpr int most_failures = 8;          // until a wild function is looked at in passing only
constexpr std::size_t grid = 32;          // parts of a piece in which extrema are looked for
constexpr double end_slope = 3e-7;        // of such a part, for the slope at an end
constexpr int approaches = 44;  // to an extremum: what is quadratic there is down to rounding
constexpr double zero_rounding =
    8 * machine_epsilon;              // part of the largest value around: less is zero
constexpr double may_be_zero = 1e-8;  // likewise: an extremum that may be zero, at least
constexpr double grown_errors =
    100;  // errors of a run against those of its steps: an extremum that may be zero
constexpr double corner_part =
    1e-3;  // of the largest value: what a corner may change in the smallest piece

// Nine places of Chebyshev's, ends included, with their barycentric weights, and four others.
constexpr int node_count = 9, place_count = 13;
struct Places {
  std::array<double, place_count> x{};
  std::array<int, node_count> nodes{};
  std::array<int, place_count - node_count> tests{};
  std::array<double, node_count> weights{};
};

Places make_places() {
  Places p;
  std::array<std::pair<double, int>, place_count> all;
  for (int j = 0; j < node_count; ++j)
    all[static_cast<std::size_t>(j)] = {0.5 - 0.5 * std::cos(M_PI * j / (node_count - 1)), j};
  all[0].first = 0.0;
  all[node_count - 1].first = 1.0;
  constexpr double others[] = {0.2713, 0.4187, 0.6179, 0.8991};
  for (int k = 0; k < place_count - node_count; ++k)
    all[static_cast<std::size_t>(node_count + k)] = {others[k], node_count + k};
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    p.x[i] = all[i].first;
    const int j = all[i].second;
    if (j < node_count)
      p.nodes[static_cast<std::size_t>(j)] = static_cast<int>(i);
    else
      p.tests[static_cast<std::size_t>(j - node_count)] = static_cast<int>(i);
  }
  for (int j = 0; j < node_count; ++j)
    p.weights[static_cast<std::size_t>(j)] =
        (j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == node_count - 1 ? 0.5 : 1.0);
  return p;
}

const Places& places_of_piece() {
  static const Places places = make_places();
  return places;
}

// The polynomial through the nodes, at a part s of the piece; `value(k)` is that at place k.
template <class Value>
double foretell(double s, const Value& value) {
  const Places& p = places_of_piece();
  double above = 0.0, below = 0.0;
  for (std::size_t j = 0; j < node_count; ++j) {
    const auto k = static_cast<std::size_t>(p.nodes[j]);
    if (s == p.x[k]) return value(k);
    const double w = p.weights[j] / (s - p.x[k]);
    above += w * value(k);
    below += w;
  }
  return above / below;
}

}  // namespace

RootFinder::RootFinder(std::size_t count, std::size_t most_pieces, double error)
    : count_(count),
      most_pieces_(most_pieces),
      error_(std::max(zero_rounding, error)),
      next_to_zero_(std::max(may_be_zero, grown_errors * error)),
      largest_(count, 0.0),
      middle_(count),
      size_(count),
      given_up_(count, 0),
      last_(count),
      zero_(count),
      level_(count, 0.0),
      counted_(count, 0.0),
      xs_(place_count),
      ys_(place_count, std::vector<double>(count)),
      edge_(count),
      since_touch_(count),
      since_root_(count) {}

bool RootFinder::look(double x, std::vector<double>* values) {
  if ((*f_)(x, values->data())) return true;
  std::fill(values->begin(), values->end(), std::numeric_limits<double>::quiet_NaN());
  return false;
}

void RootFinder::look_at(const Piece& piece) {
  const Places& p = places_of_piece();
  for (std::size_t k = 0; k < place_count; ++k) {
    xs_[k] = k == 0                 ? piece.a
             : k == place_count - 1 ? piece.b
                                    : piece.a + p.x[k] * (piece.b - piece.a);
    look(xs_[k], &ys_[k]);
  }
}

void RootFinder::note_sizes() {
  for (std::size_t i = 0; i < count_; ++i) {
    size_[i] = 0.0;
    for (const std::vector<double>& y : ys_)
      if (std::isfinite(y[i])) size_[i] = std::max(size_[i], std::abs(y[i]));
  }
}

std::vector<RootFinder::Place> RootFinder::values_of(std::size_t i) const {
  std::vector<Place> places;
  for (std::size_t k = 0; k < place_count; ++k) places.push_back({xs_[k], ys_[k][i]});
  return places;
}

bool RootFinder::is_smooth(std::size_t i) const {
  const Places& p = places_of_piece();
  double low = ys_[0][i], high = low;
  for (const std::vector<double>& y : ys_) {
    if (!std::isfinite(y[i])) return false;
    low = std::min(low, y[i]);
    high = std::max(high, y[i]);
  }
  const double allowed =
      foretold * (high - low) + value_rounding * std::max({largest_[i], high, -low});
  return std::all_of(p.tests.begin(), p.tests.end(), [&](int test) {
    const auto t = static_cast<std::size_t>(test);
    return std::abs(foretell(p.x[t], [&](std::size_t k) { return ys_[k][i]; }) - ys_[t][i]) <=
           allowed;
  });
}

bool RootFinder::has_no_value(std::size_t i) const {
  return std::all_of(ys_.begin(), ys_.end(),
                     [&](const std::vector<double>& y) { return std::isnan(y[i]); });
}

bool RootFinder::is_far_from_zero(std::size_t i) const {
  double low = ys_[0][i], high = low;
  for (const std::vector<double>& y : ys_) {
    if (!std::isfinite(y[i])) return false;
    low = std::min(low, y[i]);
    high = std::max(high, y[i]);
  }
  const double range = far_away * (high - low);
  return low > range || high < -range;
}

// Places at which the polynomial turns, so that no two roots hide between the others.
void RootFinder::add_extrema(std::size_t i, const Piece& piece, std::vector<Place>* places) {
  std::array<double, grid + 1> p{};
  double low = ys_[0][i], high = low;
  for (std::size_t at = 0; at <= grid; ++at) {
    p[at] = foretell(static_cast<double>(at) / grid, [&](std::size_t j) { return ys_[j][i]; });
    low = std::min(low, p[at]);
    high = std::max(high, p[at]);
  }
  const double h = (piece.b - piece.a) / grid;
  const auto turn = [&](double x, double reach, bool is_maximum, double foreseen) {
    if (!look(x, &middle_)) return;
    places->push_back({x, middle_[i]});
    const double side = is_maximum ? -1.0 : 1.0;  // it turns towards zero from this side
    const double size = std::max(std::abs(low), std::abs(high));
    if (std::abs(foreseen) > near_zero * (high - low) || side * middle_[i] < -error_ * size) return;
    const Place least = approach_extremum(i, std::max(x - reach, piece.a),
                                          std::min(x + reach, piece.b), side, places);
    // In a piece that was made for a corner values are next to zero themselves, and rounded as those around.
    const double zero = zero_rounding * std::max(size, size_[i]);
    const double away = side * least.value;
    if (away > 0 && away <= zero) places->push_back({least.x, 0.0});
    if (away > zero && away <= next_to_zero_ * std::max(size, largest_[i]) &&
        turns_at(i, least, reach, side, zero))
      found_.near.push_back({i, least.x, least.value});
    if (away >= 0 || away < -error_ * size) return;
    take_for_touch(least, reach, side, places);
    if (-away > zero) found_.shallow.push_back({i, least.x, least.value});
  };
  for (std::size_t k = 1; k < grid; ++k) {
    if ((p[k] - p[k - 1]) * (p[k + 1] - p[k]) < 0)
      turn(piece.a + static_cast<double>(k) * h, h, p[k] > p[k - 1], p[k]);
  }
  // Between the ends and their neighbours, by the slope at the end.
  const auto value_at = [&](double s) {
    return foretell(s, [&](std::size_t j) { return ys_[j][i]; });
  };
  const double first = value_at(end_slope / grid), last = value_at(1 - end_slope / grid);
  const double end = end_slope / grid * (piece.b - piece.a);
  search_junction(i, piece, (first - p[0]) / end, high - low);
  edge_[i] = {piece.a, piece.b, (p[grid] - last) / end};
  if ((first - p[0]) * (p[1] - first) < 0) turn(piece.a + 0.5 * h, 0.5 * h, first > p[0], first);
  if ((p[grid] - last) * (last - p[grid - 1]) < 0)
    turn(piece.b - 0.5 * h, 0.5 * h, last > p[grid], last);
}

// The polynomial may turn where the function goes on falling, in a tail that is small beside the rest of the piece. What is
// at the end of the interval is for the next one to see.
bool RootFinder::turns_at(std::size_t i, Place least, double reach, double side, double rounding) {
  for (const double x : {least.x - 0.5 * reach, least.x + 0.5 * reach}) {
    if (x > end_) return false;
    if (x < begin_ || !look(x, &middle_)) continue;
    if (side * middle_[i] < side * least.value - rounding) return false;
  }
  return true;
}

// A corner next to where two pieces meet looks smooth on both: there the function turns from one to the other.
void RootFinder::search_junction(std::size_t i, const Piece& piece, double slope, double range) {
  const Edge& before = edge_[i];
  const double value = ys_[0][i], side = value > 0 ? 1.0 : -1.0;
  const bool turns = side * before.slope < 0 && side * slope > 0;
  if (before.to != piece.a || before.from == before.to || !turns) return;
  if (value == 0.0 || std::abs(value) > near_zero * range) return;
  std::vector<Place> places;
  const Place least = approach_extremum(i, before.to - near_zero * (before.to - before.from),
                                        piece.a + near_zero * (piece.b - piece.a), side, &places);
  if (least.value == 0.0) add_touch(i, least.x, near_zero * (piece.b - before.from));
}

// What passes zero next to an extremum, by less than its errors, touches it there.
void RootFinder::take_for_touch(Place extremum, double reach, double side,
                                std::vector<Place>* places) {
  std::erase_if(*places, [&](const Place& p) {
    return side * p.value < 0 && std::abs(p.x - extremum.x) <= 2 * reach;
  });
  places->push_back({extremum.x, 0.0});
}

// The least side*f between two places, by golden sections, or one far below zero.
RootFinder::Place RootFinder::approach_extremum(std::size_t i, double low, double high, double side,
                                                std::vector<Place>* places) {
  constexpr double golden = 0.3819660112501051;
  Place least{low + golden * (high - low), std::numeric_limits<double>::quiet_NaN()};
  if (!look(least.x, &middle_)) return least;
  least.value = middle_[i];
  places->push_back(least);
  double at_low = 0.0, at_high = 0.0;  // side*f
  for (int k = 0; k < approaches && side * least.value > -error_ * largest_[i]; ++k) {
    const bool is_right = high - least.x > least.x - low;
    const double x =
        is_right ? least.x + golden * (high - least.x) : least.x - golden * (least.x - low);
    if (!look(x, &middle_)) break;
    places->push_back({x, middle_[i]});
    if (side * middle_[i] < side * least.value) {
      (is_right ? low : high) = least.x;
      (is_right ? at_low : at_high) = side * least.value;
      least = {x, middle_[i]};
    } else {
      (is_right ? high : low) = x;
      (is_right ? at_high : at_low) = side * middle_[i];
    }
  }
  // A corner: it still falls as far as it was followed.
  if (side * least.value > 0 && 2 * side * least.value <= std::max(at_low, at_high)) {
    least.value = 0.0;
    places->push_back(least);
  }
  return least;
}

// What is zero but for rounding belongs to the next change of sign; where there is none, zero was touched.
void RootFinder::search(std::size_t i, const std::vector<Place>& places, bool is_smooth) {
  double size = 0.0;
  for (const Place& here : places)
    if (std::isfinite(here.value)) size = std::max(size, std::abs(here.value));
  Place& last = last_[i];
  Place& zero = zero_[i];
  const double level = zero_rounding * size;
  const bool is_begin = last.x == begin_ && std::abs(last.value) <= level;
  if (is_begin && (is_fresh_ || since_root_[i] <= level)) last.value = 0.0;
  for (const Place& here : places) {
    if (std::isnan(here.value)) continue;
    since_touch_[i] = std::max(since_touch_[i], std::abs(here.value));
    since_root_[i] = std::max(since_root_[i], std::abs(here.value));
    if (std::abs(here.value) <= std::max(level, counted_[i])) {
      if (last.value != 0.0 && !(std::abs(zero.value) <= std::abs(here.value))) zero = here;
      level_[i] = level;
      continue;
    }
    counted_[i] = 0.0;
    if (last.value * here.value < 0) {
      bisect(i, last, here, is_smooth ? error_ * size : 0.0);
      since_root_[i] = std::abs(here.value);
    } else if (is_smooth && !std::isnan(zero.value) && since_touch_[i] > error_ * size) {
      add_touch(i, zero.x, width_);
      since_root_[i] = std::abs(here.value);
    }
    last = here;
    zero.value = std::numeric_limits<double>::quiet_NaN();
  }
}

// A function that is zero where the interval ends has its root there; it counts no more in the next interval.
void RootFinder::count_at_end(std::size_t i) {
  if (last_[i].value == 0.0 || std::isnan(zero_[i].value)) return;
  found_.roots.push_back({i, zero_[i].x, last_[i].value < 0});
  last_[i].value = 0.0;
  counted_[i] = level_[i];
}

// Once for each place.
void RootFinder::add_touch(std::size_t i, double x, double apart) {
  for (auto root = found_.roots.rbegin(); root != found_.roots.rend(); ++root)
    if (root->function == i && std::abs(root->place - x) <= apart) return;
  found_.roots.push_back({i, x, last_[i].value > 0, true});
  since_touch_[i] = 0.0;
}

// The smallest piece, on which the function is not smooth: it has a corner where its values go on, and touches zero with
// that where it comes as near as it changes.
void RootFinder::search_corner(std::size_t i, const Piece& piece) {
  const std::vector<Place> places = values_of(i);
  const std::size_t before = found_.roots.size() + found_.jumps.size();
  search(i, places, false);
  if (found_.roots.size() + found_.jumps.size() > before) return;
  double low = ys_[0][i], high = low;
  const Place* least = &places.front();
  for (const Place& here : places) {
    if (!std::isfinite(here.value)) return;
    low = std::min(low, here.value);
    high = std::max(high, here.value);
    if (std::abs(here.value) < std::abs(least->value)) least = &here;
  }
  const bool is_continuous = high - low <= corner_part * largest_[i];
  const bool is_inside = least->x > piece.a && least->x < piece.b;
  if (is_continuous && is_inside && std::abs(least->value) <= high - low)
    add_touch(i, least->x, 4 * (piece.b - piece.a));
}

// A root's values vanish with the interval, those on both sides of a jump or a pole do not.
void RootFinder::bisect(std::size_t i, Place low, Place high, double small) {
  const bool is_rising = low.value < 0;
  const double whole = high.x - low.x, half_way = std::sqrt(whole * std::max(width_, 1e-300));
  const double first = std::abs(high.value - low.value);
  double difference = first;
  bool is_known = true;
  while (high.x - low.x > width_) {
    const double x = 0.5 * (low.x + high.x);
    if (x <= low.x || x >= high.x) break;
    is_known = look(x, &middle_) && !std::isnan(middle_[i]);
    if (!is_known) break;
    (middle_[i] * low.value > 0 ? low : high) = Place{x, middle_[i]};
    if (high.x - low.x > half_way) difference = std::abs(high.value - low.value);
  }
  const double last = std::abs(high.value - low.value);
  const bool was_divided = whole > 64 * width_;
  const bool vanishes = was_divided ? last <= 0.5 * difference || last <= value_rounding * first
                                    : last <= short_change * largest_[i];
  const bool is_small = first <= small;  // rounding makes it jump
  const bool is_root = is_known && (high.value == 0.0 || vanishes || is_small) &&
                       std::isfinite(last) && std::isfinite(difference);
  (is_root ? found_.roots : found_.jumps).push_back({i, high.x, is_rising});
}

// False where the function is not smooth on the piece, and nothing was looked for.
bool RootFinder::search_smooth(std::size_t i, const Piece& piece) {
  const bool is_far = is_far_from_zero(i);
  if (!is_far && !is_smooth(i)) return false;
  std::vector<Place> all = values_of(i);
  for (const Place& place : all) largest_[i] = std::max(largest_[i], std::abs(place.value));
  if (!is_far) {
    add_extrema(i, piece, &all);
    std::sort(all.begin(), all.end(), [](const Place& x, const Place& y) { return x.x < y.x; });
  }
  search(i, all, true);
  return true;
}

void RootFinder::begin_function(std::size_t i, double value) {
  zero_[i] = {begin_, std::numeric_limits<double>::quiet_NaN()};
  edge_[i] = {begin_, begin_, 0.0};
  const bool is_counted = !is_fresh_ && counted_[i] > 0;
  last_[i] = {begin_, is_counted ? 0.0 : value};
  if (!is_fresh_) return;
  counted_[i] = 0.0;
  since_touch_[i] = since_root_[i] = std::numeric_limits<double>::infinity();
}

RootsFound RootFinder::find(const Function& f, double a, double b, const std::vector<double>& at_a,
                            double width) {
  f_ = &f;
  is_fresh_ = a != end_;
  begin_ = a;
  end_ = b;
  width_ = width;
  found_ = {};
  std::vector<Piece> waiting = {{a, b, {}}};
  for (std::size_t i = 0; i < count_; ++i) {
    begin_function(i, at_a[i]);
    waiting[0].open.push_back(i);
  }
  std::size_t pieces = 0;
  while (!waiting.empty()) {
    const Piece piece = std::move(waiting.back());
    waiting.pop_back();
    ++pieces;
    look_at(piece);
    if (pieces == 1) note_sizes();
    const bool is_smallest = piece.b - piece.a <= smallest_piece * (b - a);
    const bool is_last = is_smallest || pieces + waiting.size() + 2 > most_pieces_;
    std::vector<std::size_t> open;
    for (const std::size_t i : piece.open) {
      if (search_smooth(i, piece)) continue;
      if (has_no_value(i)) {
        found_.undefined.push_back({i, piece.a});
        continue;
      }
      if (!is_last && given_up_[i] <= most_failures) {
        open.push_back(i);
        continue;
      }
      search_corner(i, piece);
      if (!is_smallest) found_.unresolved.push_back(i);
    }
    if (open.empty()) continue;
    const double middle = 0.5 * (piece.a + piece.b);
    waiting.push_back({middle, piece.b, open});
    waiting.push_back({piece.a, middle, std::move(open)});
  }
  for (std::size_t i = 0; i < count_; ++i) count_at_end(i);
  std::sort(found_.unresolved.begin(), found_.unresolved.end());
  found_.unresolved.erase(std::unique(found_.unresolved.begin(), found_.unresolved.end()),
                          found_.unresolved.end());
  for (const std::size_t i : found_.unresolved) ++given_up_[i];
  return std::move(found_);
}

}  // namespace visviva
