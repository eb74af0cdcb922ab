// Sentences for the variation of the action.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/equations/energy/action_variation.h"

namespace visviva {

/// Why a path cannot be varied, as an error of the command.
Diagnostic diagnose_no_variation(const NoVariation& why);

/// Names of what a variation is about.
struct VariationNames {
  std::vector<std::string> paths, trial_paths, without_potential, constraints;
  bool vanishes = true;  ///< the first variation, within the error of the integrals
};
/// What a reader should know beside the numbers, one sentence each.
std::vector<std::string> write_variation_remarks(const VariationNames& names);

}  // namespace visviva
