#include "visviva/symbolic/print/print.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/combination.h"
#include "visviva/symbolic/print/form_system.h"

namespace visviva {
namespace {

PrintedSystem write_system(ExprPool& pool, const FormSystem& forms, const NotationWriter& writer) {
  PrintedSystem system;
  for (std::size_t i = 0; i < forms.cuts.size(); ++i) {
    system.intermediates.push_back({forms.names.at(forms.cuts[i]),
                                    write_form(pool, forms.definitions[i], forms.names, writer),
                                    Expr(pool, forms.cuts[i] << 1)});
  }
  for (const Form& form : forms.forms)
    system.expressions.push_back(write_form(pool, form, forms.names, writer));
  return system;
}

// The forms of coefficients times names, as one sum.
std::string write_combination(const ExprPool& pool, const FormSystem& system,
                              const std::vector<std::string>& names, const NotationWriter& writer) {
  std::vector<WrittenCoefficient> coefficients;
  std::vector<std::string> written_names;
  for (std::size_t i = 0; i < system.forms.size(); ++i) {
    const Form& whole = system.forms[i];
    const bool negative =
        whole.kind == Form::Kind::sum ? has_negative_lead(whole) : is_negative(whole);
    const Form form = negative ? negate(whole) : whole;
    const bool one = form.kind == Form::Kind::number && is_one(form.number);
    coefficients.push_back({{negative, write_form(pool, form, system.names, writer)},
                            form.kind == Form::Kind::sum,
                            one});
    written_names.push_back(writer.name(names[i]));
  }
  return write_combination(coefficients, written_names, writer);
}

// The one expression of a system, with what it needs said after it.
std::string written_with_intermediates(const PrintedSystem& system, Notation notation) {
  if (system.intermediates.empty()) return system.expressions.front();
  std::vector<std::string> names, definitions;
  for (const Intermediate& intermediate : system.intermediates) {
    names.push_back(print_name(intermediate.name, notation));
    definitions.push_back(intermediate.expression);
  }
  return notation_writer(notation).where(system.expressions.front(), names, definitions);
}

}  // namespace

PrintedSystem print_system(const std::vector<Expr>& exprs, const PrintOptions& options) {
  if (exprs.empty()) return {};
  Workspace work(common_pool(exprs, "print_system"));
  ExprPool& pool = work.pool();
  const FormSystem forms = make_form_system(pool, refs_in(pool, exprs, "print_system"), options);
  PrintedSystem system = write_system(pool, forms, notation_writer(options.notation));
  system.pool = work.finish();
  return system;
}

std::string print(const Expr& expr, Notation notation) {
  if (!expr.valid()) throw UsageError("print", "an empty Expr was used");
  return written_with_intermediates(print_system({expr}, {.notation = notation}), notation);
}

std::string print_combination(const std::vector<Expr>& coefficients,
                              const std::vector<std::string>& names, Notation notation) {
  if (coefficients.size() != names.size())
    throw UsageError("print_combination", "expected a name for each coefficient");
  std::vector<Ref> roots;
  std::vector<std::string> kept;
  if (coefficients.empty()) return notation_writer(notation).number({.digits = "0"});
  const Workspace work(common_pool(coefficients, "print_combination"));
  const std::vector<Ref> refs = refs_in(work.pool(), coefficients, "print_combination");
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (coefficients[i].is_zero()) continue;
    roots.push_back(refs[i]);
    kept.push_back(names[i]);
  }
  const NotationWriter& writer = notation_writer(notation);
  if (roots.empty()) return writer.number({.digits = "0"});
  const FormSystem forms = make_form_system(work.pool(), roots, {.notation = notation});
  PrintedSystem system = write_system(work.pool(), forms, writer);
  system.expressions = {write_combination(work.pool(), forms, kept, writer)};
  return written_with_intermediates(system, notation);
}

std::string print_name(std::string_view name, Notation notation) {
  return notation_writer(notation).name(name);
}

}  // namespace visviva
