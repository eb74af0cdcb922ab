#include "visviva/numeric/schur_solve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace visviva {
namespace {

constexpr std::size_t lanes = 8;  // lines begin and end with whole vectors
using Lanes = double __attribute__((vector_size(lanes * sizeof(double)), may_alias));

using TakeOut = void (*)(double* lines, std::size_t stride, std::size_t k, std::size_t count,
                         double inverse);

// (2) for pivot k. Compilers lower vectors for the processor that a function is written for: so it is
// written for each. What lies left of the diagonal is changed too, and never read.
#define VISVIVA_TAKE_OUT(name, target)                                                      \
  target void name(double* lines, std::size_t stride, std::size_t k, std::size_t count,     \
                   double inverse) {                                                        \
    const double* const from = lines + k * stride;                                          \
    for (std::size_t i = k + 1; i < count; ++i) {                                           \
      if (from[i] == 0) continue;                                                           \
      const double l = from[i] * inverse;                                                   \
      double* const to = lines + i * stride;                                                \
      for (std::size_t j = i / lanes * lanes; j < stride; j += lanes)                       \
        *reinterpret_cast<Lanes*>(to + j) -= l * *reinterpret_cast<const Lanes*>(from + j); \
    }                                                                                       \
  }

VISVIVA_TAKE_OUT(take_out_plainly, )
#if defined(__x86_64__)
VISVIVA_TAKE_OUT(take_out_by_avx2, __attribute__((target("avx2,fma"))))
VISVIVA_TAKE_OUT(take_out_by_avx512, __attribute__((target("avx512f,avx2,fma"))))
#endif
#undef VISVIVA_TAKE_OUT

TakeOut choose_take_out() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return take_out_by_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return take_out_by_avx2;
#endif
  return take_out_plainly;
}

}  // namespace

void SchurLines::begin(std::size_t n, std::size_t m) {
  constexpr std::size_t bytes = lanes * sizeof(double);
  n_ = n;
  m_ = m;
  stride_ = (n + m + lanes) / lanes * lanes;  // with the right side
  memory_.assign((n + m) * stride_ + lanes, 0.0);
  const auto place = reinterpret_cast<std::uintptr_t>(memory_.data());
  lines_ = memory_.data() + (bytes - place % bytes) % bytes / sizeof(double);
}

void SchurLines::note_start() {
  SchurLines& K = *this;
  diagonal_.resize(n_ + m_);
  for (std::size_t k = 0; k < n_; ++k) diagonal_[k] = K(k, k);
  shares_.assign(m_, 0.0);
  rows_.resize(m_ * (n_ + 1));
  double* to = rows_.data();
  for (std::size_t i = n_; i < n_ + m_; ++i) {
    for (std::size_t k = 0; k < n_; ++k) *to++ = K(k, i);
    *to++ = K(i, right_column());
  }
}

// (4) and (5)
bool SchurLines::is_sure(std::size_t k) {
  SchurLines& K = *this;
  if (k < n_) return K(k, k) > sure_mass_pivot * diagonal_[k];
  double all = 0.0;
  if (k == n_)
    for (std::size_t i = n_; i < n_ + m_; ++i) diagonal_[i] = -K(i, i);
  for (std::size_t i = n_; i < n_ + m_; ++i) all += diagonal_[i];
  return -K(k, k) > sure_row_pivot * diagonal_[k] + sure_row_size * all;
}

void SchurLines::note_shares(std::size_t k) {
  SchurLines& K = *this;
  const double inverse = 1.0 / K(k, k);
  for (std::size_t i = 0; i < m_; ++i)
    shares_[i] = std::max(shares_[i], K(k, n_ + i) * K(k, n_ + i) * inverse);
}

void SchurLines::substitute() {
  const std::size_t all = n_ + m_;
  z_.resize(all);
  for (std::size_t k = all; k-- > 0;) {
    const double* const line = lines_ + k * stride_;
    double sums[4] = {line[all], 0.0, 0.0, 0.0};
    std::size_t i = k + 1;
    for (; i + 4 <= all; i += 4)
      for (std::size_t t = 0; t < 4; ++t) sums[t] -= line[i + t] * z_[i + t];
    for (; i < all; ++i) sums[0] -= line[i] * z_[i];
    z_[k] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) / line[k];
  }
}

// (6)
bool SchurLines::keeps_digits() const {
  for (std::size_t i = 0; i < m_; ++i) {
    const double size = diagonal_[n_ + i];
    if (shares_[i] < sure_share * size) continue;
    const double* const row = rows_.data() + i * (n_ + 1);
    double sum = std::abs(row[n_]);
    int entries = 0;
    for (std::size_t s = 0; s < n_; ++s) {
      sum += std::abs(row[s] * z_[s]);
      entries += row[s] != 0 ? 1 : 0;
    }
    if (entries > 1 && !(size * std::abs(z_[n_ + i]) * sure_cancellation < sum)) return false;
  }
  return true;
}

bool SchurLines::solve(Eigen::VectorXd* x) {
  static const TakeOut take_out = choose_take_out();
  note_start();
  for (std::size_t k = 0; k < n_ + m_; ++k) {
    if (!is_sure(k)) return false;
    if (k < n_) note_shares(k);
    take_out(lines_, stride_, k, n_ + m_, 1.0 / (*this)(k, k));
  }
  substitute();
  if (!keeps_digits()) return false;
  x->resize(static_cast<Eigen::Index>(n_ + m_));
  for (std::size_t k = 0; k < n_ + m_; ++k)
    (*x)(static_cast<Eigen::Index>(k)) = k < n_ ? z_[k] : -z_[k];
  return x->allFinite();
}

}  // namespace visviva
