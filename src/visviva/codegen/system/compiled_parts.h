// What a CompiledSystem is made of.
#pragma once

#include <optional>

#include "visviva/codegen/jit/compiled_function.h"
#include "visviva/codegen/system/acceleration_equations.h"
#include "visviva/codegen/system/compiled_system.h"
#include "visviva/numeric/link_products.h"
#include "visviva/numeric/transport_solver.h"

namespace visviva {

/// The arguments that the functions below take after those of run_expressions.h.
enum class ExtraArguments {
  nothing,
  solution,  ///< u', unknown forces, multipliers
  measures   ///< the same, w, w', quadratures, results
};

/// A compiled function of a system.
struct SystemFunction {
  std::size_t index;  ///< among all, and in PreparedParameters::functions
  CompiledFunction code;
  bool needs_motion = false;      ///< takes u', unknown forces or multipliers
  bool needs_transport = false;   ///< takes w or w'
  bool needs_results = false;     ///< takes results, or integrals of them
  bool reads_state_only = false;  ///< of its arguments; so no list of them need be written
};

/// Derivatives by some symbols: of the configuration's rates, and of the residuals of AccelerationEquations.
struct DerivativeFunction {
  SystemFunction function;
  int columns;
  std::vector<EntryPlace> rates, residuals;  ///< derivatives that are not zero
  std::vector<int> solved;                   ///< columns in which a residual is not zero
};

/// The same for a tree of links without constraints (tree_derivatives.h).
struct TreeDerivativeFunction {
  SystemFunction function;
  LinkProducts products;
  std::size_t first_term;
  std::vector<std::size_t> term_places;
  std::vector<EntryPlace> rates;
  std::size_t state_columns;
  std::vector<std::size_t> rows;  ///< where the row of each speed begins
  std::vector<int> still;         ///< columns of state, time and inputs that move no acceleration
};

/// Reactions and motor powers, with what tells whether they are determined.
struct ResultParts {
  struct Group {
    int first, count;  ///< values: three components, or one
    bool is_known;     ///< false where they are never determined
  };

  std::vector<Group> groups;
  std::size_t count = 0;                 ///< number of values
  std::optional<SystemFunction> values;  ///< then the losses of reaction_forms.h
  std::vector<int> losses;               ///< the value that each may make undetermined
  std::optional<SystemFunction> slopes;  ///< of values by u', unknown forces and multipliers
  std::vector<EntryPlace> slope_places;
  std::vector<std::pair<std::size_t, int>> integrals;  ///< quadrature, value that it integrates
};

/// Generalized momenta and their rates, with their derivatives by the state.
struct MomentumParts {
  std::optional<NoMomenta> obstacle;          ///< why there are no momenta
  std::optional<SystemFunction> values;       ///< p, g of momentum_expressions.h
  std::optional<SystemFunction> with_slopes;  ///< p, g, then entries for `places`
  std::vector<EntryPlace> places;             ///< entries of d(p, g)/d(q, u)
};

/// A sample: the places in the state that it changes; their new values, then its period.
struct SampleParts {
  std::vector<std::size_t> places;
  SystemFunction values;
};

struct CompiledSystem::Parts {
  explicit Parts(const RunExpressions& system) : motion(system) {}

  std::vector<std::string> state_names, input_names, parameter_names, unknown_names, output_names,
      other_outputs, event_names, quadrature_names, switch_names, missing_values, place_names;
  std::vector<SwitchKind> switch_kinds;
  std::vector<bool> event_stops;
  std::size_t event_corner_count = 0;  ///< values that `events` has besides
  NamedValues parameters, inputs, start;
  std::vector<int> quaternions;
  std::vector<TableFacts> table_facts;
  std::vector<TableExit> table_ends;  ///< of tables that have no value outside; their values are
  std::optional<SystemFunction> table_places;  ///< where they are asked
  std::size_t configuration_count = 0, position_count = 0, argument_count = 0;
  std::vector<Signal> tables;
  std::size_t function_count = 0;

  AccelerationEquations motion;
  /// y' and multipliers, or y' and rates of quadratures; then margins: all positive, else the assembly
  /// is solved. The second only where quadratures need no transport speeds.
  std::optional<SystemFunction> unrolled, unrolled_and_quadratures;
  std::optional<SystemFunction> assembly;  ///< the configuration's rates, entries of `motion`
  std::optional<SystemFunction> configuration_rates;
  std::optional<SystemFunction> mass_matrix;  ///< entries that are not zero, one for each pair
  std::vector<EntryPlace> mass_places;

  std::optional<SystemFunction> inverse;  ///< M u' - f

  std::optional<DerivativeFunction> jacobian;  ///< by the state, and by time in the last column
  std::optional<TreeDerivativeFunction> tree_jacobian;  ///< instead, by inputs too
  std::optional<DerivativeFunction> sensitivities;      ///< by inputs and parameters
  std::vector<std::pair<int, int>> pattern;

  std::optional<SystemFunction> residuals;  ///< g, A u + c
  std::optional<SystemFunction> rows;       ///< entries of A, and c
  std::vector<EntryPlace> row_places;
  std::vector<int> position_rows;       ///< the row of A that each g belongs to
  std::optional<SystemFunction> drift;  ///< d/dt (A w + c), w' held at zero
  std::optional<TransportSolver> transport;
  bool is_still = true;  ///< no row has a c: then w and w' vanish

  std::vector<SampleParts> samples;
  std::optional<SystemFunction> energies, quadrature_rates, outputs, events, switches;
  /// Where there are switches: what must not jump at them, and the momentum of the whole mechanism.
  std::optional<SystemFunction> places, momentum;
  ResultParts results;
  MomentumParts momenta;
};

}  // namespace visviva
