// Frequencies and shapes of fields whose equations are linear with constant coefficients: exact but for rounding.
//
// Every motion e^(iωt) of such fields is a sum of exponentials along the line. With Y the fields and their slopes up
// to those below the highest (docs/theory/continuous.md)
//   Y' = A(ω) Y,     B_a(ω) Y(a) = 0,     B_b(ω) Y(b) = 0                                               (1)
//   det [B_a; B_b exp(A (b - a))] = 0                                                                   (2)
// Frequencies are the roots of (2), which is built over short pieces of the line, so that growing and falling
// exponentials do not drown each other. Fields that nothing couples have determinants of their own.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/result.h"
#include "visviva/equations/continuum/field_equations.h"

namespace visviva {

/// Why there is no closed form.
enum class NoFieldModes {
  other_coordinates,  ///< the fields are coupled to coordinates that are none
  nonlinear,
  varying,       ///< a coefficient depends on the place, or on time
  damped,        ///< rates appear, of dampers or of material that moves
  between_ends,  ///< something is attached between the ends
  not_regular,   ///< the highest slopes are not determined, or conditions are missing
  value_missing  ///< a parameter has no value
};

struct FieldMode {
  double frequency = 0.0;  ///< rad/s
  std::vector<std::vector<double>>
      shapes;  ///< by field, at equal steps from one end to the other; the largest is 1
};

struct FieldModes {
  std::vector<FieldMode> modes;  ///< by frequency
};

/// The modes next to estimates of their frequencies (rad/s, ascending), as far as each estimate leads to one.
Result<FieldModes, NoFieldModes> find_field_modes(const FieldEquations& equations,
                                                  const ModelData& model,
                                                  const std::vector<double>& estimates);

}  // namespace visviva
