// FlushClock: when rows that wait in memory are to go to disk, so that a process that dies loses little.
#pragma once

#include <algorithm>
#include <chrono>

namespace visviva {

/// Due a twentieth of a second after the beginning, then after longer and longer times until it is half a second; later where flushing is slow, so that it takes a twentieth of the time at most.
class FlushClock {
 public:
  bool is_due() const { return Clock::now() >= next_; }

  /// Flushes, and measures how long that takes.
  template <typename Flush>
  auto measure(Flush&& flush) {
    const Clock::time_point begin = Clock::now();
    auto result = flush();
    const Clock::time_point end = Clock::now();
    interval_ = std::min<Clock::duration>(2 * interval_, longest);
    next_ = end + std::max<Clock::duration>(interval_, 20 * (end - begin));
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds first{50}, longest{500};
  Clock::duration interval_ = first;
  Clock::time_point next_ = Clock::now() + first;
};

}  // namespace visviva
