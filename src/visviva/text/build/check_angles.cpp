#include "visviva/text/build/check_angles.h"

#include <charconv>
#include <cmath>

namespace visviva {
namespace {

constexpr double full_turn = 6.283185307179586;

// The operand is an angle of `rotate`, or the argument of sin, cos or tan.
bool takes_angle(const Expression& e, std::size_t operand) {
  const bool is_wave = e.text == "sin" || e.text == "cos" || e.text == "tan";
  return e.kind == Expression::Kind::call && (is_wave || (e.text == "rotate" && operand >= 2));
}

// Names that stand for angles: those that an angle of `rotate`, or the argument of sin, cos or tan, is or, for
// coordinates, mentions. A parameter that is only a factor there may be a ratio.
class AngleNames {
 public:
  AngleNames(const SyntaxTree& tree, const ModelData& model) {
    for (const CoordinateData& q : model.coordinates)
      if (q.quaternion < 0 && q.dimension.is_dimensionless()) coordinates_.insert(q.name);
    for (const SyntaxStatement& s : tree.statements) {
      if (s.value) walk(*s.value);
      for (const SyntaxItem& item : s.items) {
        if (item.target) walk(*item.target);
        if (item.value) walk(*item.value);
      }
      for (const SyntaxClause& clause : s.clauses) walk(clause);
    }
  }

  bool has(const std::string& name) const { return names_.count(name) != 0; }

 private:
  void walk(const SyntaxClause& clause) {
    for (const Expression& value : clause.values) walk(value);
    for (const SyntaxClause& part : clause.clauses) walk(part);
  }

  void walk(const Expression& e) {
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (takes_angle(e, i)) take_angle(e.operands[i], true);
      walk(e.operands[i]);
    }
  }

  void take_angle(const Expression& e, bool is_whole) {
    if (e.kind == Expression::Kind::name && e.primes == 0 &&
        (is_whole || coordinates_.count(e.text) != 0))
      names_.insert(e.text);
    const bool is_sum = e.kind == Expression::Kind::sum || e.kind == Expression::Kind::negate;
    for (const Expression& operand : e.operands) take_angle(operand, is_whole && is_sum);
  }

  std::set<std::string> coordinates_, names_;
};

// A number as it stands, perhaps with a sign or as a guess; NaN for anything else.
double bare_number(const Expression& e) {
  if (e.kind == Expression::Kind::phrase && e.text == "about") return bare_number(e.operands[0]);
  if (e.kind == Expression::Kind::negate) return -bare_number(e.operands[0]);
  double value = std::nan("");
  if (e.kind == Expression::Kind::number && e.unit.empty())
    std::from_chars(e.text.data(), e.text.data() + e.text.size(), value);
  return value;
}

class AngleCheck {
 public:
  AngleCheck(const SyntaxTree& tree, const ModelData& model) : angles_(tree, model) {}

  void check(const std::string& name, const Expression& value) {
    if (angles_.has(name)) check_number("the angle '" + name + "'", value);
  }

  // An angle on one side of an equation, a number on the other.
  void check_sides(const Expression& left, const Expression& right) {
    if (is_name(left)) check(left.text, right);
    if (is_name(right)) check(right.text, left);
  }

  void check_numbers_in(const Expression& e) {
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (takes_angle(e, i)) check_number("this angle", e.operands[i]);
      check_numbers_in(e.operands[i]);
    }
  }

  std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  static bool is_name(const Expression& e) {
    return e.kind == Expression::Kind::name && e.primes == 0;
  }

  void check_number(const std::string& what, const Expression& value) {
    if (!(std::fabs(bare_number(value)) > full_turn)) return;
    const Expression& shown = value.kind == Expression::Kind::phrase ? value.operands[0] : value;
    const std::string number =
        shown.kind == Expression::Kind::negate ? "-" + shown.operands[0].text : shown.text;
    found_.push_back(
        {Severity::warning, "W-angle-large",
         what + " is " + number + " rad: a number without a unit",
         "write " + number + " deg for degrees, " + number + " rad if radians are meant",
         shown.span});
  }

  AngleNames angles_;
  std::vector<Diagnostic> found_;
};

// The scalar that an item gives a value; empty for none, or for a rate.
std::string target_of(const SyntaxItem& item) {
  if (item.target)
    return item.target->kind == Expression::Kind::name && item.target->primes == 0
               ? item.target->text
               : "";
  return item.name.primes == 0 ? item.name.text : "";
}

bool gives_values(StatementKind kind) {
  return kind == StatementKind::coordinate || kind == StatementKind::parameter ||
         kind == StatementKind::specified || kind == StatementKind::input ||
         kind == StatementKind::start || kind == StatementKind::case_;
}

void check_clauses(const SyntaxStatement& s, AngleCheck* check) {
  const SyntaxClause *on = find_clause(s, "on"), *rest = find_clause(s, "rest"),
                     *when = find_clause(s, "when");
  if (on != nullptr && rest != nullptr && !on->values.empty() && !rest->values.empty())
    check->check(on->values[0].text, rest->values[0]);
  if (when != nullptr && when->values.size() == 2)
    check->check_sides(when->values[0], when->values[1]);
  for (const SyntaxClause& clause : s.clauses) {
    for (const Expression& value : clause.values) check->check_numbers_in(value);
  }
}

void check_statement(const SyntaxStatement& s, AngleCheck* check) {
  if (s.value) check->check_numbers_in(*s.value);
  for (const SyntaxItem& item : s.items) {
    if (item.target) check->check_numbers_in(*item.target);
    if (!item.value) continue;
    check->check_numbers_in(*item.value);
    if (gives_values(s.kind)) check->check(target_of(item), *item.value);
    if (s.kind == StatementKind::constraint && item.target)
      check->check_sides(*item.target, *item.value);
  }
  check_clauses(s, check);
}

}  // namespace

std::vector<Diagnostic> check_angles(const SyntaxTree& tree, const ModelData& model,
                                     ModelChanges& changes) {
  AngleCheck check(tree, model);
  for (const SyntaxStatement& s : tree.statements) check_statement(s, &check);
  for (const auto& [name, change] : changes.all())
    if (change.from_command_line) check.check(name, change.value);
  return check.take();
}

}  // namespace visviva
