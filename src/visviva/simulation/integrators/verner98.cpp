// Verner's explicit 9(8) pair: the method for smooth motions, where many digits are wanted.
#include "visviva/simulation/integrators/verner98_tableau.h"

#include "visviva/simulation/integrators/explicit_stepper.h"

namespace visviva {

const MethodFacts& verner98_facts() {
  using Table = Verner98Tableau;
  static const MethodFacts facts{
      .name = "verner98",
      .description = "explicit Runge-Kutta 9(8), Verner's efficient pair",
      .order = Table::order,
      .error_order = Table::error_order,
      .dense_order = Table::dense_order,
      .stages = Table::stages};
  return facts;
}

std::unique_ptr<Stepper> make_verner98(RateFunction& function) {
  return std::make_unique<ExplicitStepper<Verner98Tableau>>(function, verner98_facts());
}

}  // namespace visviva
