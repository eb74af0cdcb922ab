// What a run says of itself on the page: its certificate, energies and events.
#pragma once

#include <string>

#include "visviva/report/page/html.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// "certificate holds", ... as a badge.
Html make_verdict(const Trajectory& run);

/// The verdict, the certificate in words, energies at start and end, events.
Html make_certificate_section(const Trajectory& run);

}  // namespace visviva
