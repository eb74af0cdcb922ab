// RunExpressions: equations of motion as functions of numbers that a run has: time, state, inputs,
// tables at that time, and parameters. Specified functions, and parameters that depend on others,
// are replaced by their definitions, hidden orientations that nothing needs by the identity.
//
//   arguments = (t, y, inputs, signals),   y = (coordinates, hidden states, speeds)
// M, W, A, b, c and the auxiliary equations are those of solve.h (1); rows are A u + c = 0.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// A derivative of a table, looked up before every call.
struct Signal {
  std::shared_ptr<const Spline> table;
  int order;
  std::string name;  ///< of the function whose table it is
};

/// C u' - V τ - L'λ = d
struct AuxiliaryLine {
  std::vector<Expr> mass, unknowns, rows;  ///< C, V, L
  Expr forcing;                            ///< d
};

/// While this value lives, forms without what is replaced are preferred (ExprPool::Avoiding): a
/// definition that cancels out must not come back in an older form of the same value.
struct RunExpressions {
  /// `wanted`: all that is computed besides the motion, before put(); hidden states that only it
  /// needs stay. ModelError when a definition makes a divisor zero.
  explicit RunExpressions(const Equations& equations, const std::vector<Expr>& wanted = {});

  /// An expression of the equations or of `wanted` with the definitions put in.
  Expr put(const Expr& e);
  std::vector<Expr> put(const std::vector<Expr>& e);

  /// From now on forms without these symbols are preferred as well; an empty list takes that back.
  void avoid(std::vector<Expr> symbols);

  std::vector<Expr> arguments() const;
  std::size_t argument_count() const { return 1 + state.size() + inputs.size() + signals.size(); }

  ExprPool& pool;
  Expr time;
  std::vector<Expr> state, inputs, signals;
  std::vector<Expr> parameters;  ///< parameters that follow from no others
  std::size_t configuration_count = 0;
  std::vector<Signal> tables;                       ///< the table of each signal
  std::vector<std::pair<Expr, Expr>> signal_rates;  ///< signal -> its time derivative

  std::vector<Expr> configuration_rates;  ///< q' and the rates of hidden states
  std::vector<std::vector<Expr>> mass_matrix;
  std::vector<Expr> forcing;                      ///< f without unknown forces
  std::vector<std::vector<Expr>> unknown_forces;  ///< W, a row for each speed
  std::vector<std::vector<Expr>> rows;            ///< A
  std::vector<Expr> row_forcing;                  ///< b
  std::vector<Expr> row_remainders;               ///< c
  std::vector<Expr> positions;                    ///< g of configuration constraints
  std::vector<AuxiliaryLine> auxiliary;           ///< auxiliary equations that hold unknown forces

  /// Symbols of what is solved for.
  std::vector<Expr> speed_rates, unknowns, multipliers;

  std::vector<std::string> state_names, input_names, parameter_names;
  std::vector<int> quaternions;  ///< place in the state of each one's first component

 private:
  Replacements list_symbols(const Equations& equations, const std::vector<Expr>& wanted);
  void list_state(const Equations& equations, const std::vector<int>& idle);
  void put_equations(const Equations& equations);

  std::vector<Expr> replaced_;
  Substitution definitions_;
  std::optional<ExprPool::Avoiding> scope_;
};

}  // namespace visviva
