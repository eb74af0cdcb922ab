// The methods behind make_stepper(): the facts about each and how to make it.
#pragma once

#include <memory>

#include "visviva/simulation/integrators/stepper.h"

namespace visviva {

const MethodFacts& verner98_facts();
std::unique_ptr<Stepper> make_verner98(RateFunction& function);

const MethodFacts& dop853_facts();
std::unique_ptr<Stepper> make_dop853(RateFunction& function);

const MethodFacts& dopri5_facts();
std::unique_ptr<Stepper> make_dopri5(RateFunction& function);

const MethodFacts& radau5_facts();
std::unique_ptr<Stepper> make_radau5(RateFunction& function);

}  // namespace visviva
