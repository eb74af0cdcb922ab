// The clauses of statements: at, mass, inertia, solids and the rest, and which of them must be
// there.
#include <algorithm>
#include <array>
#include <utility>

#include "visviva/base/suggest.h"
#include "visviva/base/words.h"
#include "visviva/text/syntax/statement_parser.h"

namespace visviva {
namespace {

// These follow what stands before them without a comma.
bool is_preposition(const std::string& word) {
  static constexpr std::array words = {"on", "at", "from", "to", "along", "when", "of", "as", "in"};
  return std::find(words.begin(), words.end(), word) != words.end() || find_joint(word) != nullptr;
}

bool is_axis(const Expression& e) {
  return e.kind == Expression::Kind::name && e.primes == 0 &&
         (e.text == "x" || e.text == "y" || e.text == "z");
}

std::string quote_words(const std::vector<std::string>& words) {
  return join_each(words, [](const std::string& word) { return "'" + word + "'"; });
}

}  // namespace

void StatementParser::read_clauses() {
  while (true) {
    const bool comma = cursor_.take(',');
    const Token& token = cursor_.now();
    const ClauseRule* clause =
        token.kind == TokenKind::name ? find_clause(*rule_, token.text) : nullptr;
    const bool first = statement_.clauses.empty() && rule_->form == StatementForm::clauses;
    if (clause == nullptr) {
      // What a clause may be followed by ends them; anything else was meant to be one.
      const bool finished =
          token.kind == TokenKind::end || token.kind == TokenKind::text || token.is('=');
      if (finished && !comma && !first) break;
      if (token.kind != TokenKind::name || rule_->clauses.empty()) {
        cursor_.fail_expected(
            rule_->clauses.empty() ? "'='" : "one of " + quote_words(clause_words(*rule_)));
      }
      if (cursor_.before().kind == TokenKind::number && !comma) cursor_.fail_expected("','");
      cursor_.fail(cursor_.span_of(token), "E-clause-unknown",
                   "'" + std::string(token.text) + "' is no clause of '" + rule_->keyword +
                       "'; expected " + quote_words(clause_words(*rule_)),
                   did_you_mean(token.text, clause_words(*rule_)));
    }
    if (!comma && !statement_.clauses.empty() && !is_preposition(clause->word)) {
      cursor_.report(cursor_.span_of(token), "E-syntax-expected",
                     "expected ',' before '" + clause->word + "'", "");
    }
    read_clause(*clause);
  }
  check_clauses();
}

void StatementParser::read_clause(const ClauseRule& rule) {
  SyntaxClause clause{rule.word, cursor_.span_of(cursor_.now()), {}, {}};
  cursor_.advance();
  if (find_clause(statement_, rule.word) != nullptr) {
    cursor_.report(clause.span, "E-clause-twice", "'" + rule.word + "' is given twice",
                   "keep one of them");
  }
  switch (rule.shape) {
    case ClauseShape::expression:
      clause.values.push_back(expressions_.read());
      break;
    case ClauseShape::equation:
      clause.values.push_back(expressions_.read());
      cursor_.expect('=');
      clause.values.push_back(expressions_.read());
      break;
    case ClauseShape::list:
      read_values(clause);
      break;
    case ClauseShape::inertia:
      read_inertia(clause);
      break;
    case ClauseShape::solid:
      clause = read_solid(*find_solid(rule.word), clause.span);
      break;
    case ClauseShape::picture:
      clause = read_picture(clause.span);
      break;
    case ClauseShape::text:
      read_text(clause);
      break;
    case ClauseShape::flag:
      break;
  }
  statement_.clauses.push_back(std::move(clause));
}

void StatementParser::read_values(SyntaxClause& clause) {
  do {
    clause.values.push_back(expressions_.read());
    const Token& next = cursor_.ahead(1);
    if (next.kind == TokenKind::name && find_clause(*rule_, next.text) != nullptr) break;
  } while (cursor_.take(','));
}

void StatementParser::read_text(SyntaxClause& clause) {
  const Token& token = cursor_.now();
  if (token.kind != TokenKind::text) cursor_.fail_expected("the name of a file in quotes");
  clause.values.push_back(
      {Expression::Kind::text, cursor_.span_of(token), std::string(token.text)});
  cursor_.advance();
}

void StatementParser::read_inertia(SyntaxClause& clause) {
  read_values(clause);
  const std::size_t count = clause.values.size();
  if (count == 3 || count == 6) return;
  cursor_.report(clause.span, "E-inertia-count",
                 "an inertia has 3 or 6 values, found " + std::to_string(count),
                 "inertia Ixx, Iyy, Izz or inertia Ixx, Iyy, Izz, Ixy, Iyz, Izx");
}

// shape SOLID
SyntaxClause StatementParser::read_picture(const SourceSpan& span) {
  std::vector<std::string> words;
  for (const SolidRule& solid : solid_rules()) words.push_back(solid.word);
  const Token& token = cursor_.now();
  if (token.kind != TokenKind::name) cursor_.fail_expected("one of " + list_words(words));
  const SolidRule* solid = find_solid(token.text);
  if (solid == nullptr) {
    cursor_.fail(
        cursor_.span_of(token), "E-clause-unknown",
        "there is no solid '" + std::string(token.text) + "'; expected " + quote_words(words),
        did_you_mean(token.text, words));
  }
  cursor_.advance();
  SyntaxClause clause{"shape", span, {}, {}};
  clause.clauses.push_back(read_solid(*solid, cursor_.span_of(cursor_.before())));
  return clause;
}

SyntaxClause StatementParser::read_solid(const SolidRule& solid, const SourceSpan& span) {
  SyntaxClause clause{solid.word, span, {}, {}};
  for (int i = 0; i < solid.plain_sizes; ++i) {
    if (i > 0) cursor_.expect(',');
    clause.values.push_back(expressions_.read());
  }
  while (read_size(solid, clause)) {
  }
  std::vector<std::string> wanted = solid.sizes;
  if (solid.has_axis) wanted.emplace_back("along");
  for (const std::string& word : wanted) {
    if (find_clause(clause, word) != nullptr) continue;
    // A word that is there but not readable here says more than its absence.
    if (cursor_.now().kind == TokenKind::broken) cursor_.fail_expected(word);
    cursor_.report(span, "E-clause-missing", "the " + solid.word + " has no '" + word + "'",
                   solid.meaning);
  }
  return clause;
}

// One of radius, length, along, with or without a comma before it; false when the solid is
// complete.
bool StatementParser::read_size(const SolidRule& solid, SyntaxClause& clause) {
  const Token& word = cursor_.now().is(',') ? cursor_.ahead(1) : cursor_.now();
  const bool size =
      std::find(solid.sizes.begin(), solid.sizes.end(), word.text) != solid.sizes.end();
  const bool axis = solid.has_axis && word.is_word("along");
  if (word.kind != TokenKind::name || (!size && !axis)) return false;
  cursor_.take(',');
  cursor_.advance();
  const std::string text(word.text);
  if (find_clause(clause, text) != nullptr) {
    cursor_.report(cursor_.span_of(word), "E-clause-twice", "'" + text + "' is given twice",
                   "keep one of them");
  }
  clause.clauses.push_back({text, cursor_.span_of(word), {}, {}});
  clause.clauses.back().values.push_back(expressions_.read());
  const Expression& value = clause.clauses.back().values[0];
  if (axis && !is_axis(value)) {
    cursor_.report(value.span, "E-axis-unknown", "a solid lies along x, y or z of its body's frame",
                   "write: along y");
  }
  return true;
}

void StatementParser::check_clauses() {
  for (const ClauseRule& clause : rule_->clauses) {
    if (clause.required && find_clause(statement_, clause.word) == nullptr)
      report_missing("'" + clause.word + "'");
  }
  if (rule_->kind == StatementKind::body) check_body();
  if (rule_->kind == StatementKind::spring || rule_->kind == StatementKind::damper) check_ends();
  if (rule_->kind == StatementKind::joint) check_joint();
  if (rule_->kind == StatementKind::picture) check_picture();
  if (rule_->kind == StatementKind::import) {
    require_names("as", "this robot, which its names begin with");
    require_names("in", "a frame");
  }
  if (rule_->kind == StatementKind::gear || rule_->kind == StatementKind::belt)
    check_transmission();
  const SyntaxClause* at = find_clause(statement_, "at");
  if (rule_->kind == StatementKind::force && at != nullptr &&
      find_clause(statement_, "from") != nullptr) {
    cursor_.report(at->span, "E-clause-conflict", "a force has either 'at' or 'from'",
                   "declare a point for the place, or two forces");
  }
}

void StatementParser::report_missing(const std::string& what) {
  const bool named = !statement_.name.text.empty();
  cursor_.report(named ? statement_.name.span : statement_.keyword, "E-clause-missing",
                 "the " + rule_->keyword + (named ? " '" + statement_.name.text + "'" : "") +
                     " has no " + what,
                 rule_->syntax.substr(0, rule_->syntax.find('\n')));
}

// An inertia or a solid, not both.
void StatementParser::check_body() {
  const SyntaxClause* given = nullptr;
  for (const SyntaxClause& clause : statement_.clauses) {
    if (clause.word != "inertia" && find_solid(clause.word) == nullptr) continue;
    if (given != nullptr && given->word != clause.word) {
      cursor_.report(clause.span, "E-clause-conflict",
                     "the inertia is already given by '" + given->word + "'",
                     "for a picture only, write: shape " + clause.word + " ...");
    }
    given = &clause;
  }
  if (given == nullptr) report_missing("inertia: neither 'inertia' nor a solid");
}

// A solid or a mesh, not both.
void StatementParser::check_picture() {
  require_names("of", "a body or frame");
  const SyntaxClause* given = nullptr;
  for (const SyntaxClause& clause : statement_.clauses) {
    const std::size_t count = clause.values.size();
    if (clause.word == "scale" && count != 1 && count != 3)
      cursor_.report(clause.span, "E-syntax-expected",
                     "'scale' takes 1 or 3 numbers, found " + std::to_string(count), "scale 0.001");
    if (clause.word == "turned" && count != 3)
      cursor_.report(clause.span, "E-syntax-expected",
                     "'turned' takes 3 angles, found " + std::to_string(count),
                     "turned 0, 0, 90 deg");
    if (clause.word != "mesh" && find_solid(clause.word) == nullptr) continue;
    if (given != nullptr)
      cursor_.report(clause.span, "E-clause-conflict",
                     "the picture is a " + given->word + " already",
                     "declare another picture for the " + clause.word);
    given = &clause;
  }
  if (given == nullptr) report_missing("shape: neither a solid nor 'mesh'");
  if (find_clause(statement_, "scale") != nullptr && find_clause(statement_, "mesh") == nullptr)
    cursor_.report(find_clause(statement_, "scale")->span, "E-clause-conflict",
                   "'scale' is of a mesh; a solid has its sizes", "leave 'scale' out");
}

// Two ends or a coordinate, not both.
void StatementParser::check_ends() {
  const SyntaxClause* on = find_clause(statement_, "on");
  const SyntaxClause* from = find_clause(statement_, "from");
  const SyntaxClause* to = find_clause(statement_, "to");
  if (on != nullptr && (from != nullptr || to != nullptr)) {
    cursor_.report(on->span, "E-clause-conflict",
                   "a " + rule_->keyword + " acts either between two points or on a coordinate",
                   "keep 'on', or 'from' and 'to'");
  } else if (on == nullptr && from == nullptr && to == nullptr) {
    report_missing("ends: neither 'from' and 'to' nor 'on'");
  } else if (on == nullptr && from == nullptr) {
    report_missing("'from'");
  } else if (on == nullptr && to == nullptr) {
    report_missing("'to'");
  }
}

// What must be a bare name in clauses that take expressions.
void StatementParser::require_names(const char* word, const std::string& what) {
  const SyntaxClause* clause = find_clause(statement_, word);
  if (clause == nullptr) return;
  for (const Expression& e : clause->values)
    if (e.kind != Expression::Kind::name || e.primes > 0)
      cursor_.report(e.span, "E-syntax-expected", "expected the name of " + what, "");
}

// One kind, and the clauses of that kind.
void StatementParser::check_joint() {
  require_names("of", "the frame that the joint carries");
  require_names("on", "the body or frame that carries it");
  const JointRule* joint = nullptr;
  for (const SyntaxClause& clause : statement_.clauses) {
    const JointRule* kind = find_joint(clause.word);
    if (kind != nullptr && joint != nullptr && kind != joint)
      cursor_.report(clause.span, "E-clause-conflict", "the joint is a " + joint->word + " already",
                     "keep one of them");
    if (joint == nullptr) joint = kind;
  }
  if (joint != nullptr) return check_joint_clauses(*joint);
  std::vector<std::string> words;
  for (const JointRule& rule : joint_rules()) words.push_back(rule.word);
  report_missing("kind: " + list_words(words));
}

// Both frames are there already: the joint holds points and axes of them together, and declares nothing.
void StatementParser::check_closing_joint(const JointRule& joint) {
  const SyntaxClause& at = *find_clause(statement_, "at");
  if (at.values.size() > 2)
    cursor_.report(at.span, "E-joint-clause",
                   "expected 1 or 2 points after 'at', found " + std::to_string(at.values.size()),
                   "a joint that closes a loop holds two points together: at P, Q");
  if (joint.word == "free")
    cursor_.report(at.span, "E-joint-clause", "a free joint closes no loop",
                   "leave out the second point, or the joint");
  for (const SyntaxClause& clause : statement_.clauses) {
    const std::string& word = clause.word;
    if (word == "of" || word == "on" || word == "at" || find_joint(word) != nullptr) continue;
    if (word == "pitch" && joint.word == "screw") continue;
    if (word != "along" || joint.axes == 0) {
      cursor_.report(clause.span, "E-joint-clause",
                     "a " + joint.word + " that closes a loop has no '" + word + "'",
                     "both frames are there already: the joint declares no coordinate");
      continue;
    }
    if (clause.values.size() < joint.axes || clause.values.size() > 2)
      cursor_.report(clause.span, "E-joint-clause",
                     "expected " + std::string(joint.axes == 1 ? "1 or 2" : "2") +
                         " axes after 'along', found " + std::to_string(clause.values.size()),
                     "the first moves with what carries, the second with what is carried");
    for (const Expression& axis : clause.values)
      if (!is_axis(axis) && axis.kind != Expression::Kind::axis)
        cursor_.report(axis.span, "E-axis-unknown",
                       "the axis of a joint that closes a loop is x, y, z or an axis of a frame",
                       "turn a frame until one of its axes is there, and write: along F.z");
  }
  if (joint.axes > 0 && find_clause(statement_, "along") == nullptr) report_missing("'along'");
  if (joint.word == "screw" && find_clause(statement_, "pitch") == nullptr)
    report_missing("'pitch'");
}

void StatementParser::check_joint_clauses(const JointRule& joint) {
  const SyntaxClause* at = find_clause(statement_, "at");
  if (at != nullptr && at->values.size() > 1) return check_closing_joint(joint);
  static const std::array counted = {"along", "angles", "lengths", "quaternion"};
  const auto wanted = [&](const std::string& word) -> std::size_t {
    if (word == "along") return joint.axes;
    if (word == "quaternion") return 4;
    return joint.word == "planar" || joint.word == "universal" ? 2 : 3;
  };
  for (const SyntaxClause& clause : statement_.clauses) {
    const std::string& word = clause.word;
    if (word == "of" || word == "on" || word == "at" || find_joint(word) != nullptr) continue;
    const bool is_known = word == "along" ? joint.axes > 0
                                          : std::find(joint.clauses.begin(), joint.clauses.end(),
                                                      word) != joint.clauses.end();
    if (!is_known) {
      cursor_.report(clause.span, "E-joint-clause", "a " + joint.word + " has no '" + word + "'",
                     joint.meaning);
    } else if (std::find(counted.begin(), counted.end(), word) != counted.end() &&
               clause.values.size() != wanted(word)) {
      cursor_.report(clause.span, "E-joint-clause",
                     "expected " + std::to_string(wanted(word)) + " after '" + word + "', found " +
                         std::to_string(clause.values.size()),
                     joint.meaning);
    } else if (word == "along" && joint.word == "planar" && !is_axis(clause.values[0])) {
      cursor_.report(clause.values[0].span, "E-axis-unknown",
                     "the normal of a planar joint is x, y or z", "write: along z");
    }
  }
  const SyntaxClause* angles = find_clause(statement_, "angles");
  if (angles != nullptr && find_clause(statement_, "quaternion") != nullptr)
    cursor_.report(angles->span, "E-clause-conflict",
                   "a joint has either 'angles' or a 'quaternion'", "keep one of them");
  if (joint.axes > 0 && find_clause(statement_, "along") == nullptr) report_missing("'along'");
  if (joint.has_own_coordinates) return;
  for (const std::string& word : joint.clauses)
    if (find_clause(statement_, word) == nullptr) report_missing("'" + word + "'");
}

void StatementParser::check_transmission() {
  require_names("on", "a coordinate");
  const SyntaxClause* on = find_clause(statement_, "on");
  if (on == nullptr || on->values.size() == 2) return;
  cursor_.report(on->span, "E-joint-clause",
                 "expected 2 coordinates after 'on', found " + std::to_string(on->values.size()),
                 rule_->syntax);
}

}  // namespace visviva
