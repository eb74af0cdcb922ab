// PrintedTexts: many expressions printed once, in one notation and with common intermediates, and
// looked up by expression.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/symbolic/print/print.h"

namespace visviva {

class PrintedTexts {
 public:
  PrintedTexts(const std::vector<Expr>& exprs, const PrintOptions& options);

  /// How an expression is written; UsageError for one that was not among those given.
  const std::string& operator()(const Expr& expr) const;
  const std::vector<Intermediate>& intermediates() const { return intermediates_; }
  Notation notation() const { return notation_; }

 private:
  Notation notation_;
  std::vector<Intermediate> intermediates_;
  std::unordered_map<Ref, std::string> texts_;
};

}  // namespace visviva
