#include "visviva/report/page/scene_tracks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <set>

#include "visviva/report/page/scene_solids.h"

namespace visviva {
namespace {

using Triple = std::array<double, 3>;
using Box = std::array<Triple, 2>;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_finite(const Triple& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

double norm(const Triple& v) { return std::hypot(v[0], v[1], v[2]); }

Box empty_box() { return {{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}}}; }

void include(const Triple& p, Box* box) {
  for (std::size_t k = 0; k < 3; ++k) {
    (*box)[0][k] = std::min((*box)[0][k], p[k]);
    (*box)[1][k] = std::max((*box)[1][k], p[k]);
  }
}

double diagonal(const Box& box) {
  if (box[0][0] > box[1][0]) return 0;
  return norm({box[1][0] - box[0][0], box[1][1] - box[0][1], box[1][2] - box[0][2]});
}

// A stretch between two places in a list of rows, and where in it a point is farthest from the straight
// way through it; in the middle where all points go straight.
struct Stretch {
  std::size_t from, until;
  std::size_t place = (from + until) / 2;
  double detour = 0;

  bool operator<(const Stretch& other) const {
    return detour != other.detour ? detour < other.detour : until - from < other.until - other.from;
  }

  void add(const Track& P, const std::vector<std::size_t>& rows) {
    const Triple a = P[rows[from]], b = P[rows[until]];
    for (std::size_t i = from + 1; i < until; ++i) {
      const double part = static_cast<double>(i - from) / static_cast<double>(until - from);
      const Triple p = P[rows[i]];
      Triple d{};
      for (std::size_t k = 0; k < 3; ++k) d[k] = p[k] - (a[k] + part * (b[k] - a[k]));
      if (norm(d) <= detour) continue;
      detour = norm(d);
      place = i;
    }
  }
};

}  // namespace

Track::Track(const Trajectory& run, const std::string& column) {
  const auto first = std::find(run.columns.begin(), run.columns.end(), column + ".x");
  if (first == run.columns.end()) return;
  const auto place = static_cast<std::size_t>(first - run.columns.begin());
  if (place + 2 >= run.samples.size()) return;
  for (std::size_t k = 0; k < 3; ++k) values_[k] = &run.samples[place + k];
  count_ = 3;
}

void Track::leave_out_unknown(const std::vector<std::size_t>& rows) {
  if (!has_values()) return;
  std::array<bool, 3> is_known{};
  for (std::size_t k = 0; k < 3; ++k)
    is_known[k] = std::any_of(rows.begin(), rows.end(),
                              [&](std::size_t row) { return std::isfinite(value(k, row)); });
  const auto known = static_cast<int>(std::count(is_known.begin(), is_known.end(), true));
  if (known == 0) return;
  for (std::size_t k = 0; k < 3; ++k)
    if (!is_known[k]) values_[k] = nullptr;
  count_ = known;
}

SceneTracks::SceneTracks(const Scene& scene, const Trajectory& run) {
  for (const ScenePoint& P : scene.points) points.emplace_back(run, P.column);
  for (const SceneArrow& a : scene.arrows) arrows.emplace_back(run, a.column);
  for (const SceneFrame& B : scene.frames) {
    axes.emplace_back();
    if (!B.x_column.empty()) axes.back() = {Track(run, B.x_column), Track(run, B.y_column)};
  }
  const std::size_t count = run.samples.empty() ? 0 : run.samples[0].size();
  const auto is_drawn = [&](std::size_t row) {
    const auto is_good = [&](const Track& t) { return !t.has_values() || is_finite(t[row]); };
    return std::all_of(points.begin(), points.end(), is_good) &&
           std::all_of(axes.begin(), axes.end(),
                       [&](const auto& two) { return is_good(two[0]) && is_good(two[1]); });
  };
  for (std::size_t row = 0; row < count; ++row)
    if (is_drawn(row)) rows.push_back(row);
  for (Track& a : arrows) a.leave_out_unknown(rows);
}

bool SceneTracks::is_fixed(const Track& track, double tolerance) const {
  Box box = empty_box();
  for (const std::size_t row : rows) {
    const Triple v = track[row];
    if (!is_finite(v)) return false;
    include(v, &box);
  }
  for (std::size_t k = 0; k < 3; ++k)
    if (box[1][k] - box[0][k] > tolerance) return false;
  return true;
}

double SceneTracks::largest(const Track& track) const {
  double size = 0;
  for (const std::size_t row : rows) {
    const double here = norm(track[row]);
    if (std::isfinite(here)) size = std::max(size, here);
  }
  return size;
}

std::array<Triple, 2> SceneTracks::find_box() const {
  Box box = empty_box();
  for (const Track& P : points) {
    for (const std::size_t row : rows)
      if (P.has_values()) include(P[row], &box);
  }
  if (box[0][0] > box[1][0]) return {};
  return box;
}

double SceneTracks::find_size(const std::vector<int>& members,
                              const std::vector<double>& sizes) const {
  std::vector<double> diagonals;
  for (const std::size_t row : thin_rows(rows, 101)) {
    Box box = empty_box();
    for (const int P : members) {
      const Track& track = points[static_cast<std::size_t>(P)];
      if (track.has_values()) include(track[row], &box);
    }
    diagonals.push_back(diagonal(box));
  }
  double size = 0;
  if (!diagonals.empty()) {
    const auto middle = diagonals.begin() + static_cast<std::ptrdiff_t>(diagonals.size() / 2);
    std::nth_element(diagonals.begin(), middle, diagonals.end());
    size = *middle;
  }
  for (const double s : sizes) size = std::max(size, s);
  if (size <= 0) size = diagonal(find_box());
  return size > 0 && std::isfinite(size) ? size : 1.0;
}

// After Douglas and Peucker, Canadian Cartographer 10 (1973): where the longest detour is, a row is added
// and the stretch divided.
std::vector<std::size_t> SceneTracks::choose_rows(std::size_t most,
                                                  const std::vector<bool>& chosen) const {
  if (rows.size() <= most) return rows;
  std::vector<std::size_t> places(rows.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::vector<std::size_t> even = thin_rows(places, std::max<std::size_t>(most / 2, 2));
  std::priority_queue<Stretch> stretches;
  const auto add = [&](std::size_t from, std::size_t until) {
    Stretch stretch{from, until};
    for (std::size_t i = 0; i < points.size(); ++i)
      if (chosen[i]) stretch.add(points[i], rows);
    if (until - from > 1) stretches.push(stretch);
  };
  for (std::size_t k = 0; k + 1 < even.size(); ++k) add(even[k], even[k + 1]);
  std::set<std::size_t> kept(even.begin(), even.end());
  while (kept.size() < most && !stretches.empty()) {
    const Stretch longest = stretches.top();
    stretches.pop();
    kept.insert(longest.place);
    add(longest.from, longest.place);
    add(longest.place, longest.until);
  }
  std::vector<std::size_t> found;
  for (const std::size_t place : kept) found.push_back(rows[place]);
  return found;
}

Quaternions SceneTracks::list_orientations(std::size_t frame) const {
  const auto& [x, y] = axes[frame];
  Quaternions all;
  for (const std::size_t row : rows) {
    const std::array<double, 4> q = make_frame_quaternion(x[row], y[row]);
    all.push_back(all.empty() ? q : continue_quaternion(all.back(), q));
  }
  return all;
}

std::vector<std::size_t> SceneTracks::split_turns(
    const std::vector<std::size_t>& chosen, double most,
    const std::vector<std::vector<double>>& turns) const {
  std::vector<std::size_t> found;
  std::size_t last = 0;  // place of the row kept last
  auto next = chosen.begin();
  for (std::size_t place = 0; place < rows.size() && next != chosen.end(); ++place) {
    const auto is_far = [&](const auto& sums) { return sums[place + 1] - sums[last] > most; };
    const bool is_chosen = rows[place] == *next;
    if (is_chosen) ++next;
    if (!is_chosen && (found.empty() || !std::any_of(turns.begin(), turns.end(), is_far))) continue;
    found.push_back(rows[place]);
    last = place;
  }
  return found;
}

double SceneTracks::largest_turn(const std::vector<std::size_t>& chosen,
                                 const std::vector<std::vector<double>>& turns) const {
  double largest = 0;
  std::size_t last = 0;
  auto next = chosen.begin();
  for (std::size_t place = 0; place < rows.size() && next != chosen.end(); ++place) {
    if (rows[place] != *next) continue;
    for (const std::vector<double>& sums : turns)
      if (next != chosen.begin()) largest = std::max(largest, sums[place] - sums[last]);
    last = place;
    ++next;
  }
  return largest;
}

std::vector<double> sum_turns(const Quaternions& orientations) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < orientations.size(); ++i) {
    if (i == 0) {
      sums.push_back(0);
      continue;
    }
    // |q - p| is twice the sine of a quarter of the angle: exact for small turns too.
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k)
      square += std::pow(orientations[i][k] - orientations[i - 1][k], 2);
    sums.push_back(sums.back() + 4 * std::asin(std::min(1.0, std::sqrt(square) / 2)));
  }
  return sums;
}

std::vector<std::size_t> thin_rows(const std::vector<std::size_t>& rows, std::size_t count) {
  if (rows.size() <= count || count < 2) return rows;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i)
    kept.push_back(rows[(i * (rows.size() - 1) + (count - 1) / 2) / (count - 1)]);
  return kept;
}

std::array<double, 4> make_frame_quaternion(const Triple& x, const Triple& y) {
  const Eigen::Vector3d first = Eigen::Vector3d(x[0], x[1], x[2]).normalized();
  const Eigen::Vector3d near(y[0], y[1], y[2]);
  Eigen::Matrix3d R;
  R.col(0) = first;
  R.col(1) = (near - first.dot(near) * first).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return make_quaternion(R);
}

std::array<double, 4> continue_quaternion(const std::array<double, 4>& before,
                                          std::array<double, 4> q) {
  double cosine = 0;
  for (std::size_t k = 0; k < 4; ++k) cosine += before[k] * q[k];
  if (cosine < 0)
    for (double& x : q) x = -x;
  return q;
}

}  // namespace visviva
