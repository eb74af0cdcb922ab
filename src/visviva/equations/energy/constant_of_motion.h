// Whether any function of the state is constant along the motion.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "visviva/equations/energy/zero_facts.h"

namespace visviva {

struct ConstantFact {
  ZeroFact fact;                     ///< about the rate; undecided where that is not known
  std::optional<Expr> rate;          ///< along the motion, for all parameters
  std::shared_ptr<ExprPool> pool{};  ///< holds the rate
};

/// The value of force(X, B).x, moment(X, B).x or power(X, B) by name; nothing where it is not known.
using FindAction = std::function<std::optional<Expr>(const std::string&)>;

/// Examines a scalar in terms of coordinates, rates, quantities of motion and of results by name: energies, powers of loads,
/// and integrals over time (Z, work(F), action()), whose rates are known. What holds results that are solved for, or
/// accelerations, is left undecided.
ConstantFact examine_constant(const Energies& energies, const Quantity& value,
                              const FindAction& find_action = {});

/// Examines dK/du of the independent speed u, with K in terms of these speeds: its name is p_u, or p_x_R of the speed x'. Nothing
/// when there is no such speed.
std::optional<ConstantFact> examine_speed_momentum(const Energies& energies,
                                                   const std::string& name);

}  // namespace visviva
