// ExportResults: what an exported file gives besides the equations of motion: outputs, events, the integrals over time
// that these need, jacobians of points, samples.
//
// Outputs and events may use what the equations are solved for, x = (u', tau, lambda), and integrals over time:
//   outputs(q, u, t, x, integrals),   integrals' = rates(q, u, t, x)                             (1)
// with reactions and motors as in reaction_forms.h (1).
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/export/export_draft.h"
#include "visviva/equations/energy/energies.h"

namespace visviva {

struct OutputExpressions;

struct ExportResults {
  /// `energies` may be null: then what needs them is left out.
  ExportResults(const Equations& equations, const EnergyTerms* energies);

  std::vector<Expr> solution;   ///< symbols of x in (1)
  std::vector<Expr> integrals;  ///< symbols

  std::vector<std::string> output_names, output_units, event_names, integral_names, point_names;
  std::vector<bool> event_stops;
  std::vector<std::string> left_out;  ///< outputs and events that a file cannot give
  std::vector<ExportedSampleChange> sample_changes;

  /// Leaves out points whose velocities hold one of these symbols: no state of the file.
  void drop_points_of(const std::vector<Expr>& symbols);

  ExportDraft outputs, events, integral_rates, points, samples;

 private:
  void add_outputs(const Equations& equations, const EnergyTerms* energies);
  void add_integrals(const Equations& equations, const OutputExpressions& asked,
                     const std::vector<Expr>& multipliers, std::vector<Expr>* known);
  void drop_unused_integrals(const std::vector<Expr>& used);
  void add_points(const Equations& equations);
  void add_samples(const Equations& equations);
};

}  // namespace visviva
