// A motion from a CSV file: a column of times and columns of coordinates, in SI units.
//
// The file is read as tables are (csv.h). Its first column is "t" or "time"; columns called as coordinates are
// theirs, all others are left out, so that the trajectory of a run is such a file.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/model/model_data.h"

namespace visviva {

struct MotionColumn {
  std::string coordinate;
  std::vector<double> values;
};

struct MotionFile {
  std::vector<double> times;
  std::vector<MotionColumn> columns;  ///< in the order of the file
  std::vector<std::string> others;    ///< names of columns that are no coordinates
  std::vector<Diagnostic> problems;   ///< without a place in the model: messages name the file

  bool ok() const { return problems.empty(); }
};

/// The motion of a model's coordinates, or what is wrong with the file: never both.
MotionFile read_motion_file(const std::string& path, const ModelData& model);

}  // namespace visviva
