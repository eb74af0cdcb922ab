// Statements: reads one after another by the rules of the grammar.
#pragma once

#include "visviva/text/syntax/expression_parser.h"
#include "visviva/text/syntax/syntax.h"
#include "visviva/text/syntax/token_cursor.h"

namespace visviva {

class StatementParser {
 public:
  StatementParser(TokenCursor& cursor, SyntaxTree& tree)
      : cursor_(cursor), tree_(tree), expressions_(cursor) {}

  /// Reads the statement at the cursor into the tree and goes past its end.
  void read();

 private:
  const StatementRule* find_rule();
  const StatementRule* report_unknown_statement();
  void read_form();
  void read_documentation();
  void keep_unread_names(std::size_t place);

  // Forms
  template <class ReadItem>
  void read_list(const ReadItem& read_item);
  void read_file();
  void read_definition();
  void read_function();
  void read_mapping();
  void read_fields();
  void read_setting();
  void read_sampling();
  void read_listed_name();
  void read_output();
  void read_abscissa();
  void read_equation();
  void read_object();
  void read_roll();
  void read_claim();
  void read_case();
  void read_change();
  Expression read_target();
  SyntaxName read_name(const std::string& what, bool primes_allowed = false);
  SyntaxName read_label();
  void read_value(std::optional<Expression>& value, Presence presence);

  // Clauses, in clause_parser.cpp
  void read_clauses();
  void read_clause(const ClauseRule& rule);
  void read_values(SyntaxClause& clause);
  void read_rotary(SyntaxClause& clause);
  void read_inertia(SyntaxClause& clause);
  void read_text(SyntaxClause& clause);
  SyntaxClause read_solid(const SolidRule& solid, const SourceSpan& span);
  bool read_size(const SolidRule& solid, SyntaxClause& clause);
  SyntaxClause read_picture(const SourceSpan& span);
  void check_clauses();
  void check_body();
  void check_ends();
  void check_picture();
  void require_names(const char* word, const std::string& what);
  void check_joint();
  void check_joint_clauses(const JointRule& joint);
  void check_closing_joint(const JointRule& joint);
  void check_transmission();
  void report_missing(const std::string& what);

  TokenCursor& cursor_;
  SyntaxTree& tree_;
  ExpressionParser expressions_;
  const StatementRule* rule_ = nullptr;
  SyntaxStatement statement_;
};

}  // namespace visviva
