#include "visviva/simulation/trajectory.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/base/suggest.h"

namespace visviva {

const char* name_of(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::certificate_failed:
      return "certificate failed";
    case RunStatus::refused:
      return "refused";
    case RunStatus::stopped:
      return "stopped";
  }
  return "";
}

const std::vector<double>& Trajectory::operator[](const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) {
    const std::string nearest = did_you_mean(column, columns);
    throw UsageError("Trajectory", "there is no column '" + column + "'" +
                                       (nearest.empty() ? "" : "; " + nearest));
  }
  if (samples.empty()) throw UsageError("Trajectory", "samples were not kept");
  return samples[static_cast<std::size_t>(found - columns.begin())];
}

}  // namespace visviva
