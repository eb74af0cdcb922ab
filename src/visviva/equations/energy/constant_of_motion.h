// Whether any function of the state is constant along the motion.
#pragma once

#include <optional>

#include "visviva/equations/energy/zero_facts.h"

namespace visviva {

struct ConstantFact {
  ZeroFact fact;                     ///< about the rate; undecided where that is not known
  std::optional<Expr> rate;          ///< along the motion, for all parameters
  std::shared_ptr<ExprPool> pool{};  ///< holds the rate
};

/// Examines a scalar in terms of coordinates, rates, quantities of motion and energies by name. What holds results of
/// forces that are solved for, accelerations or Z is left undecided.
ConstantFact examine_constant(const Energies& energies, const Quantity& value);

}  // namespace visviva
