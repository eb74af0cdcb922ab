#include "visviva/symbolic/calculus/linear_form.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/pool.h"

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

  // Nothing where the expression is not defined with any values tried.
  std::optional<Expr> operator()(const Expr& e) const {
    if (!mentions(e)) return e;
    const std::optional<Expr> simple = replace(e);
    if (!simple || !mentions(*simple)) return simple;
    const ExprPool::Avoiding scope(pool_, symbols_);
    return replace(e);
  }

 private:
  // Zeros give the simplest form; where the form at hand divides by zero there, any other values
  // do.
  std::optional<Expr> replace(const Expr& e) const {
    for (const Replacements* values : {&zeros_, &elsewhere_}) {
      if (const auto value = try_substitute(e, *values)) return *value;
    }
    return {};
  }

  ExprPool& pool_;
  const std::vector<Expr>& symbols_;
  Replacements zeros_, elsewhere_;
};

// True when the expression is linear as it is written: the symbols stand in sums, and as one factor of
// products and numerators.
bool is_written_linear(const Expr& expr, const std::vector<Expr>& symbols) {
  const ExprPool& pool = expr.pool();
  IndexMap inside;  // nodes with a symbol under them
  for (const Expr& s : symbols) inside.set(expr.pool().take(s) >> 1, 1);
  for (const std::uint32_t index : collect_cone(pool, {expr.ref()})) {
    const Node& n = pool.node(index << 1);
    const int operands = operand_count(n.op);
    const bool is_in_a = operands > 0 && inside.contains(n.a >> 1);
    const bool is_in_b = operands > 1 && inside.contains(n.b >> 1);
    if (!is_in_a && !is_in_b) continue;
    if (!is_arithmetic(n.op) || (n.op == Op::multiply && is_in_a && is_in_b) ||
        (n.op == Op::divide && is_in_b))
      return false;
    inside.set(index, 1);
  }
  return true;
}

}  // namespace

Result<LinearForm, NotLinear> find_linear_form(const Expr& expr, const std::vector<Expr>& symbols) {
  if (is_written_linear(expr, symbols)) {
    Replacements zeros;
    for (const Expr& s : symbols) zeros.emplace_back(s, expr.pool().zero());
    if (const auto rest = try_substitute(expr, zeros))
      return LinearForm{gradient(expr, symbols), *rest};
  }
  LinearForm form;
  form.coefficients = gradient(expr, symbols);
  const Elimination eliminate(expr.pool(), symbols);
  Expr rest = expr;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    // A coefficient may mention the symbols and still not depend on them; only a real dependence is
    // refused.
    Expr& c = form.coefficients[i];
    if (eliminate.mentions(c)) {
      const std::vector<Expr> second = gradient(c, symbols);
      const bool varies =
          std::any_of(second.begin(), second.end(), [](const Expr& e) { return !e.is_zero(); });
      const std::optional<Expr> constant = varies ? std::nullopt : eliminate(c);
      if (!constant) return NotLinear{symbols[i]};
      c = *constant;
    }
    rest -= c * symbols[i];
  }
  // A kink or a jump, such as abs(u), passes the derivatives; then what is left is not the
  // remainder.
  const std::optional<Expr> remainder = eliminate(rest);
  if (!remainder || !(*remainder == rest)) return NotLinear{};
  form.remainder = *remainder;
  return form;
}

LinearForm make_linear_form(const Expr& expr, const std::vector<Expr>& symbols) {
  auto form = find_linear_form(expr, symbols);
  if (form) return *std::move(form);
  const std::optional<Expr>& symbol = form.why().symbol;
  throw UsageError("make_linear_form",
                   "the expression is not linear in " +
                       (symbol ? "'" + symbol->home().symbol_name(symbol->ref()) + "'"
                               : std::string("the given symbols")));
}

}  // namespace visviva
