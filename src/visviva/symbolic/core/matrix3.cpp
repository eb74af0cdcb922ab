#include "visviva/symbolic/core/matrix3.h"

#include "visviva/symbolic/core/pool.h"

namespace visviva {

Column3 zero_column(ExprPool& pool) { return {pool.zero(), pool.zero(), pool.zero()}; }

Matrix3 zero_matrix(ExprPool& pool) {
  return {zero_column(pool), zero_column(pool), zero_column(pool)};
}

Matrix3 identity_matrix(ExprPool& pool) {
  Matrix3 m = zero_matrix(pool);
  for (std::size_t i = 0; i < 3; ++i) m[i][i] = pool.one();
  return m;
}

bool is_zero(const Column3& a) { return a[0].is_zero() && a[1].is_zero() && a[2].is_zero(); }

Column3 operator+(const Column3& a, const Column3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Column3 operator-(const Column3& a, const Column3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Column3 operator-(const Column3& a) { return {-a[0], -a[1], -a[2]}; }
Column3 operator*(const Expr& s, const Column3& a) { return {s * a[0], s * a[1], s * a[2]}; }

Expr dot(const Column3& a, const Column3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Column3 cross(const Column3& a, const Column3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Column3 operator*(const Matrix3& m, const Column3& a) {
  return {dot(m[0], a), dot(m[1], a), dot(m[2], a)};
}

Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  const Matrix3 columns = transpose(b);
  Matrix3 m;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m[i][j] = dot(a[i], columns[j]);
  }
  return m;
}

Matrix3 operator+(const Matrix3& a, const Matrix3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Matrix3 operator*(const Expr& s, const Matrix3& a) { return {s * a[0], s * a[1], s * a[2]}; }

Matrix3 transpose(const Matrix3& m) {
  Matrix3 t;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) t[j][i] = m[i][j];
  }
  return t;
}

Matrix3 cross_matrix(const Column3& a) {
  const Expr zero = a[0].pool().zero();
  return {Column3{zero, -a[2], a[1]}, Column3{a[2], zero, -a[0]}, Column3{-a[1], a[0], zero}};
}

Matrix3 outer(const Column3& a, const Column3& b) { return {a[0] * b, a[1] * b, a[2] * b}; }

}  // namespace visviva
