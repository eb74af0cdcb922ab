#include "visviva/simulation/integrators/system_momenta.h"

#include <utility>

#include "visviva/base/error.h"

namespace visviva {

SystemMomenta::SystemMomenta(const CompiledSystem& system, const PreparedParameters& parameters,
                             std::vector<double> inputs)
    : system_(system), parameters_(parameters), inputs_(std::move(inputs)) {
  if (!system.has_momenta())
    throw UsageError(
        "SystemMomenta",
        "a variational integrator needs speeds that are the rates of "
        "the coordinates, without constraints: CompiledSystem::momenta_obstacle() says "
        "what is in the way");
  if (inputs_.size() != system.input_names().size())
    throw UsageError("SystemMomenta", std::to_string(system.input_names().size()) +
                                          " inputs are needed, " + std::to_string(inputs_.size()) +
                                          " given");
}

bool SystemMomenta::compute_momenta(double t, const double* y, double* p, double* g,
                                    MomentumJacobian* jacobian) {
  return system_.compute_momenta({t, y, inputs_.data()}, parameters_, p, g, jacobian) ==
         MotionStatus::ok;
}

bool SystemMomenta::compute_rates(double t, const double* y, double* rates) {
  return system_.compute_rates_and_quadratures({t, y, inputs_.data()}, parameters_, rates) ==
         MotionStatus::ok;
}

}  // namespace visviva
