// What a model gives as numbers, in the orders of RunExpressions.
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/system/named_values.h"
#include "visviva/codegen/system/run_expressions.h"

namespace visviva {

/// Numbers of a model; NaN where it gives no value. The state satisfies the constraints (consistent_start.h); none
/// of it is known where a value is missing and constraints or start conditions may need it, or where
/// a term of the model is not finite.
struct StartValues {
  std::vector<double> parameters, inputs, state;
  std::vector<std::string> missing;  ///< parameters and functions of time without a value
};

StartValues make_start_values(const Equations& equations, const RunExpressions& system);

/// Names of parameters, inputs or states with the dimensions that the model gives them; what has
/// none, such as the hidden orientation of a frame, is a pure number.
std::shared_ptr<const ValueNames> make_value_names(const std::string& noun,
                                                   const std::vector<std::string>& names,
                                                   const Kinematics& motion);

}  // namespace visviva
