// FunctionSymbol: the name of a function that the pool does not know from the inside, taken apart.
//
// "X(theta)" is the function X with a parameter called theta, "d(X, theta)(theta)" its derivative by it; "f(x, y)" and
// "d(f, x, y)(x, y)" likewise. Parameters that a derivative is taken by stand in their order: mixed
// derivatives are one function. "integral(X, theta)(theta)" is what has X for its derivative by theta.
//
// A function may have a table (ExprPool::define_table), which gives it values; else nobody defined it.
// "corners(X, theta, 2)(theta)" of a table changes its sign at some of its knots (base/table_function.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visviva {

struct FunctionSymbol {
  struct Corner {
    std::size_t parameter;
    int bit;
  };

  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::size_t> by{};    ///< parameters it is differentiated by, ascending
  std::vector<std::size_t> over{};  ///< parameters it is integrated over, ascending; none of `by`
  std::optional<Corner> corner{};

  /// The function's derivative by one more parameter.
  FunctionSymbol derivative(std::size_t parameter) const;
  /// The function whose derivative by the parameter this is.
  FunctionSymbol integral(std::size_t parameter) const;
  /// "X", or "d(X, theta)": what stands before the arguments.
  std::string head() const;
  /// "X(theta)", or "d(X, theta)(theta)".
  std::string text() const;
};

/// Takes apart what FunctionSymbol::text() wrote.
FunctionSymbol read_function_symbol(std::string_view text);

}  // namespace visviva
