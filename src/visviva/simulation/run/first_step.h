// The length of a first step, before anything is known about errors.
#pragma once

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/run_context.h"

namespace visviva {

/// The length of a step from where the stepper stands, for local errors of this tolerance.
double choose_first_step(RunContext& context, const Stepper& stepper, double tolerance);

}  // namespace visviva
