// FunctionSymbol: the name of a function that nobody defined, taken apart.
//
// "X(theta)" is the function X with a parameter called theta, "d(X, theta)(theta)" its derivative by it; "f(x, y)" and
// "d(f, x, y)(x, y)" likewise. Parameters that a derivative is taken by stand in their order: mixed
// derivatives are one function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace visviva {

struct FunctionSymbol {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::size_t> by;  ///< parameters it is differentiated by, ascending

  /// The function's derivative by one more parameter.
  FunctionSymbol derivative(std::size_t parameter) const;
  /// "X", or "d(X, theta)": what stands before the arguments.
  std::string head() const;
  /// "X(theta)", or "d(X, theta)(theta)".
  std::string text() const;
};

/// Takes apart what FunctionSymbol::text() wrote.
FunctionSymbol read_function_symbol(std::string_view text);

}  // namespace visviva
