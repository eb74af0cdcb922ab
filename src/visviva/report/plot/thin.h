// Thinning: which samples of a series a picture needs, so that no extreme is lost.
#pragma once

#include <cstddef>
#include <vector>

namespace visviva {

/// Places in `values`, ascending, at most `most` of them (4 at least), and all when there are no
/// more. The samples are divided into buckets of equal length; of each its first, last, smallest and
/// largest finite value stay, the four that decide how a polyline looks. A value that is not
/// finite stays where a run of such begins, so that a gap stays a gap.
std::vector<std::size_t> thin(const std::vector<double>& values, std::size_t most);

/// The same for a curve in a plane whose points are (x, y): by Douglas and Peucker, so that no point is farther from
/// the polyline than a part of the curve's extents, the smallest part that leaves at most `most` of them (or nearly).
std::vector<std::size_t> thin_curve(const std::vector<double>& x, const std::vector<double>& y,
                                    std::size_t most);

}  // namespace visviva
