// Printing expressions for people: in the model language, in LaTeX and in MathML, simplified and
// never too long.
//
// | to print                       | call              | what comes back                          |
// |--------------------------------|-------------------|------------------------------------------|
// | one expression                 | print             | its text                                 |
// | a sum of expressions and names | print_combination | its text                                 |
// | many, in one notation          | print_system      | PrintedSystem: their texts, in order     |
// | the same, to be looked up      | PrintedTexts      | itself (printed_texts.h)                 |
// | many, in several notations     | print_forms       | PrintedForms, written later, whole or    |
// |                                |                   | term by term (printed_forms.h)           |
//
// Expressions are printed; what is a Form or a text already is written (write_form.h,
// combination.h).
//
// What is printed is proved equal to the expression (its value in the pool is compared).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/symbolic/core/expr.h"
#include "visviva/symbolic/print/print_options.h"

namespace visviva {

/// A name for a part of printed expressions.
struct Intermediate {
  std::string name;        ///< plain, as in the model language; print_name() typesets it
  std::string expression;  ///< uses symbols and earlier intermediates
  Expr value;
};

/// Expressions as texts, and the names that they share.
struct PrintedSystem {
  std::shared_ptr<const ExprPool> pool;  ///< holds the values of the intermediates
  std::vector<Intermediate> intermediates;
  std::vector<std::string> expressions;  ///< one for each given; may use all intermediates
};

/// Many expressions with common intermediates; small ones get none. MathML: one element each, to be
/// put into <math>. UsageError when an expression is empty or they are of different pools.
PrintedSystem print_system(const std::vector<Expr>& exprs, const PrintOptions& options = {});

/// One expression as text. A large one reads "... where z1 = ..., z2 = ...".
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
