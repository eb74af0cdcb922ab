// Ending: how a run ended; StepOutcome: what one step did to the run.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "visviva/simulation/run/run_watcher.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

struct Ending {
  RunStatus status = RunStatus::done;
  Refusal refusal = Refusal::none;
  RunReason reason{};

  /// Whether the run went on to its last time, and no event ended it.
  bool is_at_end() const { return status == RunStatus::done && is_empty(reason); }
};

inline Ending refuse(Refusal refusal, RunReason reason) {
  return {RunStatus::refused, refusal, std::move(reason)};
}
inline Ending stop_at_event(std::string event) {
  return {RunStatus::done, Refusal::none, reason::StoppedByEvent{std::move(event)}};
}
inline Ending stop_for(const RunWatcher& watcher) {
  return {RunStatus::stopped, Refusal::interrupted, reason::StoppedByWatcher{watcher.reason()}};
}

/// The run goes on, with another step or another attempt at the same.
struct GoesOn {};
/// No step stays within the energy tolerance: the whole run may be tried anew.
struct Stuck {};
using StepOutcome = std::variant<GoesOn, Stuck, Ending>;

}  // namespace visviva
