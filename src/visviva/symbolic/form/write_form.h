// The one walker that turns a Form into text: signs, brackets, fractions; a NotationWriter does the
// spelling.
#pragma once

#include <string>
#include <unordered_map>

#include "visviva/symbolic/form/form.h"
#include "visviva/symbolic/form/notation.h"

namespace visviva {

/// Names of nodes that are written by name instead of by their expression: node index -> name.
using NodeNames = std::unordered_map<std::uint32_t, std::string>;

/// The text of a form.
std::string write_form(const ExprPool& pool, const Form& form, const NodeNames& names,
                       const NotationWriter& writer);

/// One written term of a sum, and what it says without its sign.
struct FormTerm {
  SignedText written;
  Form form;
};

/// The terms of a sum as write_form() puts them one after the other; one for what is no sum.
std::vector<FormTerm> write_terms(const ExprPool& pool, const Form& form, const NodeNames& names,
                                  const NotationWriter& writer);

/// The length of a form's text, in characters of the model language.
std::size_t written_length(const ExprPool& pool, const Form& form, const NodeNames& names);

/// The cost of reading a form, compared when the shorter of two forms is wanted: characters, and a
/// surcharge for brackets in brackets.
std::size_t reading_cost(const ExprPool& pool, const Form& form, const NodeNames& names);

}  // namespace visviva
