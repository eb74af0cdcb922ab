#include "visviva/numeric/choose_columns.h"

#include <algorithm>
#include <cmath>

namespace visviva {
namespace {

using Eigen::Index;

}  // namespace

std::vector<ChosenColumn> choose_columns(Eigen::MatrixXd rows, const std::vector<int>& candidates,
                                         const std::vector<double>& tolerances, std::size_t most) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double largest = rows.cols() == 0 ? 0.0 : rows.row(i).cwiseAbs().maxCoeff();
    if (largest > 0) rows.row(i) /= largest;
  }
  std::vector<ChosenColumn> chosen;
  std::vector<bool> is_row_used(rows.rows(), false), is_chosen(rows.cols(), false);
  for (const double tolerance : tolerances) {
    for (const int c : candidates) {
      if (chosen.size() == most) return chosen;
      if (is_chosen[c]) continue;
      // The largest entry of that column in a row that is free.
      Index pivot = -1;
      for (Index i = 0; i < rows.rows(); ++i) {
        if (!is_row_used[i] && (pivot < 0 || std::abs(rows(i, c)) > std::abs(rows(pivot, c))))
          pivot = i;
      }
      if (pivot < 0 || !(std::abs(rows(pivot, c)) > tolerance)) continue;
      is_row_used[pivot] = is_chosen[c] = true;
      for (Index i = 0; i < rows.rows(); ++i) {
        if (!is_row_used[i]) rows.row(i) -= rows(i, c) / rows(pivot, c) * rows.row(pivot);
      }
      chosen.push_back({c, static_cast<std::size_t>(pivot)});
    }
  }
  return chosen;
}

std::vector<int> complement(const std::vector<int>& chosen, std::size_t n) {
  std::vector<int> rest;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    if (!std::binary_search(chosen.begin(), chosen.end(), i)) rest.push_back(i);
  }
  return rest;
}

void append_missing(std::size_t n, std::vector<int>* order) {
  for (int c = static_cast<int>(n); c-- > 0;) {
    if (std::find(order->begin(), order->end(), c) == order->end()) order->push_back(c);
  }
}

}  // namespace visviva
