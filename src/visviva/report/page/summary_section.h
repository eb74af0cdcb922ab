// The report in one paragraph.
#pragma once

#include <string>

#include "visviva/equations/energy/integrals.h"
#include "visviva/report/page/html.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

struct SummaryFacts {
  const Equations& equations;
  int degrees_of_freedom = 0;
  int conditions = 0;                    ///< independent rows of the constraints
  const Integrals* integrals = nullptr;  ///< where they could be found
  const Trajectory* run = nullptr;
};

/// What the mechanism is made of, what acts on it, what stays constant, and how its run went.
Html make_summary(const SummaryFacts& facts);

}  // namespace visviva
