#include "loop_peer.h"

#include <cmath>

namespace visviva::bench {
namespace {

constexpr double g = 9.81;

// M u' = f + A'λ, A u' = b with two rows: M = L D L' in place, Y = L^-1 A', S = Y' D^-1 Y. Lower halves,
// line by line; loops over columns, which the compiler turns into vectors.
template <int n>
struct Schur {
  double M[n][n], Y[2][n], f[n], b[2];

  void solve(double* accelerations) {
    double inverse[n];
    for (int k = 0; k < n; ++k) {
      inverse[k] = 1.0 / M[k][k];
      for (int i = k + 1; i < n; ++i) {
        const double l = M[k][i] * inverse[k];
        for (int j = i; j < n; ++j) M[i][j] -= l * M[k][j];
      }
      const double y0 = Y[0][k] * inverse[k], y1 = Y[1][k] * inverse[k], r = f[k] * inverse[k];
      for (int j = k + 1; j < n; ++j) {
        Y[0][j] -= y0 * M[k][j];
        Y[1][j] -= y1 * M[k][j];
        f[j] -= r * M[k][j];
      }
    }
    double S00 = 0, S01 = 0, S11 = 0, r0 = b[0], r1 = b[1];
    for (int k = 0; k < n; ++k) {
      S00 += Y[0][k] * Y[0][k] * inverse[k];
      S01 += Y[0][k] * Y[1][k] * inverse[k];
      S11 += Y[1][k] * Y[1][k] * inverse[k];
      r0 -= Y[0][k] * f[k] * inverse[k];
      r1 -= Y[1][k] * f[k] * inverse[k];
    }
    const double determinant = S00 * S11 - S01 * S01;
    const double x0 = (S11 * r0 - S01 * r1) / determinant, x1 = (S00 * r1 - S01 * r0) / determinant;
    for (int k = 0; k < n; ++k) f[k] += Y[0][k] * x0 + Y[1][k] * x1;
    for (int k = n - 1; k >= 0; --k) {
      double sum = f[k];
      for (int i = k + 1; i < n; ++i) sum -= M[k][i] * accelerations[i];
      accelerations[k] = sum * inverse[k];
    }
  }
};

template <int n>
void compute_loop(const double* state, double* rates, Schur<n>* system) {
  const double *q = state, *u = state + n;
  double s[n], c[n];
  for (int i = 0; i < n; ++i) {
    s[i] = std::sin(q[i]);
    c[i] = std::cos(q[i]);
    rates[i] = u[i];
  }
  system->b[0] = system->b[1] = 0;
  for (int i = 0; i < n; ++i) {
    system->f[i] = -g * (n - i - 0.5) * c[i];
    system->Y[0][i] = -s[i];
    system->Y[1][i] = c[i];
    system->b[0] += c[i] * u[i] * u[i];
    system->b[1] += s[i] * u[i] * u[i];
  }
  for (int i = 0; i < n; ++i) {
    system->M[i][i] = n - i - 2.0 / 3.0;
    double force = 0;
    for (int j = i + 1; j < n; ++j) {
      const double m = n - j - 0.5, turn = m * (s[i] * c[j] - c[i] * s[j]);
      system->M[i][j] = m * (c[i] * c[j] + s[i] * s[j]);
      force += turn * u[j] * u[j];
      system->f[j] += turn * u[i] * u[i];
    }
    system->f[i] -= force;
  }
  system->solve(rates + n);
}

}  // namespace

void FourBarPeer::compute_rates(const double* state, double* rates) {
  constexpr double m = 1, a = 0.4, b = 1, c = 0.8;
  const double *q = state, *u = state + 3;
  double sine[3], cosine[3];
  for (int i = 0; i < 3; ++i) {
    sine[i] = std::sin(q[i]);
    cosine[i] = std::cos(q[i]);
    rates[i] = u[i];
  }
  const double coupling = m * a * b / 2,
               turn = coupling * (sine[0] * cosine[1] - cosine[0] * sine[1]);
  Schur<3> system{};
  system.M[0][0] = m * a * a * (4.0 / 3.0);
  system.M[0][1] = coupling * (cosine[0] * cosine[1] + sine[0] * sine[1]);
  system.M[1][1] = m * b * b / 3;
  system.M[2][2] = m * c * c / 3;
  system.f[0] = -1.5 * m * g * a * cosine[0] - turn * u[1] * u[1];
  system.f[1] = -0.5 * m * g * b * cosine[1] + turn * u[0] * u[0];
  system.f[2] = -0.5 * m * g * c * cosine[2];
  const double lengths[3] = {a, b, -c};
  for (int i = 0; i < 3; ++i) {
    system.Y[0][i] = -lengths[i] * sine[i];
    system.Y[1][i] = lengths[i] * cosine[i];
    system.b[0] += lengths[i] * cosine[i] * u[i] * u[i];
    system.b[1] += lengths[i] * sine[i] * u[i] * u[i];
  }
  system.solve(rates + 3);
}

RodLoopPeer::RodLoopPeer(int n)
    : n_(n), memory_((n == 20 ? sizeof(Schur<20>) : sizeof(Schur<100>)) / sizeof(double)) {}

void RodLoopPeer::compute_rates(const double* state, double* rates) {
  if (n_ == 20)
    compute_loop<20>(state, rates, reinterpret_cast<Schur<20>*>(memory_.data()));
  else
    compute_loop<100>(state, rates, reinterpret_cast<Schur<100>*>(memory_.data()));
}

}  // namespace visviva::bench
