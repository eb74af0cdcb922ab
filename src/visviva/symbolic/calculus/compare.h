// Three answers to "are these equal?": equal, different with a state that shows it, undecided.
//
// `==` of expressions asks the fields only: it proves equality and never difference. compare() adds
// the other half: a real state at which both sides, evaluated in ball arithmetic, lie in disjoint
// intervals. docs/theory/equality.md.
#pragma once

#include <utility>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

enum class Verdict { equal, different, undecided };

/// An answer of compare(). Equality holds wherever both sides are defined.
struct Comparison {
  Verdict verdict = Verdict::undecided;
  /// When equal: a bound on the probability that this is wrong, docs/theory/equality.md (6); 1
  /// means that the bound says nothing.
  double error_probability = 0.0;
  /// When different: a value for every symbol, and both sides there. The verdict was reached with
  /// exact values; entries of a unit quaternion are fractions, rounded here.
  std::vector<std::pair<Expr, double>> witness;
  double left = 0.0;
  double right = 0.0;
  double difference = 0.0;  ///< left - right, accurate even where the doubles above agree
};

/// The verdict on two expressions. UsageError when an expression is empty or the pools differ.
/// Deterministic: states are pseudo-random with a fixed seed.
Comparison compare(const Expr& a, const Expr& b);

/// The bound of Comparison::error_probability for two expressions whose fingerprints agree.
double bound_error_probability(const Expr& a, const Expr& b);

}  // namespace visviva
