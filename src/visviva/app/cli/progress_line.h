// One line on a terminal that says how far a run has come, rewritten in place.
#pragma once

#include <chrono>
#include <ostream>

#include "visviva/simulation/run/run_watcher.h"

namespace visviva {

class ProgressLine {
 public:
  /// Shows nothing when `err` is null; nothing in the first two seconds in any case.
  explicit ProgressLine(std::ostream* err) : err_(err) {}
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream* err_;
  Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::seconds(2);
  bool is_shown_ = false;
};

}  // namespace visviva
