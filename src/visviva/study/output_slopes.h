// Slopes of a model's outputs by the states and inputs of its linearization: y = C x + D w.
//
// An output may be a reaction or a power, solved for with numbers, so that slopes are differences of the compiled
// outputs along the variations of the states, of eighth order: with f_k = f(x + k h e),
//   f' h = 4/5 (f_1 - f_-1) - 1/5 (f_2 - f_-2) + 4/105 (f_3 - f_-3) - 1/280 (f_4 - f_-4)         (1)
// whose error is of the order of h^8 and of rounding over h. They hold to eleven digits or so where the outputs are
// smooth near the state.
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/system/compiled_system.h"
#include "visviva/equations/small_motion/linearize.h"

namespace visviva {

struct OutputSlopes {
  std::vector<std::string> outputs;       ///< a vector has three, .x .y .z
  std::vector<std::vector<double>> C, D;  ///< a row an output; NaN where it has no slope
};

/// The slopes of a system's outputs at the state of a linearization that did not fail; integrals over time are held.
OutputSlopes compute_output_slopes(const CompiledSystem& system, const Linearization& about);

}  // namespace visviva
