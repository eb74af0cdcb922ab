// Dormand and Prince's explicit 5(4) pair: for low accuracy and motions with many kinks.
#include "visviva/simulation/integrators/dopri5_tableau.h"

#include "visviva/simulation/integrators/explicit_stepper.h"

namespace visviva {

const MethodFacts& dopri5_facts() {
  using Table = Dopri5Tableau;
  static const MethodFacts facts{.name = "dopri5",
                                 .description = "explicit Runge-Kutta 5(4), Dormand and Prince",
                                 .order = Table::order,
                                 .error_order = Table::error_order,
                                 .dense_order = Table::dense_order,
                                 .stages = Table::stages};
  return facts;
}

std::unique_ptr<Stepper> make_dopri5(RateFunction& function) {
  return std::make_unique<ExplicitStepper<Dopri5Tableau>>(function, dopri5_facts());
}

}  // namespace visviva
