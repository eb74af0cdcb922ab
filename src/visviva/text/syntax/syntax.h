// The syntax tree: what a model's text says, before anyone asks what it means.
//
// The tree is plain data. Sums and products are lists, so that a long sum is not deep. Names are
// not looked up and dimensions are not checked here; words, shapes, units and counts of arguments
// are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/text/grammar/grammar.h"

namespace visviva {

/// An expression and its parts.
struct Expression {
  enum class Kind {
    number,     ///< text: its digits as typed; unit: as typed, checked, may be empty
    name,       ///< text, primes
    axis,       ///< text: the frame; axis: 'x', 'y' or 'z'
    component,  ///< operands[0], a vector, along N; axis: 'x', 'y' or 'z'
    call,       ///< text: the function, known; operands: its arguments, counted
    negate,     ///< - operands[0]
    sum,        ///< operands with operators '+' or '-' before each; the first is '+'
    product,  ///< operands with operators '*' or '/' before each, from left to right; the first is
              ///< '*'
    power,    ///< operands[0] ^ operands[1]
    phrase,  ///< text: the word; `P on C`, `space zxz`, `column 2`, `unit N` (unit); "at": a value and its
    ///< place, `w at L`, or the place of a derivative, last among the operands of `d`; "over":
    ///< the axes of a table, phrases "axis" with an expression, its unit, and in `operators`
    ///< what is outside, if said
    text  ///< text: without quotes
  };
  Kind kind = Kind::name;
  SourceSpan span;  ///< without surrounding brackets; cut at the end of its first line
  std::string text;
  std::string unit;
  int primes = 0;
  char axis = 0;
  std::string operators;
  std::vector<Expression> operands;
};

/// A name where one is declared or referred to, with its place.
struct SyntaxName {
  std::string text;  ///< empty: none was given
  int primes = 0;
  SourceSpan span;
};

/// One entry of a list: a declared name, a setting, an output, an equation or a lock.
struct SyntaxItem {
  /// declarations and locks: the name; outputs: the name before `=`; equations: the label before
  /// `:`
  SyntaxName name;
  /// settings and changes: what is set; equations: the left side; outputs: the expression;
  /// claims that something is constant: what
  std::optional<Expression> target;
  std::vector<SyntaxName> parameters{};  ///< functions: between the brackets
  std::optional<Expression> value;       ///< after `=`; never for locks and outputs
  bool is_held = false;                  ///< states: `held`
  bool is_lock = false;                  ///< `lock NAME` among the changes of a case
  std::string claim{};                   ///< claims: the word before the name
  bool is_for_these_values = false;      ///< claims: `for these values`
  bool is_abscissa = false;              ///< plots: what stands after `over`, the last item
  SourceSpan span;
};

/// A clause of a statement: its word, and what stands after it.
struct SyntaxClause {
  std::string word;
  SourceSpan span;  ///< of the word
  std::vector<Expression>
      values;  ///< equation: left and right; box: three sizes; along: a bare x, y or z
  std::vector<SyntaxClause> clauses;  ///< solids: radius, length, along; shape: the solid
};

/// A statement: its keyword, and everything after it.
struct SyntaxStatement {
  StatementKind kind = StatementKind::model;
  SourceSpan keyword;
  SourceSpan span;  ///< the whole statement, cut at the end of its first line
  SyntaxName name;  ///< of title, object, roll (its label) and case; of a file its path
  std::vector<SyntaxItem> items;  ///< of lists; roll: one item, its target the rolling body
  std::vector<SyntaxClause> clauses;
  std::optional<Expression>
      value;                  ///< after `=`, of force, torque, potential, dissipation; of gravity
  std::string documentation;  ///< the trailing text
  bool damaged = false;       ///< an error was reported inside: what is here is what could be read
};

/// A joint, gear or belt that became other statements.
struct ExpandedJoint {
  std::string name;
  std::string kind;                     ///< pin, ..., gear, belt
  std::vector<std::string> statements;  ///< what it stands for, as text
  SourceSpan span;
};

/// Whole numbers that a text names by `count`.
using Counts = std::map<std::string, std::int64_t, std::less<>>;

/// All statements of a text.
struct SyntaxTree {
  std::string file;
  std::vector<SyntaxStatement> statements;
  std::vector<Diagnostic> diagnostics;  ///< errors and warnings, sorted by place
  /// Names in statements that could not be read to their end: no reason to call them unknown
  /// elsewhere.
  std::set<std::string> unread_names;
  std::set<std::string> functions;    ///< that its statements declare
  Counts counts;                      ///< that it declares, and those of other texts
  std::vector<ExpandedJoint> joints;  ///< whose statements are among the others
  bool is_incomplete = false;         ///< a file that it includes could not be read

  bool has_errors() const;
};

/// The clause of this word; nullptr when there is none.
const SyntaxClause* find_clause(const SyntaxStatement& statement, std::string_view word);
const SyntaxClause* find_clause(const SyntaxClause& clause, std::string_view word);

/// A name with its primes, as a user writes it: theta''.
std::string with_primes(const std::string& name, int primes);

/// An expression fully bracketed, for tests and messages: "(-(x ^ 2))".
std::string print_syntax(const Expression& expression);

/// An expression as a user would write it, with no more brackets than it needs.
std::string write_syntax(const Expression& expression);

}  // namespace visviva
