#include "visviva/symbolic/print/printed_forms.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/cone.h"

namespace visviva {

PrintedForms::PrintedForms(ExprPool& pool, const std::vector<Ref>& roots, FormSystem system)
    : pool_(&pool), system_(std::move(system)) {
  for (std::size_t i = 0; i < roots.size(); ++i) places_.emplace(roots[i], i);
}

const Form& PrintedForms::form(const Expr& expr) const {
  const auto found = places_.find(expr.ref());
  if (found == places_.end())
    throw UsageError("PrintedForms", "an expression that was not printed");
  return system_.forms[found->second];
}

std::string PrintedForms::text(const Expr& expr, const NotationWriter& writer) const {
  return write_form(*pool_, form(expr), system_.names, writer);
}

std::vector<PrintedTerm> PrintedForms::split(const Form& form, const NotationWriter& writer) const {
  std::vector<PrintedTerm> terms;
  for (FormTerm& t : write_terms(*pool_, form, system_.names, writer)) {
    const Expr size(*pool_, rebuild(*pool_, t.form));
    terms.push_back(
        {t.written.negative, std::move(t.written.text), t.written.negative ? -size : size});
  }
  return terms;
}

std::vector<PrintedTerm> PrintedForms::terms(const Expr& expr, const NotationWriter& writer) const {
  return split(form(expr), writer);
}

std::size_t PrintedForms::length(const Expr& expr) const {
  return written_length(*pool_, form(expr), system_.names);
}

std::string PrintedForms::intermediate_text(std::size_t k, const NotationWriter& writer) const {
  return write_form(*pool_, system_.definitions[k], system_.names, writer);
}

std::vector<PrintedTerm> PrintedForms::intermediate_terms(std::size_t k,
                                                          const NotationWriter& writer) const {
  return split(system_.definitions[k], writer);
}

std::vector<std::size_t> PrintedForms::intermediates_of(const std::vector<Expr>& exprs) const {
  std::unordered_set<std::uint32_t> used;
  for (const Expr& e : exprs) collect_named(form(e), system_.names, &used);
  std::vector<std::size_t> needed;
  for (std::size_t k = system_.cuts.size(); k-- > 0;) {
    if (!used.contains(system_.cuts[k])) continue;
    collect_named(system_.definitions[k], system_.names, &used);
    needed.push_back(k);
  }
  return {needed.rbegin(), needed.rend()};
}

PrintedForms print_forms(const std::vector<Expr>& exprs, const PrintOptions& options) {
  if (exprs.empty()) throw UsageError("print_forms", "expected an expression");
  ExprPool& pool = common_pool(exprs, "print_forms");
  std::vector<Ref> roots = refs_in(pool, exprs, "print_forms");
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return {pool, roots, make_form_system(pool, roots, options)};
}

}  // namespace visviva
