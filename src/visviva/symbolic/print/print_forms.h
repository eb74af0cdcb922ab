// PrintedForms: many expressions simplified once, with common intermediates, to be written in any
// notation, whole or term by term.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/symbolic/print/print.h"
#include "visviva/symbolic/form/print_walk.h"

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
  /// Characters in the model language.
  std::size_t length(const Expr& expr) const;

  std::size_t intermediate_count() const { return cuts_.size(); }
  const std::string& intermediate_name(std::size_t k) const { return names_.at(cuts_[k]); }
  Expr intermediate_value(std::size_t k) const { return Expr(*pool_, cuts_[k] << 1); }
  std::string intermediate_text(std::size_t k, const NotationWriter& writer) const;
  std::vector<PrintedTerm> intermediate_terms(std::size_t k, const NotationWriter& writer) const;
  /// Those that some expressions need, directly or through others, in an order that defines each
  /// before its use.
  std::vector<std::size_t> intermediates_of(const std::vector<Expr>& exprs) const;

 private:
  friend class SystemPrinter;
  explicit PrintedForms(ExprPool& pool) : pool_(&pool) {}
  const Form& form(const Expr& expr) const;
  std::vector<PrintedTerm> split(const Form& form, const NotationWriter& writer) const;

  ExprPool* pool_;
  std::unordered_map<Ref, Form> forms_;
  std::vector<std::uint32_t> cuts_;  // nodes of the intermediates, and their forms
  std::vector<Form> definitions_;
  NodeNames names_;
};

/// As print_system does; `notation` does not matter. UsageError when there is nothing to print.
PrintedForms print_forms(const std::vector<Expr>& exprs, const PrintOptions& options = {});

}  // namespace visviva
