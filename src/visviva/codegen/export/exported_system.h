// ExportedSystem: equations of motion made ready to be written as source text of any language.
//
// q is the configuration (coordinates, and hidden states where something needs them), u the speeds:
//   q' = rates(q, u, t)
//   | M  -W  -A' | | u' |   | f |
//   | A   0   0  | | τ  | = | b |         τ unknown forces, λ multipliers, as in solve.h          (1)
//   | C  -V  -L' | | λ  |   | d |
// Without constraints and unknown forces M u' = f is all of it. Functions of time stand there by their
// definitions, tables and functions without a definition as values that the caller or a table gives;
// parameters that depend on others are computed from them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/base/spline.h"
#include "visviva/codegen/export/exported_block.h"
#include "visviva/equations/equations.h"
#include "visviva/equations/state/solve.h"

namespace visviva {

struct ExportedVariable {
  std::string name;        ///< as the model has it
  std::string identifier;  ///< in generated code
  std::string unit;
  std::string documentation;
  double value;  ///< at the start; NaN where the model has none
};

/// A parameter that is computed from others.
struct ExportedDerived {
  std::string name, definition, documentation;
};

/// A table's value or derivative, which a program takes like an input.
struct ExportedSample {
  std::string identifier;
  std::size_t table;
  int derivative;
};

struct ExportedTable {
  std::string name;
  std::shared_ptr<const Spline> spline;
  const TableFunction* function = nullptr;  ///< of one that expressions call
};

/// A table over two axes.
struct ExportedMap {
  std::string name;
  std::shared_ptr<const TableFunction> function;
};

/// Why an exported file has no energies. describe_energies_missing() makes a clause of it.
struct EnergiesMissing {
  enum class Kind {
    not_embedded,         ///< the constraints cannot be solved symbolically from the start state
    unknown_force_works,  ///< an unknown force does work
    model_is_wrong        ///< as `diagnostic` says
  };
  Kind kind = Kind::not_embedded;
  Diagnostic diagnostic{};
};

struct ExportedSystem {
  std::string name, identifier, documentation, case_name, method;
  std::vector<ExportedVariable> states;  ///< q, then u
  std::vector<ExportedVariable> inputs;
  std::vector<ExportedVariable> parameters;
  std::vector<ExportedDerived> derived;  ///< no parameters of the file
  std::vector<ExportedSample> samples;
  std::vector<ExportedTable> tables;
  std::vector<ExportedMap> maps;
  std::size_t configuration_count = 0;
  std::size_t speed_count = 0, unknown_count = 0, row_count = 0, auxiliary_count = 0;
  std::size_t position_count = 0;      ///< constraints on the configuration
  std::vector<std::string> row_names;  ///< the constraint of each row
  std::vector<std::string> position_names;
  std::vector<std::string> unknown_names;
  ExportedBlock equations;                ///< q_rates, M (lower triangle), f, W, A, b, C, L, V, d
  ExportedBlock constraints;              ///< position, velocity: both vanish where they hold
  std::optional<ExportedBlock> energies;  ///< energies, in the order of exported_energies
  std::optional<EnergiesMissing> energies_missing;  ///< why there are none
  // export_results.h (1): functions of x = (u', tau, lambda) and of integrals over time besides.
  std::optional<ExportedBlock> outputs, events, integral_rates;
  std::optional<ExportedBlock> points;         ///< J and remainder of velocities along N
  std::optional<ExportedBlock> sample_values;  ///< values after the samples, and times between two
  std::vector<std::string> output_names, output_units, event_names, integral_names, point_names;
  std::vector<bool> event_stops;
  std::vector<std::string> left_out;  ///< outputs and events that the file cannot give
  std::vector<ExportedSampleChange> sample_changes;
  std::size_t sample_count = 0;
  /// Speeds whose rates inverse dynamics takes, and those that constraints determine from them; none where unknown
  /// forces leave it open.
  std::vector<int> independent, dependent;
  std::string energies_condition;    ///< what must not vanish; empty when nothing can
  std::vector<std::string> missing;  ///< names without a value
  /// Entries of x in export_results.h (1).
  std::size_t solution_count() const { return speed_count + unknown_count + row_count; }
  bool is_plain() const { return unknown_count == 0 && row_count == 0; }  ///< M u' = f
};

inline constexpr const char* exported_energies[] = {
    "K0", "K1", "K2", "U", "sigma_R", "P_nonconservative", "Z_rate"};
inline constexpr const char* exported_energy_meanings[] = {
    "kinetic energy, the part without independent speeds",
    "the part linear in them",
    "the part quadratic in them",
    "generalized potential energy",
    "what accelerating v_t takes along v_R, sum of m v_R.dv_t/dt",
    "power of what has no potential",
    "Z' = sigma_R - P_nonconservative: K2 + U + Z is constant"};

/// The system that export files are written from. ModelError when an unknown force stays,
/// UsageError never for models that were checked.
ExportedSystem make_exported_system(const Equations& equations, const ConsistentStart& start);

}  // namespace visviva
