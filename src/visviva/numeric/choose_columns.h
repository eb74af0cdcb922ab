// Columns of a matrix that form a regular set: which speeds or coordinates constraint rows determine.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

namespace visviva {

/// A column that a row determines.
struct ChosenColumn {
  int column;
  std::size_t row;  ///< the row that determines it, after elimination of the columns chosen before
};

/// Columns that form a regular set, candidates taken in order, by elimination. With rows scaled to
/// 1, a pivot is above the first tolerance; the next one is for what is left after that.
std::vector<ChosenColumn> choose_columns(
    Eigen::MatrixXd rows, const std::vector<int>& candidates, const std::vector<double>& tolerances,
    std::size_t most = std::numeric_limits<std::size_t>::max());

/// The numbers of 0 to n - 1 that are not among the chosen ones, which ascend.
std::vector<int> complement(const std::vector<int>& chosen, std::size_t n);

/// Adds the numbers of n - 1 to 0 that are not in `order`.
void append_missing(std::size_t n, std::vector<int>* order);

}  // namespace visviva
