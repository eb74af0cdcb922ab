// Columns and 3x3 matrices of expressions: what rotations and vectors are computed with.
#pragma once

#include <array>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

using Column3 = std::array<Expr, 3>;
using Matrix3 = std::array<Column3, 3>;  // rows

Column3 zero_column(ExprPool& pool);
Matrix3 identity_matrix(ExprPool& pool);
Matrix3 zero_matrix(ExprPool& pool);

bool is_zero(const Column3& a);
Column3 operator+(const Column3& a, const Column3& b);
Column3 operator-(const Column3& a, const Column3& b);
Column3 operator-(const Column3& a);
Column3 operator*(const Expr& s, const Column3& a);
Expr dot(const Column3& a, const Column3& b);
Column3 cross(const Column3& a, const Column3& b);

Column3 operator*(const Matrix3& m, const Column3& a);
Matrix3 operator*(const Matrix3& a, const Matrix3& b);
Matrix3 operator+(const Matrix3& a, const Matrix3& b);
Matrix3 operator*(const Expr& s, const Matrix3& a);
Matrix3 transpose(const Matrix3& m);
/// [a]x, with [a]x b = a x b.
Matrix3 cross_matrix(const Column3& a);
Matrix3 outer(const Column3& a, const Column3& b);

}  // namespace visviva
