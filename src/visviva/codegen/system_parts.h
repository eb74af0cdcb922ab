// What a CompiledSystem is made of.
#pragma once

#include <optional>

#include "visviva/codegen/compiled_function.h"
#include "visviva/codegen/compiled_system.h"
#include "visviva/codegen/motion_system.h"
#include "visviva/codegen/transport_solver.h"

namespace visviva {

/// What the functions below take after the arguments of system_expressions.h.
enum class Beyond {
  nothing,
  solution,  ///< u', unknown forces, multipliers
  measures   ///< u', unknown forces, w, w', Z
};

/// A compiled function of a system.
struct SystemFunction {
  std::size_t index;  ///< among all, and in PreparedParameters::functions
  CompiledFunction code;
  bool needs_motion = false;     ///< u' or unknown forces
  bool needs_transport = false;  ///< w or w'
};

/// Derivatives by some symbols: of the configuration's rates, and of the residuals of MotionSystem.
struct DerivativeFunction {
  SystemFunction function;
  int columns;
  std::vector<EntryPlace> rates, residuals;  ///< those that are not zero
  std::vector<int> solved;                   ///< columns in which a residual is not zero
};

struct CompiledSystem::Parts {
  explicit Parts(const SystemExpressions& system) : motion(system) {}

  std::vector<std::string> state_names, input_names, parameter_names, unknown_names, output_names,
      other_outputs, event_names;
  std::vector<double> parameters, inputs;
  std::size_t configuration_count = 0, position_count = 0, argument_count = 0;
  std::vector<Signal> tables;
  std::size_t function_count = 0;

  MotionSystem motion;
  /// y', then pivots less what rounding may leave of them: all positive, else the assembly is solved.
  std::optional<SystemFunction> unrolled, unrolled_and_Z;
  std::optional<SystemFunction> assembly;  ///< the configuration's rates, entries of `motion`

  std::optional<DerivativeFunction> jacobian;  ///< by the state, and by time in the last column
  std::optional<DerivativeFunction> sensitivities;  ///< by inputs and parameters
  std::vector<std::pair<int, int>> pattern;

  std::optional<SystemFunction> residuals;  ///< g, A u + c
  std::optional<SystemFunction> rows;       ///< entries of A, and c
  std::vector<EntryPlace> row_places;
  std::optional<SystemFunction> drift;  ///< d/dt (A w + c), w' held at zero
  std::optional<TransportSolver> transport;
  bool is_still = true;  ///< no row has a c: then w and w' vanish

  std::optional<SystemFunction> energies, Z_rate, outputs, events;
};

}  // namespace visviva
