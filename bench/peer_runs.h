// Integrators of other libraries on our compiled rates: Boost.odeint, and SUNDIALS' CVODE and ARKODE.
#pragma once

#include <string>

#include "measured_run.h"
#include "visviva/simulation/run/system_rates.h"

namespace visviva::bench {

/// One run at a relative and absolute local tolerance. Deviation and end are written where it `watches`.
using Peer = MeasuredRun (*)(const Course& course, SystemRates& rates, double tolerance,
                             bool watches);

/// Whether a method is somebody else's, installed or not.
bool is_peer(const std::string& method);
/// Null where it is not installed.
Peer find_peer(const std::string& method);

}  // namespace visviva::bench
