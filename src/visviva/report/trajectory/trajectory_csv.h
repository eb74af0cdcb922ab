// A trajectory as a CSV file, written sample by sample.
//
//   # s,1,1/s,J            units, one for each column
//   t,theta,theta',E_Z     names, quoted as in RFC 4180 where they hold commas or quotes
//   0,0.5235987755982988,0,-8.48704895708746
// Numbers have the fewest digits that read back to the same double, 17 at most. A model can take
// the file back with table("trajectory.csv", ...).
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "visviva/report/trajectory/flush_clock.h"
#include "visviva/report/trajectory/trajectory_columns.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The file that a run is written to. Every call is false when it could not be written; problem()
/// then says why, and what was written is kept.
class TrajectoryCsv {
 public:
  TrajectoryCsv() = default;
  ~TrajectoryCsv() { close(); }
  TrajectoryCsv(const TrajectoryCsv&) = delete;
  TrajectoryCsv& operator=(const TrajectoryCsv&) = delete;

  /// A file that exists is replaced.
  bool open(const std::string& path, const std::vector<TrajectoryColumn>& columns);
  /// Adds a sample, a value for each column.
  bool write(std::span<const double> values);
  /// Puts rows on disk that have waited for a while; write() does so too.
  bool flush_when_due();
  bool close();

  /// "cannot write 'FILE': REASON"; empty when all is well.
  const std::string& problem() const { return problem_; }

 private:
  bool flush();
  void cut_to_whole_lines(std::size_t count);
  bool fail();

  std::string path_, problem_, buffer_;
  std::size_t column_count_ = 0, written_ = 0;  // bytes
  std::FILE* file_ = nullptr;
  FlushClock clock_;
};

/// "rising", "falling", "touching".
const char* direction_of(const EventRecord& e);

/// The events of a run as a file of the same kind: t, the event's name, its direction ("rising", "falling", "touching"), whether it stopped the run (0 or 1), then the
/// columns of a row. Empty, or what went wrong.
std::string write_events_csv(const std::string& path, const std::vector<EventRecord>& events,
                             const std::vector<TrajectoryColumn>& columns);

/// True for a file that begins as TrajectoryCsv begins one.
bool is_trajectory_csv(const std::string& path);

}  // namespace visviva
