#include "visviva/symbolic/print/print_forms.h"

#include <unordered_set>

#include "visviva/base/error.h"

namespace visviva {
namespace {

void collect_names(const Form& form, const NodeNames& names,
                   std::unordered_set<std::uint32_t>* used) {
  if (form.kind == Form::Kind::leaf && names.contains(form.ref >> 1)) used->insert(form.ref >> 1);
  for (const Form& part : form.parts) collect_names(part, names, used);
}

}  // namespace

const Form& PrintedForms::form(const Expr& expr) const {
  const auto found = forms_.find(expr.ref());
  if (found == forms_.end()) throw UsageError("PrintedForms", "an expression that was not printed");
  return found->second;
}

std::string PrintedForms::text(const Expr& expr, const NotationWriter& writer) const {
  return write_form(*pool_, form(expr), names_, writer);
}

std::vector<PrintedTerm> PrintedForms::split(const Form& form, const NotationWriter& writer) const {
  std::vector<PrintedTerm> terms;
  for (FormTerm& t : write_terms(*pool_, form, names_, writer)) {
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
  return written_length(*pool_, form(expr), names_);
}

std::string PrintedForms::intermediate_text(std::size_t k, const NotationWriter& writer) const {
  return write_form(*pool_, definitions_[k], names_, writer);
}

std::vector<PrintedTerm> PrintedForms::intermediate_terms(std::size_t k,
                                                          const NotationWriter& writer) const {
  return split(definitions_[k], writer);
}

std::vector<std::size_t> PrintedForms::intermediates_of(const std::vector<Expr>& exprs) const {
  std::unordered_set<std::uint32_t> used;
  for (const Expr& e : exprs) collect_names(form(e), names_, &used);
  std::vector<std::size_t> needed;
  for (std::size_t k = cuts_.size(); k-- > 0;) {
    if (!used.contains(cuts_[k])) continue;
    collect_names(definitions_[k], names_, &used);
    needed.push_back(k);
  }
  return {needed.rbegin(), needed.rend()};
}

}  // namespace visviva
