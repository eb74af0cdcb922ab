// SceneTracks: the numbers of a scene from a run: positions, orientations and arrows, frame by frame.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/report/page/scene.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Three columns of a run, in N; none where the run has no such columns.
class Track {
 public:
  Track() = default;
  Track(const Trajectory& run, const std::string& column);

  bool has_values() const { return values_[0] != nullptr; }
  std::array<double, 3> operator[](std::size_t row) const {
    return {(*values_[0])[row], (*values_[1])[row], (*values_[2])[row]};
  }

 private:
  std::array<const std::vector<double>*, 3> values_{};
};

struct SceneTracks {
  /// The run keeps its samples.
  SceneTracks(const Scene& scene, const Trajectory& run);

  std::vector<std::size_t> rows;  ///< samples where all positions and axes are finite
  std::vector<Track> points, arrows;
  std::vector<std::array<Track, 2>> axes;  ///< by frame; none for N

  /// True when no component changes by more than `tolerance`; not finite is a change.
  bool is_fixed(const Track& track, double tolerance) const;
  /// Of the finite values; zero when there is none.
  double largest(const Track& track) const;
  /// At most `most` rows, ascending, and all when there are no more: half of them evenly, first and last
  /// included, the rest where a point is farthest from the straight way between these, so that
  /// what a point does for a moment is not lost. Only points that are `chosen` count.
  std::vector<std::size_t> choose_rows(std::size_t most, const std::vector<bool>& chosen) const;
  std::array<std::array<double, 3>, 2> find_box() const;  ///< least and greatest coordinates
  /// A length of the mechanism by itself, wherever it goes: the diagonal around `members` at a middle
  /// time, or the largest of `sizes`, or that of the whole motion; 1 when all are zero.
  double find_size(const std::vector<int>& members, const std::vector<double>& sizes) const;
};

/// `count` of them, evenly, first and last included; all when there are no more.
std::vector<std::size_t> thin_rows(const std::vector<std::size_t>& rows, std::size_t count);

/// Of the rotation with these two axes as first columns.
std::array<double, 4> make_frame_quaternion(const std::array<double, 3>& x,
                                            const std::array<double, 3>& y);
/// The one of q and -q that is nearer.
std::array<double, 4> continue_quaternion(const std::array<double, 4>& before,
                                          std::array<double, 4> q);

}  // namespace visviva
