// Derivatives by what a run changes: columns are the state, then time, then the inputs. Tables move with time.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/codegen/system/run_expressions.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/core/matrix3.h"

namespace visviva {

class ColumnDerivatives {
 public:
  explicit ColumnDerivatives(const RunExpressions& system)
      : ColumnDerivatives(system, system.state) {}
  /// With other symbols for the state.
  ColumnDerivatives(const RunExpressions& system, const std::vector<Expr>& state);

  int time_column() const { return time_; }
  /// The columns that expressions hold, ascending.
  std::vector<int> list(const std::vector<Expr>& expressions) const;
  std::vector<int> list(const Column3& c) const {
    return list(std::vector<Expr>(c.begin(), c.end()));
  }

  Expr operator()(const Expr& e, int column);
  Column3 operator()(const Column3& c, int column) {
    return {(*this)(c[0], column), (*this)(c[1], column), (*this)(c[2], column)};
  }
  /// All derivatives of one expression that are not zero.
  std::vector<std::pair<int, Expr>> list_all(const Expr& e);

 private:
  ExprPool& pool_;
  int time_;
  std::unordered_map<Ref, int> numbers_;
  std::vector<Expr> symbols_;  // by column
  std::unordered_map<int, Tangent> tangents_;
};

}  // namespace visviva
