// Momenta from functions written in a test.
#pragma once

#include <functional>
#include <utility>

#include "visviva/simulation/integrators/variational.h"

namespace visviva {

/// One coordinate of mass m: p = m q', g any force with its slopes by q and q'; quadratures likewise.
class ForcedMass : public MomentumFunction {
 public:
  struct Force {
    double value = 0.0, by_q = 0.0, by_u = 0.0;
    bool is_known = true;
  };
  using Law = std::function<Force(double, double, double)>;  ///< of t, q, q'
  using Quadrature = std::function<double(double, double, double)>;

  ForcedMass(double mass, Law law, Quadrature quadrature = nullptr)
      : mass_(mass), law_(std::move(law)), quadrature_(std::move(quadrature)) {}

  std::size_t size() const override { return 1; }
  std::size_t quadrature_count() const override { return quadrature_ ? 1 : 0; }

  bool compute_momenta(double t, const double* y, double* p, double* g,
                       MomentumJacobian* jacobian) override {
    const Force force = law_(t, y[0], y[1]);
    *p = mass_ * y[1];
    *g = force.value;
    if (jacobian != nullptr) {
      jacobian->momenta_by_q.setZero(1, 1);
      jacobian->momenta_by_u.setConstant(1, 1, mass_);
      jacobian->rates_by_q.setConstant(1, 1, force.by_q);
      jacobian->rates_by_u.setConstant(1, 1, force.by_u);
    }
    return force.is_known;
  }

  bool compute_rates(double t, const double* y, double* rates) override {
    const Force force = law_(t, y[0], y[1]);
    rates[0] = y[1];
    rates[1] = force.value / mass_;
    if (quadrature_) rates[2] = quadrature_(t, y[0], y[1]);
    return force.is_known;
  }

 private:
  double mass_;
  Law law_;
  Quadrature quadrature_;
};

}  // namespace visviva
