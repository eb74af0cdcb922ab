// EnergyClaim: which identity of energy is meant, as data.
#pragma once

#include <optional>

#include "visviva/equations/equations.h"

namespace visviva {

struct EnergyClaim {
  enum class Kind {             ///< numbers are those of energy_identities.h
    kinetic_energy_by_degrees,  ///< (1)
    transport_power,            ///< (2)
    generalized_power,          ///< (3)
    slopes_of_K2,               ///< (4), for the equations by `method`
    E_Z_is_constant             ///< (5), along the equations by `method`
  };
  Kind kind;
  std::optional<Method> method{};  ///< none for claims that no equations of motion enter

  bool operator==(const EnergyClaim&) const = default;
};

}  // namespace visviva
