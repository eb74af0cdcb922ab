#include "visviva/equations/methods/quadratic_form.h"

#include <algorithm>

#include "visviva/base/sequence.h"

namespace visviva {
namespace {

bool is_sign(const Expr& x) { return x.is_zero() || x.is_one() || (-x).is_one(); }

// The products that turn blocks.
struct HalfTurn {
  Expr ss, cs;
};

// (2).
void turn_block(Matrix3* block, const AxisTurn& t, const HalfTurn& by) {
  Matrix3& B = *block;
  const auto [i, j, k] = std::array{t.i, t.j, t.axis};
  const Expr A = B[i][i] - B[j][j], C = B[i][j] + B[j][i];
  const Expr d = by.ss * A + by.cs * C, e = by.cs * A - by.ss * C;
  B[i][i] -= d;
  B[j][j] += d;
  B[i][j] += e;
  B[j][i] += e;
  const Expr right = t.c * B[i][k] - t.s * B[j][k], below = t.c * B[k][i] - t.s * B[k][j];
  B[j][k] = t.s * B[i][k] + t.c * B[j][k];
  B[k][j] = t.s * B[k][i] + t.c * B[k][j];
  B[i][k] = right;
  B[k][i] = below;
}

// R' of a column.
Column3 turn_back(const Column3& b, const AxisTurn& t) {
  Column3 result = b;
  result[t.i] = t.c * b[t.i] - t.s * b[t.j];
  result[t.j] = t.s * b[t.i] + t.c * b[t.j];
  return result;
}

}  // namespace

std::optional<AxisTurn> find_axis_turn(const Matrix3& R) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (!R[k][k].is_one() || !R[i][k].is_zero() || !R[j][k].is_zero() || !R[k][i].is_zero() ||
        !R[k][j].is_zero())
      continue;
    const Expr &c = R[i][i], &s = R[i][j];
    if (c == R[j][j] && s == -R[j][i] && (c * c + s * s).is_one()) return AxisTurn{i, j, k, c, s};
  }
  return {};
}

bool is_signed_permutation(const Matrix3& R) {
  return std::all_of(R.begin(), R.end(), [](const Column3& row) {
    return std::all_of(row.begin(), row.end(), is_sign);
  });
}

int QuadraticForm::add_variable(bool moves) {
  rows_.emplace_back();
  linear_.push_back(pool_.zero());
  moves_.push_back(moves);
  return to_int(rows_.size()) - 1;
}

Expr QuadraticForm::entry(int x, int y) const {
  const auto found = row(x).find(y);
  return found == row(x).end() ? pool_.zero() : found->second;
}

void QuadraticForm::add(int x, int y, const Expr& value) {
  if (value.is_zero() || !moves(x) || !moves(y)) return;
  add_to(x, y, value);
  if (x != y) add_to(y, x, value);
}

void QuadraticForm::add_linear(int x, const Expr& value) {
  if (moves(x)) linear_[index(x)] += value;
}

void QuadraticForm::add_to(int x, int y, const Expr& value) {
  std::map<int, Expr>& row = rows_[index(x)];
  const auto [place, is_new] = row.try_emplace(y, value);
  if (is_new) return;
  place->second += value;
  if (place->second.is_zero()) row.erase(place);
}

void QuadraticForm::remove(int x) {
  for (const auto& [y, value] : row(x))
    if (y != x) rows_[index(y)].erase(x);
  rows_[index(x)].clear();
}

// What an entry gains by x y: a square is met once, where other products are met twice.
void QuadraticForm::gain(Gains* gains, int x, int y, const Expr& value) const {
  if (value.is_zero()) return;
  const auto [at, is_new] = gains->try_emplace({std::min(x, y), std::max(x, y)}, value);
  if (!is_new) at->second += value;
}

void QuadraticForm::replace(int v, const std::map<int, Column3>& columns) {
  std::map<int, Column3> before, sums;  // H_vx and N
  for (const auto& [x, T] : columns) {
    Column3 h = zero_column(pool_);
    for (int i = 0; i < 3; ++i) h[index(i)] = entry(v + i, x);
    before.emplace(x, h);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (!T[index(j)].is_zero()) h[index(i)] += entry(v + i, v + j) * T[index(j)];
    sums.emplace(x, h);
  }
  Gains gains;
  for (auto a = columns.begin(); a != columns.end(); ++a) {
    gain(&gains, a->first, a->first, dot(a->second, sums.at(a->first) + before.at(a->first)));
    for (auto b = std::next(a); b != columns.end(); ++b)
      gain(&gains, a->first, b->first,
           dot(a->second, sums.at(b->first)) + dot(before.at(a->first), b->second));
  }
  for (int i = 0; i < 3; ++i)
    for (const auto& [y, h] : row(v + i)) {
      if ((v <= y && y < v + 3) || columns.contains(y)) continue;
      for (const auto& [x, T] : columns) gain(&gains, x, y, T[index(i)] * h);
    }
  for (const auto& [x, T] : columns)
    for (int i = 0; i < 3; ++i) add_linear(x, T[index(i)] * linear(v + i));
  for (int i = 0; i < 3; ++i) remove(v + i);
  for (const auto& [place, value] : gains) add(place.first, place.second, value);
}

void QuadraticForm::turn(const std::vector<std::pair<int, int>>& vectors, const AxisTurn& by) {
  const HalfTurn half{by.s * by.s, by.c * by.s};
  Gains gains;
  const auto holds = [&](int y) {
    return std::any_of(vectors.begin(), vectors.end(),
                       [&](const auto& a) { return a.first <= y && y < a.first + 3; });
  };
  for (std::size_t a = 0; a < vectors.size(); ++a) {
    const auto [v, x] = vectors[a];
    for (std::size_t b = a; b < vectors.size(); ++b) {
      const auto [v2, x2] = vectors[b];
      Matrix3 block = zero_matrix(pool_);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block[index(i)][index(j)] = entry(v + i, v2 + j);
      turn_block(&block, by, half);
      for (int i = 0; i < 3; ++i)
        for (int j = a == b ? i : 0; j < 3; ++j)
          gain(&gains, x + i, x2 + j, block[index(i)][index(j)]);
    }
    std::map<int, Column3> outside;
    for (int i = 0; i < 3; ++i)
      for (const auto& [y, h] : row(v + i))
        if (!holds(y)) outside.try_emplace(y, zero_column(pool_)).first->second[index(i)] = h;
    for (const auto& [y, h] : outside) {
      const Column3 turned = turn_back(h, by);
      for (int i = 0; i < 3; ++i)
        gain(&gains, x + i, y, x + i == y ? turned[index(i)] + turned[index(i)] : turned[index(i)]);
    }
    const Column3 load = turn_back({linear(v), linear(v + 1), linear(v + 2)}, by);
    for (int i = 0; i < 3; ++i) add_linear(x + i, load[index(i)]);
  }
  for (const auto& [v, x] : vectors)
    for (int i = 0; i < 3; ++i) remove(v + i);
  for (const auto& [place, value] : gains) add(place.first, place.second, value);
}

}  // namespace visviva
