// Expressions: numbers, names and axes, calls, and the usual operators.
//
//   sum      = placed { ("+" | "-") placed }
//   placed   = product [ "at" product ]        except where `at` begins a clause
//   product  = signed { ("*" | "/") signed }
//   signed   = ("-" | "+") signed | power
//   power    = primary [ "^" signed ]          so -x^2 is -(x^2) and a^b^c is a^(b^c)
//   primary  = number | name | name "." axis | ( call | "(" sum ")" ) [ "." axis ]
//   call     = name "(" argument { "," argument } ")"
#pragma once

#include "visviva/text/syntax/syntax.h"
#include "visviva/text/syntax/token_cursor.h"

namespace visviva {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Reads an expression; throws Abandoned when there is none, having said why.
  Expression read();
  /// The same where a start value may stand: `about` before it makes it a guess, a phrase.
  Expression read_start_value();
  /// Whether `at` outside of brackets begins a clause, from now on.
  void set_at_is_clause(bool is_clause) { at_is_clause_ = is_clause; }

 private:
  Expression read_sum();
  Expression read_placed();
  Expression read_product();
  Expression read_signed();
  Expression read_power();
  Expression read_primary();
  Expression read_number();
  Expression read_name();
  Expression read_axis(Expression name);
  Expression read_component(Expression vector, std::size_t place);
  char read_axis_letter(const char* help);
  Expression read_call(Expression name);
  void read_place(Expression* derivative);
  Expression read_argument(const std::string& function);
  Expression read_table_option();
  Expression read_table_axes();
  Expression read_column();
  std::string read_table_unit();
  Expression read_bracket();
  void check_function(const Expression& call);
  void warn_about_divisor(const Expression& product);

  class Nesting;
  TokenCursor& cursor_;
  int depth_ = 0;
  int brackets_ = 0;  // that are open
  bool at_is_clause_ = false;
};

}  // namespace visviva
