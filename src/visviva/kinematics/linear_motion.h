// Scalars and columns that are linear in the generalized speeds, kept as their coefficients: Kane's
// partial velocities.
//
//   scalar = sum_r coefficient_r u_r + remainder          column = sum_r column_r u_r + remainder
// Only non-zero coefficients are kept, in order of r, so that a long chain costs what its non-zeros
// cost.
#pragma once

#include <utility>
#include <vector>

#include "visviva/symbolic/core/matrix3.h"

namespace visviva {

struct ScalarMotion {
  std::vector<std::pair<int, Expr>> coefficients;
  Expr remainder;
};

/// A vector linear in the speeds, written in `frame`.
struct VectorMotion {
  int frame = 0;
  std::vector<std::pair<int, Column3>> coefficients;
  Column3 remainder;
};

ScalarMotion zero_scalar_motion(ExprPool& pool);
VectorMotion zero_vector_motion(ExprPool& pool, int frame);

void add_to(ScalarMotion& sum, const Expr& factor, const ScalarMotion& term);
/// Adds or subtracts a term, written in the frame of the sum.
void add_to(VectorMotion& sum, const VectorMotion& term);
void subtract_from(VectorMotion& sum, const VectorMotion& term);
/// The vector n s, written in `frame`.
VectorMotion along(const Column3& n, const ScalarMotion& s, int frame);
/// The vector v written in another frame; R turns columns of the present frame into columns of the
/// new one.
VectorMotion rotate(const Matrix3& R, const VectorMotion& v, int frame);
/// The cross product v x c.
VectorMotion cross(const VectorMotion& v, const Column3& c);
/// Three scalars as one vector.
VectorMotion stack(const std::array<ScalarMotion, 3>& components, int frame);
/// The dot product c · v.
ScalarMotion dot(const Column3& c, const VectorMotion& v);

/// How many different columns there are among the coefficients, as far as neighbours show: the work
/// of a rotation.
std::size_t count_distinct(const VectorMotion& v);

/// The value of a motion, with the speeds put in.
Expr total(const ScalarMotion& s, const std::vector<Expr>& speeds);
Column3 total(const VectorMotion& v, const std::vector<Expr>& speeds);
/// The coefficient of speed r; zero when there is none.
Column3 coefficient(const VectorMotion& v, int r);

}  // namespace visviva
