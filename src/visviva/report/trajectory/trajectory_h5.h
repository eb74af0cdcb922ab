// A trajectory as an HDF5 file, written sample by sample: one dataset a column.
//
//   /t, /theta, ...  doubles; attributes `unit` and `name`. "/" in a name becomes "|", since HDF5
//                    takes it for a group; `name` is the true one.
//   /                attributes `columns` (true names in order), `model`, `model_name`, `version`,
//                    `command`, `status`, `reason`, `certificate` (JSON).
//   /events          a group, where events were seen: /events/event their names, rising, touching and stop 0 or 1, and
//                    a dataset for each column with its value then.
// A file on a full disk would be unreadable, so room for the next block and for the end is set
// aside before a block is written; when there is none, the file is closed while it can be.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "visviva/report/trajectory/trajectory_columns.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The model, program and command that a run comes from.
struct TrajectoryOrigin {
  std::string model_name, model_text, version, command;
};

/// The end of a run, as the file says it.
struct TrajectoryOutcome {
  std::string status, reason;
  std::string certificate;  ///< JSON
  std::vector<EventRecord> events{};
};

/// The file that a run is written to. Every call is false when it could not be written; problem()
/// then says why, and what was written is kept. The error stack of HDF5 is never printed.
class TrajectoryH5 {
 public:
  TrajectoryH5();
  ~TrajectoryH5();  ///< closes without an outcome

  /// A file that exists is replaced, unless somebody has it open: it is left as it is then.
  bool open(const std::string& path, const std::vector<TrajectoryColumn>& columns,
            const TrajectoryOrigin& origin);
  /// Adds a sample, a value for each column.
  bool write(std::span<const double> values);
  /// Puts rows on disk that have waited for a while; write() does so too.
  bool flush_when_due();
  bool close(const TrajectoryOutcome& outcome);

  /// "cannot write 'FILE': REASON"; empty when all is well.
  const std::string& problem() const;

 private:
  class File;
  bool take(const std::string& problem);

  std::unique_ptr<File> file_;
  std::string problem_;
};

/// True for a file that TrajectoryH5 has made.
bool is_trajectory_h5(const std::string& path);

}  // namespace visviva
