// Checkpoints: states of a run at equal distances in time, for comparing two runs.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace visviva {

struct Checkpoints {
  double from, until;
  std::size_t count;                          ///< number of states that are wanted
  std::vector<std::vector<double>> states{};  ///< those that the run has passed

  double time_of(std::size_t k) const {
    return from + (until - from) * static_cast<double>(k + 1) / static_cast<double>(count);
  }
  /// The time of the next state that is wanted; infinite when all are there.
  double next() const {
    return states.size() < count ? time_of(states.size()) : std::numeric_limits<double>::infinity();
  }
};

}  // namespace visviva
