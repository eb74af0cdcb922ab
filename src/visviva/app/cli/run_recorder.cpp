#include "visviva/app/cli/run_recorder.h"

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "visviva/app/cli/interruption.h"

namespace visviva {

RunRecorder::RunRecorder(std::filesystem::path folder, const Kinematics& motion,
                         TrajectoryOrigin origin, std::ostream* err)
    : motion_(motion), origin_(std::move(origin)), folder_(std::move(folder)), progress_(err) {}

// A run that begins again starts its files anew.
void RunRecorder::begin(const std::vector<std::string>& names) {
  const auto end = names.end() - static_cast<std::ptrdiff_t>(std::min(hidden_, names.size()));
  columns_ = make_trajectory_columns({names.begin(), end}, motion_);
  files_.clear();
  sample_count_ = 0;
  const std::string csv = (folder_ / "trajectory.csv").string();
  const std::string h5 = (folder_ / "trajectory.h5").string();
  // Nothing is emptied before all of it is ours. HDF5 refuses a file that somebody reads.
  could_begin_ = make_folder() && (claim_.is_held() || claim_.take(csv)) &&
                 h5_.open(h5, columns_, origin_) && csv_.open(csv, columns_);
  if (could_begin_) files_ = {csv, h5};
}

bool RunRecorder::make_folder() {
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  if (problem)
    folder_problem_ = "cannot make the folder '" + folder_.string() + "': " + problem.message();
  return !problem;
}

bool RunRecorder::take_sample(std::span<const double> values) {
  const std::span written(values.data(), values.size() - hidden_);
  const bool in_csv = could_begin_ && csv_.write(written);
  const bool in_h5 = could_begin_ && h5_.write(written);
  if (in_csv && in_h5) ++sample_count_;
  return in_csv && in_h5 && !Interruption::is_requested();
}

bool RunRecorder::take_progress(const Progress& progress) {
  progress_.show(progress);
  return could_begin_ && is_flushed() && !Interruption::is_requested();
}

// Rows that came a while ago are on disk, whatever becomes of the process.
bool RunRecorder::is_flushed() {
  const bool in_csv = csv_.flush_when_due(), in_h5 = h5_.flush_when_due();
  return in_csv && in_h5;
}

std::string RunRecorder::reason() const { return problem(); }

std::string RunRecorder::problem() const {
  if (!folder_problem_.empty()) return folder_problem_;
  if (!claim_.problem().empty()) return claim_.problem();
  return csv_.problem().empty() ? h5_.problem() : csv_.problem();
}

bool RunRecorder::finish(const TrajectoryOutcome& outcome) {
  progress_.erase();
  const bool in_csv = csv_.close();
  // The file says what became of the run, and that may be a failure of the other file.
  TrajectoryOutcome last = outcome;
  if (!in_csv && last.status == "done")
    last = {"stopped", csv_.problem(), outcome.certificate, outcome.events};
  const bool are_events_written = write_events(outcome.events);
  return h5_.close(last) && in_csv && are_events_written;
}

// A file of events that an earlier run left here would not be of this one.
bool RunRecorder::write_events(const std::vector<EventRecord>& events) {
  const std::string path = (folder_ / "events.csv").string();
  if (!could_begin_) return true;
  if (motion_.model().events.empty()) {
    std::error_code ignored;
    if (is_trajectory_csv(path)) std::filesystem::remove(path, ignored);
    return true;
  }
  const std::string problem = write_events_csv(path, events, columns_);
  if (problem.empty()) files_.push_back(path);
  if (!problem.empty()) folder_problem_ = "cannot write '" + path + "': " + problem;
  return problem.empty();
}

}  // namespace visviva
