// SystemExpressions: equations of motion as functions of numbers that a run has: time, state, inputs,
// tables at that time, and parameters. Specified functions are replaced by their definitions.
//
//   arguments = (t, y, inputs, signals),   y = (coordinates, hidden states, speeds)
// M, W, A, b, c and the auxiliary equations are those of solve.h (1); rows are A u + c = 0.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/symbolic/substitute.h"

namespace visviva {

/// A derivative of a table, looked up before every call.
struct Signal {
  std::shared_ptr<const Spline> table;
  int order;
};

/// C u' - V τ - L'λ = d
struct AuxiliaryLine {
  std::vector<Expr> mass, unknowns, rows;  ///< C, V, L
  Expr forcing;                            ///< d
};

/// While it lives, forms without specified functions are preferred (ExprPool::Avoiding): a
/// definition that cancels out must not come back in an older form of the same value.
struct SystemExpressions {
  explicit SystemExpressions(const Equations& equations);

  /// An expression of the model's symbols with the definitions put in.
  Expr put(const Expr& e) { return definitions_(e); }
  std::vector<Expr> put(const std::vector<Expr>& e) { return definitions_(e); }

  std::vector<Expr> arguments() const;
  std::size_t argument_count() const { return 1 + state.size() + inputs.size() + signals.size(); }

  ExprPool& pool;
  Expr time;
  std::vector<Expr> state, inputs, signals, parameters;
  std::size_t configuration_count = 0;
  std::vector<Signal> tables;                       ///< of `signals`
  std::vector<std::pair<Expr, Expr>> signal_rates;  ///< signal -> its time derivative

  std::vector<Expr> configuration_rates;  ///< q' and the rates of hidden states
  std::vector<std::vector<Expr>> mass_matrix;
  std::vector<Expr> forcing;                      ///< f without unknown forces
  std::vector<std::vector<Expr>> unknown_forces;  ///< W, a row for each speed
  std::vector<std::vector<Expr>> rows;            ///< A
  std::vector<Expr> row_forcing;                  ///< b
  std::vector<Expr> row_remainders;               ///< c
  std::vector<Expr> positions;                    ///< g of configuration constraints
  std::vector<AuxiliaryLine> auxiliary;           ///< those that hold unknown forces

  /// Symbols of what is solved for.
  std::vector<Expr> speed_rates, unknowns, multipliers;

  std::vector<std::string> state_names, input_names, parameter_names;

 private:
  Replacements list_symbols(const Equations& equations);
  void put_equations(const Equations& equations);

  Substitution definitions_;
  std::optional<ExprPool::Avoiding> scope_;
};

}  // namespace visviva
