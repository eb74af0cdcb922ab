// Parameters and functions of time by what determines them: numbers that are given, t, inputs, tables.
#pragma once

#include <map>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// Whether the parameter's value is an expression of others.
bool is_derived(const ParameterData& parameter);

class Definitions {
 public:
  explicit Definitions(const ModelData& model) : model_(model) {}

  /// Definitions of all symbols in these expressions that something else determines. ModelError when a
  /// derivative is needed that nobody gives.
  Replacements replacements(const std::vector<Expr>& expressions);

  /// Definitions of all symbols of the model. A symbol whose derivative nobody gives is left out: it is an
  /// error only where it is used.
  Replacements list_all();

 private:
  Expr of_symbol(const Expr& symbol);
  Expr of_parameter(std::size_t i);
  Expr of_specified(std::size_t i, std::size_t order);
  Expr resolve(const Expr& e) { return substitute(e, replacements({e})); }
  Expr differentiate_in_time(const Expr& e) const;

  const ModelData& model_;
  std::map<std::size_t, Expr> parameters_;
  std::map<std::size_t, std::vector<Expr>> specified_;
};

/// The ModelError for expressions that cannot be had: a definition makes a divisor zero.
[[noreturn]] void fail_zero_divisor();

}  // namespace visviva
