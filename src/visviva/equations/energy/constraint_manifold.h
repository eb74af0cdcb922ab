// Configurations that satisfy the constraints, for identities that hold only there.
//
// Where a constraint g(q, t) = 0 is linear in a coordinate, with a coefficient free of the
// configuration, it is solved for that coordinate: exactly. For the others, random configurations are
// moved onto g = 0 by Newton's method; what vanishes at all of them (state_samples.h) is taken for
// zero there. This is evidence by numbers, and reports say so.
#pragma once

#include <vector>

#include "visviva/equations/energy/energies.h"
#include "visviva/equations/energy/state_samples.h"

namespace visviva {

/// By what a constraint may be divided to be solved for a coordinate.
enum class Pivot {
  any,        ///< for identities: what holds wherever the pivot is not zero holds there too
  never_zero  ///< for values: a number, so that the solution has one wherever the mechanism is
};

/// Coordinates that the configuration constraints give in terms of others.
Replacements solve_positions(const Equations& equations, Pivot pivot);

/// Random states on the constraints, with `values` put in for everything but configuration,
/// independent speeds and time; none without configuration constraints or where Newton's method
/// fails.
StateSamples sample_constraints(const Energies& energies, const Replacements& values);

}  // namespace visviva
