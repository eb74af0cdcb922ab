#include "visviva/app/cli/follow_file.h"

#include <algorithm>
#include <cmath>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/quantity_option.h"
#include "visviva/base/words.h"
#include "visviva/equations/energy/time_symbols.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr std::size_t most_names = 12;

// A curve through a column, over the model's time.
std::shared_ptr<const Spline> make_curve(const MotionFile& motion, const MotionColumn& column) {
  std::vector<double> times = motion.times;
  for (double& t : times) t -= motion.times.front();
  return std::make_shared<const Spline>(std::move(times), column.values);
}

std::vector<std::string> names_of(const MotionFile& motion) {
  std::vector<std::string> names;
  for (const MotionColumn& column : motion.columns) names.push_back(column.coordinate);
  return names;
}

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The curves of all columns; those of `driven` are followed.
std::vector<ReadOptions::Followed> list_curves(const MotionFile& motion,
                                               const std::vector<std::string>& driven) {
  std::vector<ReadOptions::Followed> all;
  for (const MotionColumn& column : motion.columns)
    all.push_back(
        {column.coordinate, make_curve(motion, column), is_among(column.coordinate, driven)});
  return all;
}

}  // namespace

std::vector<double> FollowedFile::model_times() const {
  std::vector<double> times = motion.times;
  for (double& t : times) t -= motion.times.front();
  return times;
}

std::vector<Diagnostic> follow_file(const std::string& path, CommandOptions* options,
                                    FollowedFile* followed) {
  const CheckedModel plain = check_file(options->model, options->read, options->check);
  if (plain.has_error() || !plain.motion) return {};
  followed->path = path;
  followed->motion = read_motion_file(path, plain.motion->model());
  if (!followed->motion.ok()) return followed->motion.problems;
  ReadOptions near = options->read;
  try {
    near.followed = list_curves(followed->motion, {});
    near.follows_all = true;
    const CheckedModel begun = check_file(options->model, near, options->check);
    const CheckedModel& at = begun.has_error() || !begun.motion ? plain : begun;
    followed->plan = plan_motion(*at.motion, at.start, names_of(followed->motion));
    options->read.followed = list_curves(followed->motion, followed->plan.driven);
  } catch (const UsageError& refusal) {
    return {{Severity::error, "E-table-values", path + ": " + refusal.problem(), "", {}}};
  }
  options->read.follows_all = followed->plan.free_count == 0;
  options->shows_start = false;
  if (!followed->plan.driven.empty()) return {};
  return {{Severity::error,
           "E-along-nothing",
           "the constraints of the model leave nothing to follow in " + path + ": " +
               list_some_words(followed->plan.determined, most_names) +
               (followed->plan.determined.size() == 1 ? " is" : " are") + " determined already",
           "unlock what is to move, or leave out what is specified",
           {}}};
}

void follow_times(const FollowedFile& followed, const RunTexts& given, RunOptions* run) {
  run->from = 0;
  const std::vector<double> times = followed.model_times();
  run->until = given.until ? std::min(run->until, times.back()) : times.back();
  if (given.every) return;
  run->every.reset();
  run->times = times;
}

void require_own_time(const FollowedFile& followed, const Equations& equations) {
  if (followed.from() == 0) return;
  const Workspace work(equations.pool());
  const Kinematics& motion = equations.motion;
  const TimeSymbols time(motion);
  std::vector<std::string> names;
  const auto look = [&](const Expr& e) {
    for (const std::string& name : time.names_in(e)) {
      const auto& all = motion.model().specified;
      const bool is_drive = std::any_of(all.begin(), all.end(), [&](const SpecifiedData& s) {
        return s.name == name && !s.drives.empty();
      });
      if (!is_drive && !is_among(name, names)) names.push_back(name);
    }
  };
  for (const Expr& f : equations.forcing) look(f);
  for (const auto& row : equations.mass_matrix)
    for (const Expr& m : row) look(m);
  for (const Expr& b : equations.row_forcing) look(b);
  for (const StateData& s : motion.model().states) look(s.law);
  if (names.empty()) return;
  throw ModelError({{Severity::error,
                     "E-along-time",
                     followed.path + " begins at t = " + number_text(followed.from()) +
                         " s, and the model depends on time by itself, by " + list_words(names) +
                         ": which of its times the first row is cannot be told",
                     "let the file begin at t = 0",
                     {}}});
}

std::vector<std::string> list_plan_remarks(const FollowedFile& followed) {
  const MotionPlan& plan = followed.plan;
  std::vector<std::string> remarks;
  if (followed.from() != 0)
    remarks.push_back(followed.path + " begins at t = " + number_text(followed.from()) +
                      " s: that is t = 0 of the model");
  if (plan.free_count > 0)
    remarks.push_back(counted(static_cast<std::size_t>(plan.free_count), "degree") +
                      " of freedom " + (plan.free_count == 1 ? "is" : "are") + " not in " +
                      followed.path + ", and " + (plan.free_count == 1 ? "moves" : "move") +
                      " as forces make it");
  return remarks;
}

}  // namespace visviva
