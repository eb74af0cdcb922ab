// The parser: a model's text into its syntax tree, with everything that is wrong with it.
#pragma once

#include "visviva/base/source_text.h"
#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// The syntax tree of a text. Never throws on bad text: what is wrong is in the tree's diagnostics,
/// what could be read in its statements.
/// `functions`: those that it may call besides its own and the language's, since other texts declare them.
/// `counts` likewise.
SyntaxTree parse_syntax(const SourceText& source, const std::set<std::string>& functions = {},
                        const Counts& counts = {});

/// A single expression, such as the value of `--set "L=0.7 m"`; nothing but diagnostics when it is
/// wrong.
struct ExpressionReading {
  std::optional<Expression> expression;
  std::vector<Diagnostic> diagnostics;
};
/// `functions`: names of functions that it may call besides those of the language.
ExpressionReading parse_expression(const SourceText& source,
                                   const std::set<std::string>& functions = {});

}  // namespace visviva
