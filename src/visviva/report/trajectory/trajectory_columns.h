// The columns of a trajectory with their units, as files and tables name them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct TrajectoryColumn {
  std::string name;
  std::string unit;  ///< SI, as print_dimension() writes it; "1" for a pure number
};

/// The columns with units from the model's dimensions; names are those of Trajectory::columns or of
/// states.
std::vector<TrajectoryColumn> make_trajectory_columns(const std::vector<std::string>& names,
                                                      const Kinematics& motion);

/// Throws a UsageError of `function` unless a sample has a value for each column.
void require_whole_sample(std::span<const double> values, std::size_t column_count,
                          const char* function);

}  // namespace visviva
