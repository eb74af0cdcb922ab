// --along FILE: the coordinates of a model follow a motion from a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/app/cli/commands.h"
#include "visviva/equations/equations.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/study/plan_motion.h"
#include "visviva/text/build/read_motion.h"

namespace visviva {

/// A file with what its columns became. The model's t = 0 is its first row.
struct FollowedFile {
  std::string path;
  MotionFile motion;
  MotionPlan plan;

  double from() const { return motion.times.front(); }
  /// The times of its rows, counted from the first.
  std::vector<double> model_times() const;
};

/// Makes the model of these options follow a file. Problems of the file, or of the model with it; nothing is
/// followed then. Where the model is wrong by itself nothing is said: whoever reads it next does.
std::vector<Diagnostic> follow_file(const std::string& path, CommandOptions* options,
                                    FollowedFile* followed);

/// A run from its first row to its last, or to `until` where that is earlier, with its rows unless `every` says
/// otherwise.
void follow_times(const FollowedFile& followed, const RunTexts& given, RunOptions* run);

/// ModelError where the model's own functions of time leave open which time the file's first row is.
void require_own_time(const FollowedFile& followed, const Equations& equations);

/// What happens to coordinates besides being driven, in words; empty when there is nothing to say.
std::vector<std::string> list_plan_remarks(const FollowedFile& followed);

}  // namespace visviva
