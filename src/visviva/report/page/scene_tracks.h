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

  bool has_values() const { return count_ > 0; }
  /// Components without a value at any row were left out and count as zero.
  bool is_partial() const { return count_ > 0 && count_ < 3; }
  std::array<double, 3> operator[](std::size_t row) const {
    return {value(0, row), value(1, row), value(2, row)};
  }

  /// Components that have a value at none of these rows; all stay where there is no other.
  void leave_out_unknown(const std::vector<std::size_t>& rows);

 private:
  double value(std::size_t k, std::size_t row) const {
    return values_[k] == nullptr ? 0.0 : (*values_[k])[row];
  }

  std::array<const std::vector<double>*, 3> values_{};
  int count_ = 0;
};

using Quaternions = std::vector<std::array<double, 4>>;

struct SceneTracks {
  /// The run keeps its samples.
  SceneTracks(const Scene& scene, const Trajectory& run);

  std::vector<std::size_t> rows;  ///< samples where all positions and axes are finite
  std::vector<Track> points, arrows;
  std::vector<std::array<Track, 2>> axes;  ///< by frame; none for N

  /// True when no component changes by more than `tolerance`; not finite is a change.
  bool is_fixed(const Track& track, double tolerance) const;
  /// The largest of the finite values; zero when there is none.
  double largest(const Track& track) const;
  /// Rows to show, at most `most` and ascending, and all when there are no more: half of them
  /// evenly, first and last included, the rest where a point is farthest from the straight way
  /// between these, so that what a point does for a moment is not lost. Only points that are
  /// `chosen` count.
  std::vector<std::size_t> choose_rows(std::size_t most, const std::vector<bool>& chosen) const;
  /// Quaternions of a frame that has axes, at all rows, each the nearer of q and -q to the one before: the signs
  /// tell by how many half turns it has come there.
  Quaternions list_orientations(std::size_t frame) const;
  /// `chosen` rows and such between them that no frame turns by more than `most`, rad, from one to the
  /// next, where the run has a row there. `turns`: sums of turns of each frame along the rows.
  std::vector<std::size_t> split_turns(const std::vector<std::size_t>& chosen, double most,
                                       const std::vector<std::vector<double>>& turns) const;
  /// The largest turn from one of the `chosen` rows to the next, rad.
  double largest_turn(const std::vector<std::size_t>& chosen,
                      const std::vector<std::vector<double>>& turns) const;
  std::array<std::array<double, 3>, 2> find_box() const;  ///< least and greatest coordinates
  /// A length of the mechanism by itself, wherever it goes: the diagonal around `members` at a middle
  /// time, or the largest of `sizes`, or that of the whole motion; 1 when all are zero.
  double find_size(const std::vector<int>& members, const std::vector<double>& sizes) const;
};

/// `count` of them, evenly, first and last included; all when there are no more.
std::vector<std::size_t> thin_rows(const std::vector<std::size_t>& rows, std::size_t count);

/// The angles from each orientation to the next, each below pi, added up: rad since the first.
std::vector<double> sum_turns(const Quaternions& orientations);

/// The quaternion of the rotation with these two axes as first columns.
std::array<double, 4> make_frame_quaternion(const std::array<double, 3>& x,
                                            const std::array<double, 3>& y);
/// The one of q and -q that is nearer.
std::array<double, 4> continue_quaternion(const std::array<double, 4>& before,
                                          std::array<double, 4> q);

}  // namespace visviva
