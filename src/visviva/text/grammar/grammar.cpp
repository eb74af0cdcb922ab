#include "visviva/text/grammar/grammar.h"

#include <algorithm>

#include "visviva/base/error.h"

namespace visviva {
namespace {

template <class Rule, class Text>
const Rule* find_rule(const std::vector<Rule>& rules, std::string_view name, Text Rule::*member) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.*member == name; });
  return found == rules.end() ? nullptr : &*found;
}

template <class Rule, class Text>
std::vector<std::string> names_of(const std::vector<Rule>& rules, Text Rule::*member) {
  std::vector<std::string> names;
  for (const Rule& rule : rules) names.push_back(rule.*member);
  return names;
}

}  // namespace

const StatementRule* find_statement(std::string_view keyword) {
  return find_rule(statement_rules(), keyword, &StatementRule::keyword);
}

const StatementRule& statement_rule(StatementKind kind) {
  for (const StatementRule& rule : statement_rules()) {
    if (rule.kind == kind) return rule;
  }
  throw InternalError("a statement is not in the grammar");
}

const SolidRule* find_solid(std::string_view word) {
  return find_rule(solid_rules(), word, &SolidRule::word);
}

const JointRule* find_joint(std::string_view word) {
  return find_rule(joint_rules(), word, &JointRule::word);
}

const FunctionRule* find_function(std::string_view name) {
  return find_rule(function_rules(), name, &FunctionRule::name);
}

const ClauseRule* find_clause(const StatementRule& rule, std::string_view word) {
  return find_rule(rule.clauses, word, &ClauseRule::word);
}

bool is_reserved_word(std::string_view word) {
  const auto& words = reserved_words();
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view reserved_scalar_meaning(std::string_view name) {
  for (const auto* names : {&reserved_scalars(), &constant_names()}) {
    if (const ReservedName* found = find_rule(*names, name, &ReservedName::name))
      return found->meaning;
  }
  return {};
}

std::vector<std::string> statement_keywords() {
  return names_of(statement_rules(), &StatementRule::keyword);
}

std::vector<std::string> function_names() {
  return names_of(function_rules(), &FunctionRule::name);
}

std::vector<std::string> clause_words(const StatementRule& rule) {
  return names_of(rule.clauses, &ClauseRule::word);
}

}  // namespace visviva
