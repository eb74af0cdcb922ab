// The start state of a model as numbers: parameters, coordinates, specified functions at t = 0.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/model/model_data.h"

namespace visviva {

/// Values of configuration-level symbols at the start. Rates and speeds are not included: they need
/// the speed definitions.
struct StartState {
  std::vector<Expr> symbols;
  std::vector<double> values;
  std::unordered_map<Ref, double> known;  ///< the same by symbol

  /// What an expression of these symbols is worth.
  double value(const Expr& expr) const;
  std::vector<std::string>
      missing;  ///< parameters and specified functions without a value; they have a stand-in here
};

StartState make_start_state(const ModelData& model);

}  // namespace visviva
