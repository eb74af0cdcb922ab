// Derivatives along the motion: the accelerations solved for symbolically, and d/dt with them put
// in.
//
// M u' = f of independent speeds is solved by recursions along trees, or by elimination on shared nodes, together with auxiliary
// equations where f has unknown forces; the result is for zero tests and not for reading. Values are
// put into M and f before these are solved, so that what vanishes for them divides nothing, and into
// a quantity after it is differentiated, so that no jump is.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "visviva/equations/energy/energies.h"

namespace visviva {

/// Exact values of parameters, inputs and specified functions (with their derivatives) as far as
/// the model gives them.
class ModelValues {
 public:
  explicit ModelValues(const ModelData& model);
  Expr operator()(const Expr& e) { return substitution_(e); }
  const Replacements& replacements() const { return replacements_; }

 private:
  static Replacements collect(const ModelData& model);
  Replacements replacements_;
  Substitution substitution_;
};

class AlongMotion {
 public:
  /// Derivatives along the motion with `values` put in.
  AlongMotion(const Energies& energies, const Replacements& values);
  ~AlongMotion();

  /// The derivative by time of a function of configuration, independent speeds and time. Nothing
  /// when it needs accelerations that the equations do not determine.
  std::optional<Expr> derivative(const Expr& e);
  /// True when the numbers at a state, one on the constraints, show that the derivative of a function is not zero, without
  /// accelerations solved for symbolically. False says nothing.
  bool is_seen_to_change(const Expr& e);
  /// u' of the independent speeds; empty when they are not determined.
  const std::vector<Expr>& accelerations();
  /// The expression with the values put in, and unknown forces where they are determined.
  Expr put_values(const Expr& e);
  /// Configuration symbols and their rates.
  const std::vector<std::pair<Expr, Expr>>& configuration() const { return configuration_; }

 private:
  void solve();
  bool solve_by_recursions();
  bool solve_with_unknowns();
  Expr put_unknowns(const Expr& e);
  bool depends_on_speeds(const Expr& e) const;
  void choose_state();
  bool set_constrained_state();
  void mark_rates(const std::vector<long double>& values, const std::vector<double>& offs);
  void finish_solution();

  const Energies& energies_;
  Replacements given_;
  Substitution values_;
  std::vector<std::pair<Expr, Expr>> configuration_;
  std::vector<Expr> speeds_, accelerations_;
  std::optional<Substitution> unknowns_;  // their values, once solved for
  bool is_solved_ = false, is_by_recursions_ = false;
  std::unique_ptr<Tangent> held_, full_;

  // A state for is_seen_to_change().
  class StateNumbers;
  bool is_state_chosen_ = false;
  std::unique_ptr<StateNumbers> numbers_;
  std::unique_ptr<Tangent>
      marked_;  // with symbols for the accelerations; none where they have no numbers
};

}  // namespace visviva
