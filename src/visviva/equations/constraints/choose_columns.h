// Which speeds or coordinates constraint rows determine.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct ChosenColumn {
  int column;
  std::size_t row;  ///< that determines it, after elimination of those chosen before
};

/// Columns that form a regular set, candidates taken in order, by elimination. With rows scaled to
/// 1, a pivot is above the first tolerance; the next one is for what is left after that.
std::vector<ChosenColumn> choose_columns(
    Eigen::MatrixXd rows, const std::vector<int>& candidates, const std::vector<double>& tolerances,
    std::size_t most = std::numeric_limits<std::size_t>::max());

/// Those of 0 to n - 1 that are not among the chosen ones, which ascend.
std::vector<int> complement(const std::vector<int>& chosen, std::size_t n);

/// Adds those of n - 1 to 0 that are not there.
void append_missing(std::size_t n, std::vector<int>* order);

/// Candidates for dependent speeds: those that the model names, then the last declared first.
std::vector<int> order_dependent_speeds(const Kinematics& motion);

}  // namespace visviva
