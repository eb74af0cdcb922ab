// PrintedForms: many expressions simplified once, with common intermediates, to be written in any
// notation, whole or term by term.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/symbolic/core/expr.h"
#include "visviva/symbolic/print/form_system.h"

namespace visviva {

/// A term of a written sum; `value` comes with its sign.
struct PrintedTerm {
  bool negative = false;
  std::string text;  ///< without the sign
  Expr value;
};

class PrintedForms {
 public:
  /// How an expression is written; UsageError for one that was not among those given.
  std::string text(const Expr& expr, const NotationWriter& writer) const;
  std::vector<PrintedTerm> terms(const Expr& expr, const NotationWriter& writer) const;
  /// The length of an expression's text, in characters of the model language.
  std::size_t length(const Expr& expr) const;

  std::size_t intermediate_count() const { return system_.cuts.size(); }
  const std::string& intermediate_name(std::size_t k) const {
    return system_.names.at(system_.cuts[k]);
  }
  Expr intermediate_value(std::size_t k) const { return Expr(*pool_, system_.cuts[k] << 1); }
  std::string intermediate_text(std::size_t k, const NotationWriter& writer) const;
  std::vector<PrintedTerm> intermediate_terms(std::size_t k, const NotationWriter& writer) const;
  /// The intermediates that some expressions need, directly or through others, in an order that
  /// defines each before its use.
  std::vector<std::size_t> intermediates_of(const std::vector<Expr>& exprs) const;

 private:
  friend PrintedForms print_forms(const std::vector<Expr>& exprs, const PrintOptions& options);
  /// `system` has a form for each of `roots`.
  PrintedForms(ExprPool& pool, const std::vector<Ref>& roots, FormSystem system);
  const Form& form(const Expr& expr) const;
  std::vector<PrintedTerm> split(const Form& form, const NotationWriter& writer) const;

  ExprPool* pool_;
  FormSystem system_;
  std::unordered_map<Ref, std::size_t> places_;  // of expressions among the forms
};

/// Expressions simplified as print_system does it. UsageError when there is nothing to print.
PrintedForms print_forms(const std::vector<Expr>& exprs, const PrintOptions& options = {});

}  // namespace visviva
