// Printed: many expressions written once, with common intermediates, and looked up by expression.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/symbolic/print/print.h"

namespace visviva {

class Printed {
 public:
  Printed(const std::vector<Expr>& exprs, const PrintOptions& options);

  /// How an expression is written; UsageError for one that was not among those given.
  const std::string& operator()(const Expr& expr) const;
  const std::vector<Intermediate>& intermediates() const { return intermediates_; }
  Notation notation() const { return notation_; }

 private:
  Notation notation_;
  std::vector<Intermediate> intermediates_;
  std::unordered_map<Ref, std::string> texts_;
};

/// Where a long written sum may be broken: its terms, each with its sign; the first may have none.
/// Brackets are looked into down to the given depth.
std::vector<std::string> split_terms(const std::string& text, int max_depth = 0);

/// A sum of written coefficients times written names, "m*L^2*theta'' + (m + M)*x''", names last.
/// "0" when all coefficients are zero.
std::string write_combination(const std::vector<std::string>& coefficients,
                              const std::vector<std::string>& names, Notation notation);

}  // namespace visviva
