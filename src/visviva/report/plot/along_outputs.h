// What is asked of a motion along time: forces, powers and work of motors, reactions with moments, multipliers,
// accelerations.
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/system/output_expressions.h"
#include "visviva/equations/equations.h"

namespace visviva {

/// An extra output of a run with its unit.
struct AlongOutput {
  ExtraOutput output;
  std::string unit;
};

/// "motor(x)", "power(x)", "work(x)" of all motors; "reaction(X)", "moment(X)" of constraints and of points on which
/// something with mass hangs; "multiplier(c)"; "q''" of coordinates. Outputs of the model are not among them.
std::vector<AlongOutput> list_along_outputs(const Equations& equations);

}  // namespace visviva
