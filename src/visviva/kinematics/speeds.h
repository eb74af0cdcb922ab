// Generalized speeds and the kinematical differential equations: the rates q' as linear functions
// of the speeds.
//
// A definition u = Y(q,t) q' + Z(q,t) is linear in the rates; definitions that share rates form a
// block, and each block is solved exactly for its rates. A coordinate whose rate no definition uses
// has the speed q'; a quaternion frame whose rates no definition uses has its body-axis angular
// rates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/kinematics/linear_motion.h"
#include "visviva/model/model_data.h"

namespace visviva {

struct Speed {
  std::string name;
  Expr u;
  Expr rate;  ///< the symbol u'
  Dimension dimension;
  int coordinate = -1;  ///< the coordinate whose rate it is, for a default speed
};

struct SpeedTable {
  std::vector<Speed> speeds;
  std::vector<Expr> symbols;        ///< speeds[r].u
  std::vector<ScalarMotion> rates;  ///< q' of each coordinate
  /// First of the three body-axis speeds of a frame; -1 when its rotation is described by rates.
  std::vector<int> body_rates;
  std::vector<Diagnostic> warnings;
  std::vector<std::optional<Expr>>
      definitions;  ///< of the model's speeds, in terms of rates and free speeds
};

/// The table in which every coordinate's rate is a speed of its own: what definitions are
/// understood with.
SpeedTable make_formal_speeds(const ModelData& model);

/// The speeds of the model. `definitions[i]` is the definition of model.speeds[i] with all
/// quantities of motion resolved in terms of rates and free speeds. ModelError when a definition is
/// not linear, or a block has no unique solution.
SpeedTable make_speeds(const ModelData& model, const std::vector<std::optional<Expr>>& definitions);

}  // namespace visviva
