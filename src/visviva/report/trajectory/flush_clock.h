// FlushClock: when rows that wait in memory are to go to disk, so that a process that dies loses little.
#pragma once

#include <algorithm>
#include <chrono>

namespace visviva {

/// Due half a second after the last flush; later where flushing is slow, so that it takes a twentieth of the time at most.
class FlushClock {
 public:
  bool is_due() const { return Clock::now() >= next_; }

  /// Flushes, and measures how long that takes.
  template <typename Flush>
  auto measure(Flush&& flush) {
    const Clock::time_point begin = Clock::now();
    auto result = flush();
    const Clock::time_point end = Clock::now();
    next_ = end + std::max<Clock::duration>(interval, 20 * (end - begin));
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{500};
  Clock::time_point next_ = Clock::now() + interval;
};

}  // namespace visviva
