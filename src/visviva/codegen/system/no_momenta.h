// NoMomenta: why a system has no generalized momenta, as data.
#pragma once

#include <cstddef>
#include <string>

namespace visviva {

/// Why momenta are not computed as momentum_expressions.h says. Sentences are made of it in
/// report/trajectory/reason_text.h.
struct NoMomenta {
  enum class Kind {
    not_compiled,       ///< nobody asked for them
    constrained,        ///< constraints act on the speeds
    unknown_force,      ///< an unknown force acts
    counts_differ,      ///< there are other numbers of coordinates and of speeds
    speed_is_not_rate,  ///< `speed` is not the rate of `coordinate`
  };
  Kind kind = Kind::not_compiled;
  std::size_t coordinate_count = 0, speed_count = 0;
  std::string coordinate{}, speed{};
};

}  // namespace visviva
