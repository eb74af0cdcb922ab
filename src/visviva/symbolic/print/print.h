// Printing expressions for people: in the model language, in LaTeX and in MathML, simplified and
// never too long.
//
// What is printed is proved equal to the expression (its value in the pool is compared).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/symbolic/core/expr.h"
#include "visviva/symbolic/form/print_notation.h"

namespace visviva {

struct PrintOptions {
  Notation notation = Notation::language;
  /// An expression that can be written in so many characters (of the model language) needs no
  /// intermediates.
  std::size_t inline_length = 400;
  /// In larger ones, what occurs more than once gets a name from this size (in nodes) on, ...
  std::size_t shared_size = 8;
  /// ... and anything beyond this size. Total text is linear in the nodes, whatever the options.
  std::size_t line_size = 40;
  /// Names of intermediates: prefix and a number; numbers that would give a symbol's name are left
  /// out.
  std::string prefix = "z";
  /// Work spent on simplification, for all expressions together; beyond it they are printed as
  /// built.
  std::size_t work = 12'000'000;
};

/// A name for a part of printed expressions.
struct Intermediate {
  std::string name;        ///< plain, as in the model language; print_name() typesets it
  std::string expression;  ///< uses symbols and earlier intermediates
  Expr value;
};

struct PrintedSystem {
  std::shared_ptr<const ExprPool> pool;  ///< holds the values of the intermediates
  std::vector<Intermediate> intermediates;
  std::vector<std::string> expressions;  ///< one for each given; may use all intermediates
};

/// Many expressions with common intermediates; small ones get none. MathML: one element each, to be
/// put into <math>. UsageError when an expression is empty or they are of different pools.
PrintedSystem print_system(const std::vector<Expr>& exprs, const PrintOptions& options = {});

/// One expression. A large one reads "... where z1 = ..., z2 = ...".
std::string print(const Expr& expr, Notation notation = Notation::language);

/// A sum of coefficients times named things, such as unit vectors: (L*cos(q) + x)*A.x - r*A.z. Each
/// coefficient is simplified by itself, and its name comes last. "0" when all are zero. UsageError
/// unless there is a name for each coefficient.
std::string print_combination(const std::vector<Expr>& coefficients,
                              const std::vector<std::string>& names,
                              Notation notation = Notation::language);

/// The name of a symbol or intermediate, typeset and escaped. A dot makes a unit vector: A.x.
std::string print_name(std::string_view name, Notation notation);

}  // namespace visviva
