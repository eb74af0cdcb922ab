// QuietWatcher: for runs that come before the one asked for. They give no samples, but can be stopped.
#pragma once

#include <string>

#include "visviva/simulation/run/run_watcher.h"

namespace visviva {

/// Passes progress on to another watcher, and nothing else.
class QuietWatcher : public RunWatcher {
 public:
  /// `watcher` may be null, and must outlive this one.
  explicit QuietWatcher(RunWatcher* watcher) : watcher_(watcher) {}

  bool take_progress(const Progress& progress) override {
    return watcher_ == nullptr || watcher_->take_progress(progress);
  }
  std::string reason() const override {
    return watcher_ == nullptr ? RunWatcher::reason() : watcher_->reason();
  }

 private:
  RunWatcher* watcher_;
};

}  // namespace visviva
