// The one table of the model language: statements, clauses, solids, functions and reserved words.
//
// The parser reads its keywords here; the tables of docs/language.md and the editors' grammar are
// written from here. Units have their own table, base/unit.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace visviva {

enum class StatementKind {
  model,
  include,
  import,
  parameter,
  specified,
  input,
  coordinate,
  speed,
  start,
  dependent,
  auxiliary,
  let,
  function,
  frame,
  point,
  particle,
  body,
  picture,
  joint,
  gravity,
  force,
  torque,
  spring,
  damper,
  potential,
  dissipation,
  unknown,
  constraint,
  roll,
  lock,
  gear,
  belt,
  output,
  plot,
  study,
  event,
  claim,
  case_
};

/// How a statement goes on after its keyword.
enum class StatementForm {
  title,        ///< NAME
  file,         ///< "FILE" clauses
  definitions,  ///< NAME [= value], ...
  functions,    ///< NAME(t) [= value], ...
  mappings,     ///< NAME(NAME, ...) [= value]
  settings,     ///< target = value, ...
  names,        ///< NAME, ...
  outputs,      ///< expression, or NAME = expression, ...
  equations,    ///< [NAME:] left = right, ...
  object,       ///< NAME clauses [= value]
  expression,   ///< an expression
  roll,         ///< [NAME:] BODY clauses
  clauses,      ///< clauses only
  claims,       ///< WORD NAME [for these values], ...
  changes       ///< NAME ["text"]: target = value, lock NAME, ...
};

/// Whether a statement has something.
enum class Presence { none, optional, required };

/// The shape of what stands after a clause's word.
enum class ClauseShape {
  expression,
  list,      ///< expressions with commas between
  inertia,   ///< three or six expressions
  solid,     ///< the sizes of a solid; the word is the solid's
  picture,   ///< `shape` and a solid
  text,      ///< words in quotes
  equation,  ///< left = right
  flag       ///< nothing
};

/// A clause that a statement may have.
struct ClauseRule {
  std::string word;
  ClauseShape shape = ClauseShape::expression;
  bool required = false;
  std::string meaning;
};

/// A statement of the language.
struct StatementRule {
  StatementKind kind;
  std::string keyword;
  StatementForm form;
  Presence value = Presence::none;  ///< what follows `=`, of each item or of the statement
  std::string syntax;               ///< one line, capitals for what a user fills in
  std::string meaning;
  std::string example;  ///< whole statements that parse
  std::vector<ClauseRule> clauses{};
};

/// A solid that a body may be.
struct SolidRule {
  std::string word;
  std::vector<std::string> sizes;  ///< the words before its sizes; none for a box
  int plain_sizes = 0;             ///< sizes without a word
  bool has_axis = false;           ///< takes `along x`, `y` or `z`
  std::string meaning;
};

/// A kind of joint, and the clauses that say where it is.
struct JointRule {
  std::string word;
  std::size_t axes = 0;                ///< after `along`
  std::vector<std::string> clauses{};  ///< such as angle, in the order of their use
  bool has_own_coordinates = false;    ///< the joint declares coordinates for clauses left out
  std::string meaning;
};

/// The places where a function may stand.
enum class FunctionPlace { anywhere, frame_value, specified_value, output };

/// A function that expressions may call.
struct FunctionRule {
  std::string name;
  int least = 1;  ///< arguments
  int most = 1;   ///< -1: any number
  std::string arguments;
  std::string result;
  std::string meaning;
  FunctionPlace place = FunctionPlace::anywhere;
};

/// A name that every model has already.
struct ReservedName {
  std::string name;
  std::string meaning;
};

const std::vector<StatementRule>& statement_rules();
const std::vector<SolidRule>& solid_rules();
const std::vector<JointRule>& joint_rules();
const std::vector<FunctionRule>& function_rules();
/// The scalars that every model has: K, E_Z, ...
const std::vector<ReservedName>& reserved_scalars();
/// The names of pi and t.
const std::vector<ReservedName>& constant_names();
/// The words that will start statements one day.
const std::vector<std::string>& reserved_words();

/// The statement, solid, function or clause of a name; nullptr when there is none.
const StatementRule* find_statement(std::string_view keyword);
const StatementRule& statement_rule(StatementKind kind);
const SolidRule* find_solid(std::string_view word);
const JointRule* find_joint(std::string_view word);
const FunctionRule* find_function(std::string_view name);
const ClauseRule* find_clause(const StatementRule& rule, std::string_view word);
bool is_reserved_word(std::string_view word);
/// The meaning of a reserved scalar, of pi or of t; "" for any other name.
std::string_view reserved_scalar_meaning(std::string_view name);

std::vector<std::string> statement_keywords();
std::vector<std::string> function_names();
std::vector<std::string> clause_words(const StatementRule& rule);

}  // namespace visviva
