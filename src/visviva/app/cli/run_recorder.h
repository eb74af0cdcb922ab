// RunRecorder: what `simulate` does while a run goes on: it writes the files, shows progress and
// listens for Ctrl-C.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "visviva/app/cli/output_file.h"
#include "visviva/app/cli/progress_line.h"
#include "visviva/report/trajectory/trajectory_csv.h"
#include "visviva/report/trajectory/trajectory_h5.h"
#include "visviva/simulation/run/run_watcher.h"

namespace visviva {

class RunRecorder : public RunWatcher {
 public:
  /// The folder is made when the run begins, and kept from other runs until the end of this one. Progress goes to `err` unless that is null.
  RunRecorder(std::filesystem::path folder, const Kinematics& motion, TrajectoryOrigin origin,
              std::ostream* err);

  void begin(const std::vector<std::string>& columns) override;
  bool take_sample(std::span<const double> values) override;
  bool take_progress(const Progress& progress) override;
  std::string reason() const override;

  /// The last `count` columns are not written to the files: they are for plots alone.
  void hide_last(std::size_t count) { hidden_ = count; }
  /// Adds to files() a file that somebody else has written.
  void add_file(const std::string& path) { files_.push_back(path); }
  /// Closes the files; false when something could not be written, now or before.
  bool finish(const TrajectoryOutcome& outcome);

  /// "cannot write 'FILE': REASON", or why there is no folder; empty when all is well.
  std::string problem() const;
  bool could_begin() const { return could_begin_; }
  /// The files that were made.
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<TrajectoryColumn>& columns() const { return columns_; }
  std::size_t sample_count() const { return sample_count_; }

 private:
  bool make_folder();
  bool write_events(const std::vector<EventRecord>& events);
  bool is_flushed();

  const Kinematics& motion_;
  TrajectoryOrigin origin_;
  std::size_t hidden_ = 0;
  std::filesystem::path folder_;
  FileClaim claim_;  // of the CSV file, for the whole folder
  TrajectoryCsv csv_;
  TrajectoryH5 h5_;
  ProgressLine progress_;
  std::vector<TrajectoryColumn> columns_;
  std::vector<std::string> files_;
  std::string folder_problem_;
  std::size_t sample_count_ = 0;
  bool could_begin_ = true;
};

}  // namespace visviva
