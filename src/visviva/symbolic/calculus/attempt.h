// Expressions that may not exist: a division by what turns out to be zero, a root of a negative
// number, a number beyond the range of numbers.
//
// The pool refuses such an operation by a UsageError, since whoever writes one down made a mistake.
// Where expressions are rebuilt with values that nobody chose for them, having no result is an
// expected outcome: attempt() is the one place that turns that refusal into a value. Every other
// UsageError (an empty Expr, two pools) is a mistake there, too, and passes through.
#pragma once

#include <string>

#include "visviva/base/error.h"
#include "visviva/base/result.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// Why an expression does not exist.
struct Undefined {
  enum class Kind { zero_divisor, outside_domain, number_range };
  Kind kind = Kind::zero_divisor;
  std::string problem;  ///< what the operation that was refused says about it
};

/// The refusal of an operation as a value; throws the error on when it is another.
Undefined explain_undefined(const UsageError& error);

/// The same as an error again, with the code that explain_undefined() knows it by.
UsageError make_undefined_error(const std::string& function, const Undefined& why);

/// What `make` makes, or why that does not exist.
template <typename Make>
auto attempt(Make&& make) -> Result<decltype(make()), Undefined> {
  try {
    return make();
  } catch (const UsageError& error) {
    return explain_undefined(error);
  }
}

/// The result of substitute(), or why it does not exist.
Result<Expr, Undefined> try_substitute(const Expr& expr, const Replacements& replacements);
/// The result of a substitution with memory, or why it does not exist.
Result<Expr, Undefined> try_substitute(const Expr& expr, Substitution& substitution);

}  // namespace visviva
