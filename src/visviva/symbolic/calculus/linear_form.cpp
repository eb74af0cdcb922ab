#include "visviva/symbolic/calculus/linear_form.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/pool.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

// Removes symbols from expressions whose value does not depend on them.
class Elimination {
 public:
  Elimination(ExprPool& pool, const std::vector<Expr>& symbols) : pool_(pool), symbols_(symbols) {
    std::int64_t n = 1;
    for (const Expr& s : symbols) {
      zeros_.emplace_back(s, pool.zero());
      elsewhere_.emplace_back(s, pool.rational(++n, 7));
    }
  }

  bool mentions(const Expr& e) const {
    const std::vector<Expr> inside = free_symbols(e);
    return std::any_of(inside.begin(), inside.end(), [&](const Expr& s) {
      return std::find(symbols_.begin(), symbols_.end(), s) != symbols_.end();
    });
  }

  Expr operator()(const Expr& e) const {
    if (!mentions(e)) return e;
    const Expr simple = replace(e);
    if (!mentions(simple)) return simple;
    const ExprPool::Avoiding scope(pool_, symbols_);
    return replace(e);
  }

 private:
  // Zeros give the simplest form; where the form at hand divides by zero there, any other values
  // do.
  Expr replace(const Expr& e) const {
    try {
      return substitute(e, zeros_);
    } catch (const UsageError&) {
      return substitute(e, elsewhere_);
    }
  }

  ExprPool& pool_;
  const std::vector<Expr>& symbols_;
  Replacements zeros_, elsewhere_;
};

}  // namespace

LinearForm make_linear_form(const Expr& expr, const std::vector<Expr>& symbols) {
  ExprPool& pool = expr.pool();
  const auto refuse = [](const std::string& what) {
    throw UsageError("make_linear_form", "the expression is not linear in " + what);
  };
  LinearForm form;
  form.coefficients = gradient(expr, symbols);
  const Elimination eliminate(pool, symbols);
  Expr rest = expr;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    // A coefficient may mention the symbols and still not depend on them; only a real dependence is
    // refused.
    Expr& c = form.coefficients[i];
    if (eliminate.mentions(c)) {
      const std::vector<Expr> second = gradient(c, symbols);
      const bool varies =
          std::any_of(second.begin(), second.end(), [](const Expr& e) { return !e.is_zero(); });
      if (varies) refuse("'" + symbols[i].home().symbol_name(symbols[i].ref()) + "'");
      c = eliminate(c);
    }
    rest -= c * symbols[i];
  }
  // A kink or a jump, such as abs(u), passes the derivatives; then what is left is not the
  // remainder.
  form.remainder = eliminate(rest);
  if (!(form.remainder == rest)) refuse("the given symbols");
  return form;
}

}  // namespace visviva
