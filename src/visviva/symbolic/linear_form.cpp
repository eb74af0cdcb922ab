#include "visviva/symbolic/linear_form.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/pool.h"
#include "visviva/symbolic/substitute.h"

namespace visviva {

LinearForm make_linear_form(const Expr& expr, const std::vector<Expr>& symbols) {
  ExprPool& pool = expr.pool();
  Replacements zeros;
  for (const Expr& s : symbols) zeros.emplace_back(s, pool.zero());
  Substitution at_zero(pool, zeros);

  LinearForm form;
  form.coefficients = gradient(expr, symbols);
  Expr rebuilt = pool.zero();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    // A coefficient may mention the symbols and still not depend on them; only a real dependence is refused.
    Expr& c = form.coefficients[i];
    const std::vector<Expr> inside = free_symbols(c);
    const bool mentions = std::any_of(inside.begin(), inside.end(), [&](const Expr& s) {
      return std::find(symbols.begin(), symbols.end(), s) != symbols.end();
    });
    if (mentions) {
      const std::vector<Expr> second = gradient(c, symbols);
      const bool varies = std::any_of(second.begin(), second.end(), [](const Expr& e) { return !e.is_zero(); });
      if (varies) {
        throw UsageError("make_linear_form", "the expression is not linear in '" + pool.symbol_name(symbols[i].ref()) + "'");
      }
      c = at_zero(c);
    }
    rebuilt += c * symbols[i];
  }
  form.remainder = at_zero(expr);
  // A kink at zero, such as abs(u), passes the derivatives; the sum does not.
  if (!(rebuilt + form.remainder == expr)) {
    throw UsageError("make_linear_form", "the expression is not linear in the given symbols");
  }
  return form;
}

}  // namespace visviva
