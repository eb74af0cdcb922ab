// How the values within a step are written, so that they meet both of its ends whatever is rounded.
//
// With theta from 0 to 1 and s = 1 - theta, the weight of stage i is
//   b_i(theta) = theta (b_i + s (d_1i + theta (d_2i + s (d_3i + theta (d_4i + ...))))):         (1)
// Newton's form with the nodes 0, 1, 0, 1, ..., in which Hairer, Norsett and Wanner's programs
// write theirs. Its coefficients are far smaller than those by powers of theta, which cancel.
#pragma once

#include <array>

namespace visviva {

template <int rows, int columns>
using RowsOf = std::array<std::array<long double, columns>, rows>;

/// d_m of (1), row m - 1: d_1 and d_2 make Hermite's cubic from values and rates at both ends, the
/// others are given.
template <int stages, int more>
constexpr RowsOf<more + 2, stages> with_hermite_cubic(const long double (&b)[stages], int end_stage,
                                                      const long double (&rest)[more][stages]) {
  RowsOf<more + 2, stages> terms{};
  for (int i = 0; i < stages; ++i) {
    terms[0][i] = (i == 0 ? 1.0L : 0.0L) - b[i];
    terms[1][i] = b[i] - (i == end_stage ? 1.0L : 0.0L) - terms[0][i];
    for (int m = 0; m < more; ++m) terms[m + 2][i] = rest[m][i];
  }
  return terms;
}

}  // namespace visviva
