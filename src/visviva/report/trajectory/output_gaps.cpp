#include "visviva/report/trajectory/output_gaps.h"

#include <fmt/format.h>

#include <algorithm>

namespace visviva {
namespace {

// True for an output and for a component of it.
bool belongs_to(const std::string& column, const OutputData& output) {
  if (!output.is_vector) return column == output.name;
  return column.size() == output.name.size() + 2 && column.starts_with(output.name) &&
         column[output.name.size()] == '.';
}

}  // namespace

std::vector<OutputGap> list_output_gaps(const Trajectory& run, const ModelData& model) {
  std::vector<OutputGap> all;
  for (const OutputData& output : model.outputs) {
    const auto is_same = [&](const OutputGap& gap) { return gap.name == output.name; };
    if (std::any_of(all.begin(), all.end(), is_same)) continue;
    OutputGap whole{output.name};
    for (const OutputGap& gap : run.gaps) {
      if (!belongs_to(gap.name, output)) continue;
      whole.first = whole.rows == 0 ? gap.first : std::min(whole.first, gap.first);
      whole.rows = std::max(whole.rows, gap.rows);
    }
    if (whole.rows > 0) all.push_back(std::move(whole));
  }
  return all;
}

std::vector<std::string> list_gap_words(const Trajectory& run, const ModelData& model) {
  std::vector<std::string> words;
  for (const OutputGap& gap : list_output_gaps(run, model))
    words.push_back(write_gap(gap.name, fmt::format("in {} of {} rows, first at t = {:.6g} s",
                                                    gap.rows, run.rows, gap.first)) +
                    " The files have nan or inf in its place.");
  return words;
}

std::string write_gap(const std::string& output, const std::string& place) {
  return fmt::format(
      "The output '{}' has no finite value {}: it is not determined there, or divided by zero.",
      output, place);
}

}  // namespace visviva
