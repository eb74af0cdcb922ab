#include "visviva/kinematics/linear_motion.h"

#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

// sum + sign * term, both sorted by speed; entries that cancel are dropped.
void merge(VectorMotion& sum, const VectorMotion& term, bool negative) {
  std::vector<std::pair<int, Column3>> merged;
  merged.reserve(sum.coefficients.size() + term.coefficients.size());
  auto a = sum.coefficients.begin();
  auto b = term.coefficients.begin();
  while (a != sum.coefficients.end() || b != term.coefficients.end()) {
    if (b == term.coefficients.end() || (a != sum.coefficients.end() && a->first < b->first)) {
      merged.push_back(*a++);
    } else if (a == sum.coefficients.end() || b->first < a->first) {
      merged.emplace_back(b->first, negative ? -b->second : b->second);
      ++b;
    } else {
      const Column3 c = negative ? a->second - b->second : a->second + b->second;
      if (!is_zero(c)) merged.emplace_back(a->first, c);
      ++a;
      ++b;
    }
  }
  sum.coefficients = std::move(merged);
  sum.remainder = negative ? sum.remainder - term.remainder : sum.remainder + term.remainder;
}

bool same_nodes(const Column3& a, const Column3& b) {
  return a[0].ref() == b[0].ref() && a[1].ref() == b[1].ref() && a[2].ref() == b[2].ref();
}

// f of every coefficient. Neighbours are often the same column (all joints of a planar chain turn
// alike): f is not asked again for those.
template <class Function>
std::vector<std::pair<int, Column3>> transform(
    const std::vector<std::pair<int, Column3>>& coefficients, const Function& f) {
  std::vector<std::pair<int, Column3>> result;
  result.reserve(coefficients.size());
  const Column3* last = nullptr;
  Column3 value;
  for (const auto& [r, c] : coefficients) {
    if (last == nullptr || !same_nodes(*last, c)) {
      value = f(c);
      last = &c;
    }
    if (!is_zero(value)) result.emplace_back(r, value);
  }
  return result;
}

}  // namespace

ScalarMotion zero_scalar_motion(ExprPool& pool) { return {{}, pool.zero()}; }
VectorMotion zero_vector_motion(ExprPool& pool, int frame) {
  return {frame, {}, zero_column(pool)};
}

void add_to(ScalarMotion& sum, const Expr& factor, const ScalarMotion& term) {
  if (factor.is_zero()) return;
  for (const auto& [r, c] : term.coefficients) {
    auto it = sum.coefficients.begin();
    while (it != sum.coefficients.end() && it->first < r) ++it;
    if (it == sum.coefficients.end() || it->first != r) {
      sum.coefficients.insert(it, {r, factor * c});
    } else if (it->second += factor * c; it->second.is_zero()) {
      sum.coefficients.erase(it);
    }
  }
  sum.remainder += factor * term.remainder;
}

void add_to(VectorMotion& sum, const VectorMotion& term) { merge(sum, term, false); }
void subtract_from(VectorMotion& sum, const VectorMotion& term) { merge(sum, term, true); }

VectorMotion along(const Column3& n, const ScalarMotion& s, int frame) {
  VectorMotion v{frame, {}, s.remainder * n};
  for (const auto& [r, c] : s.coefficients) v.coefficients.emplace_back(r, c * n);
  return v;
}

VectorMotion rotate(const Matrix3& R, const VectorMotion& v, int frame) {
  return {frame, transform(v.coefficients, [&R](const Column3& c) { return R * c; }),
          R * v.remainder};
}

VectorMotion cross(const VectorMotion& v, const Column3& c) {
  return {v.frame, transform(v.coefficients, [&c](const Column3& w) { return cross(w, c); }),
          cross(v.remainder, c)};
}

std::size_t count_distinct(const VectorMotion& v) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < v.coefficients.size(); ++i) {
    if (i == 0 || !same_nodes(v.coefficients[i - 1].second, v.coefficients[i].second)) ++count;
  }
  return count + (is_zero(v.remainder) ? 0 : 1);
}

VectorMotion stack(const std::array<ScalarMotion, 3>& components, int frame) {
  ExprPool& pool = components[0].remainder.pool();
  VectorMotion v = zero_vector_motion(pool, frame);
  for (std::size_t i = 0; i < 3; ++i) {
    Column3 n = zero_column(pool);
    n[i] = pool.one();
    add_to(v, along(n, components[i], frame));
  }
  return v;
}

ScalarMotion dot(const Column3& c, const VectorMotion& v) {
  ScalarMotion s{{}, dot(c, v.remainder)};
  for (const auto& [r, column] : v.coefficients) {
    const Expr p = dot(c, column);
    if (!p.is_zero()) s.coefficients.emplace_back(r, p);
  }
  return s;
}

Expr total(const ScalarMotion& s, const std::vector<Expr>& speeds) {
  Expr sum = s.remainder;
  for (const auto& [r, c] : s.coefficients) sum += c * speeds[static_cast<std::size_t>(r)];
  return sum;
}

Column3 total(const VectorMotion& v, const std::vector<Expr>& speeds) {
  Column3 sum = zero_column(v.remainder[0].pool());
  for (const auto& [r, c] : v.coefficients) sum = sum + speeds[static_cast<std::size_t>(r)] * c;
  return sum + v.remainder;
}

Column3 coefficient(const VectorMotion& v, int r) {
  for (const auto& [s, c] : v.coefficients) {
    if (s == r) return c;
  }
  return zero_column(v.remainder[0].pool());
}

}  // namespace visviva
