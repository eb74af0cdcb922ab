#include "visviva/symbolic/calculus/attempt.h"

namespace visviva {

// Called where the error is being handled, so that it can be thrown on.
Undefined explain_undefined(const UsageError& error) {
  const std::string& code = error.code();
  if (code == "E-division-by-zero") return {Undefined::Kind::zero_divisor, error.problem()};
  if (code == "E-value-domain") return {Undefined::Kind::outside_domain, error.problem()};
  const std::string& function = error.function();
  if (code == "E-number-range" || function == "ExprPool::rational" ||
      function == "ExprPool::number")
    return {Undefined::Kind::number_range, error.problem()};
  throw;
}

UsageError make_undefined_error(const std::string& function, const Undefined& why) {
  switch (why.kind) {
    case Undefined::Kind::zero_divisor:
      return {function, why.problem, "E-division-by-zero"};
    case Undefined::Kind::outside_domain:
      return {function, why.problem, "E-value-domain"};
    case Undefined::Kind::number_range:
      break;
  }
  return {function, why.problem, "E-number-range"};
}

Result<Expr, Undefined> try_substitute(const Expr& expr, const Replacements& replacements) {
  Substitution substitution(expr.pool(), replacements);
  return try_substitute(expr, substitution);
}

Result<Expr, Undefined> try_substitute(const Expr& expr, Substitution& substitution) {
  return attempt([&] { return substitution(expr); });
}

}  // namespace visviva
