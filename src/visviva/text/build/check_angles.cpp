#include "visviva/text/build/check_angles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace visviva {
namespace {

constexpr double full_turn = 6.283185307179586;

// What numbers without a unit come to; NaN where anything else is among them.
double bare_number(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::phrase:
      return e.text == "about" ? bare_number(e.operands[0]) : std::nan("");
    case Expression::Kind::negate:
      return -bare_number(e.operands[0]);
    case Expression::Kind::sum:
    case Expression::Kind::product: {
      const bool is_sum = e.kind == Expression::Kind::sum;
      double value = is_sum ? 0.0 : 1.0;
      for (std::size_t i = 0; i < e.operands.size(); ++i) {
        const double part = bare_number(e.operands[i]);
        if (is_sum)
          value += e.operators[i] == '-' ? -part : part;
        else
          value = e.operators[i] == '/' ? value / part : value * part;
      }
      return value;
    }
    case Expression::Kind::number: {
      double value = std::nan("");
      if (e.unit.empty()) std::from_chars(e.text.data(), e.text.data() + e.text.size(), value);
      return value;
    }
    default:
      return std::nan("");
  }
}

// The operand is an angle of `rotate`, or the argument of sin, cos or tan.
bool takes_angle(const Expression& e, std::size_t operand) {
  const bool is_wave = e.text == "sin" || e.text == "cos" || e.text == "tan";
  return e.kind == Expression::Kind::call && (is_wave || (e.text == "rotate" && operand >= 2));
}

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

// What has to be of the same kind: a scalar and its value, a coordinate and a spring's rest, sides of an equation.
using Pair = std::pair<const Expression*, const Expression*>;

std::optional<Pair> sides_of(const SyntaxStatement& s) {
  const SyntaxClause *on = find_clause(s, "on"), *rest = find_clause(s, "rest"),
                     *when = find_clause(s, "when");
  if (on != nullptr && rest != nullptr && !on->values.empty() && !rest->values.empty())
    return Pair(&on->values[0], &rest->values[0]);
  if (when != nullptr && when->values.size() == 2) return Pair(&when->values[0], &when->values[1]);
  return std::nullopt;
}

// Names that stand for angles: those that an angle of `rotate`, or the argument of sin, cos or tan, is or, for
// coordinates, mentions, and those that an angle has its value from. A parameter that is only a factor there may be a ratio.
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
    for (std::size_t before = 0; before != names_.size();) {
      before = names_.size();
      for (const SyntaxStatement& s : tree.statements) follow(s);
    }
  }

  bool has(const std::string& name) const { return names_.count(name) != 0; }

  // An angle, or a sum or multiple of angles.
  bool is_angle(const Expression& e) const {
    if (e.kind == Expression::Kind::name) return e.primes == 0 && has(e.text);
    if (e.kind == Expression::Kind::negate) return is_angle(e.operands[0]);
    if (e.kind != Expression::Kind::sum && e.kind != Expression::Kind::product) return false;
    const bool is_product = e.kind == Expression::Kind::product;
    bool has_angle = false;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      const Expression& part = e.operands[i];
      const bool is_one = is_angle(part) && !(is_product && e.operators[i] == '/');
      if (is_product && !is_one && std::isnan(bare_number(part))) return false;
      if (is_product && is_one && has_angle) return false;
      has_angle = has_angle || is_one;
    }
    return has_angle;
  }

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

  // What an angle is equal to is one.
  void follow(const SyntaxStatement& s) {
    for (const SyntaxItem& item : s.items) {
      if (item.value && gives_values(s.kind) && has(target_of(item))) take_angle(*item.value, true);
      if (item.value && item.target && s.kind == StatementKind::constraint)
        follow(*item.target, *item.value);
    }
    if (const std::optional<Pair> sides = sides_of(s)) follow(*sides->first, *sides->second);
  }

  void follow(const Expression& left, const Expression& right) {
    if (is_angle(left)) take_angle(right, true);
    if (is_angle(right)) take_angle(left, true);
  }

  void take_angle(const Expression& e, bool is_whole) {
    if (e.kind == Expression::Kind::name && e.primes == 0 &&
        (is_whole || coordinates_.count(e.text) != 0))
      names_.insert(e.text);
    const bool is_sum = e.kind == Expression::Kind::sum || e.kind == Expression::Kind::negate ||
                        e.kind == Expression::Kind::phrase;
    for (const Expression& operand : e.operands) take_angle(operand, is_whole && is_sum);
  }

  std::set<std::string> coordinates_, names_;
};

class AngleCheck {
 public:
  AngleCheck(const SyntaxTree& tree, const ModelData& model) : angles_(tree, model) {}

  void check(const std::string& name, const Expression& value) {
    if (angles_.has(name)) check_angle("the angle '" + name + "'", value);
  }

  // Angles on one side of an equation, a number on the other.
  void check_sides(const Expression& left, const Expression& right) {
    for (const auto& [side, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
      if (angles_.is_angle(*side)) check_angle(name_of(*side), *other);
    }
  }

  void check_numbers_in(const Expression& e) {
    const bool is_angle = e.kind == Expression::Kind::sum && angles_.is_angle(e);
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (is_angle || takes_angle(e, i)) check_number("this angle", e.operands[i]);
      check_numbers_in(e.operands[i]);
    }
  }

  std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  static std::string name_of(const Expression& e) {
    return e.kind == Expression::Kind::name ? "the angle '" + e.text + "'" : "this angle";
  }

  // A number, or terms of which one swings: 45*sin(w*t). Numbers among terms are found where sums are looked at.
  void check_angle(const std::string& what, const Expression& value) {
    check_number(what, value);
    if (!std::isnan(bare_number(value))) return;
    const bool has_terms = value.kind == Expression::Kind::sum ||
                           value.kind == Expression::Kind::negate ||
                           (value.kind == Expression::Kind::phrase && value.text == "about");
    for (const Expression& part : value.operands) {
      if (has_terms) check_angle(what, part);
    }
    if (value.kind == Expression::Kind::product && swings(value))
      for (const Expression& part : value.operands) check_number(what, part);
  }

  static bool swings(const Expression& product) {
    bool has_wave = false;
    for (std::size_t i = 0; i < product.operands.size(); ++i) {
      const Expression& part = product.operands[i];
      const bool is_wave = part.kind == Expression::Kind::call && takes_angle(part, 0);
      if (product.operators[i] == '/' || (!is_wave && std::isnan(bare_number(part)))) return false;
      has_wave = has_wave || is_wave;
    }
    return has_wave;
  }

  void check_number(const std::string& what, const Expression& value) {
    const double number = bare_number(value);
    if (!(std::fabs(number) > full_turn)) return;
    const Expression& shown = value.kind == Expression::Kind::phrase ? value.operands[0] : value;
    const auto is_new = [&](const Diagnostic& d) {
      return d.span.line == 0 || d.span.line != shown.span.line ||
             d.span.column != shown.span.column;
    };
    if (!std::all_of(found_.begin(), found_.end(), is_new)) return;
    const std::string text = fmt::format("{:.12g}", number);
    found_.push_back(
        {Severity::warning, "W-angle-large", what + " is " + text + " rad: a number without a unit",
         "write " + text + " deg for degrees, " + text + " rad if radians are meant", shown.span});
  }

  AngleNames angles_;
  std::vector<Diagnostic> found_;
};

void check_clauses(const SyntaxStatement& s, AngleCheck* check) {
  if (const std::optional<Pair> sides = sides_of(s))
    check->check_sides(*sides->first, *sides->second);
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
