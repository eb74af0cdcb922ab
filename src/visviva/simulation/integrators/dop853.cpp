// Hairer, Norsett and Wanner's explicit method of order 8.
#include "visviva/simulation/integrators/dop853_tableau.h"

#include "visviva/simulation/integrators/explicit_stepper.h"

namespace visviva {

const MethodFacts& dop853_facts() {
  using Table = Dop853Tableau;
  static const MethodFacts facts{
      .name = "dop853",
      .description = "explicit Runge-Kutta 8(5,3), Hairer, Norsett and Wanner's DOP853",
      .order = Table::order,
      .error_order = Table::error_order,
      .dense_order = Table::dense_order,
      .stages = Table::stages};
  return facts;
}

std::unique_ptr<Stepper> make_dop853(RateFunction& function) {
  return std::make_unique<ExplicitStepper<Dop853Tableau>>(function, dop853_facts());
}

}  // namespace visviva
