// A CompiledSystem as what a VariationalRunner integrates.
#pragma once

#include <vector>

#include "visviva/simulation/integrators/variational.h"

namespace visviva {

class SystemMomenta : public MomentumFunction {
 public:
  /// The momenta of a system. UsageError unless system.has_momenta(). System and parameters must
  /// outlive it.
  SystemMomenta(const CompiledSystem& system, const PreparedParameters& parameters,
                std::vector<double> inputs = {});

  std::size_t size() const override { return system_.speed_count(); }
  std::size_t quadrature_count() const override { return system_.quadrature_names().size(); }
  bool compute_momenta(double t, const double* y, double* p, double* g,
                       MomentumJacobian* jacobian) override;
  bool compute_rates(double t, const double* y, double* rates) override;

 private:
  const CompiledSystem& system_;
  const PreparedParameters& parameters_;
  std::vector<double> inputs_;
};

}  // namespace visviva
