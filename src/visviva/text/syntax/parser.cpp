#include "visviva/text/syntax/parser.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "visviva/text/syntax/check_syntax.h"
#include "visviva/text/syntax/expand_loops.h"
#include "visviva/text/syntax/lexer.h"
#include "visviva/text/syntax/limits.h"
#include "visviva/text/syntax/statement_parser.h"

namespace visviva {
namespace {

void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(
      diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.span.line, a.span.column) < std::tie(b.span.line, b.span.column);
      });
  if (diagnostics.size() > most_problems) diagnostics.resize(most_problems);
}

// Names after `function` and `line` at the start of statements: expressions before them may call them.
std::set<std::string> find_declared_functions(const std::vector<Token>& tokens) {
  std::set<std::string> names;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool starts = i == 0 || tokens[i - 1].kind == TokenKind::end;
    const bool declares = tokens[i].is_word("function") || tokens[i].is_word("line");
    if (starts && declares && tokens[i + 1].kind == TokenKind::name)
      names.emplace(tokens[i + 1].text);
  }
  return names;
}

}  // namespace

SyntaxTree parse_syntax(const SourceText& source, const std::set<std::string>& functions,
                        const Counts& counts) {
  SyntaxTree tree;
  tree.file = source.file;
  TokenList list = make_tokens(source);
  tree.counts = counts;
  expand_loops(source, &list, &tree.counts);
  tree.diagnostics = list.diagnostics;

  std::vector<Diagnostic> found;
  if (list.tokens.size() == 1 && list.diagnostics.empty()) {
    found.push_back({Severity::error,
                     "E-file-empty",
                     "the file holds no statements",
                     "start with: model NAME \"what it is\"",
                     {source.file, 1, 1, 1}});
  }
  TokenCursor cursor(source, list.tokens, found);
  tree.functions = find_declared_functions(list.tokens);
  std::set<std::string> callable = functions;
  callable.insert(tree.functions.begin(), tree.functions.end());
  cursor.set_functions(callable);
  StatementParser parser(cursor, tree);
  while (!cursor.done() && found.size() < most_problems) {
    // A file without statements is a single end.
    if (cursor.at_end()) {
      cursor.next_statement();
    } else {
      parser.read();
    }
  }
  append(tree.diagnostics, std::move(found));
  append(tree.diagnostics, check_reserved_names(tree));
  append(tree.diagnostics, check_function_places(tree));
  append(tree.diagnostics, check_hidden_names(tree, source, list.tokens));
  sort_by_place(tree.diagnostics);
  return tree;
}

ExpressionReading parse_expression(const SourceText& source,
                                   const std::set<std::string>& functions) {
  TokenList list = make_tokens(source);
  Counts none;
  expand_loops(source, &list, &none);
  ExpressionReading reading{std::nullopt, list.diagnostics};
  std::vector<Diagnostic> found;
  TokenCursor cursor(source, list.tokens, found);
  cursor.set_functions(functions);
  if (reading.diagnostics.empty()) {
    try {
      Expression expression = ExpressionParser(cursor).read_start_value();
      if (!cursor.at_end() || cursor.place() + 1 < list.tokens.size())
        cursor.fail_expected("an operator or the end of the line");
      if (found.empty()) reading.expression = std::move(expression);
    } catch (const Abandoned&) {
      reading.expression.reset();
    }
  }
  append(reading.diagnostics, std::move(found));
  sort_by_place(reading.diagnostics);
  return reading;
}

}  // namespace visviva
