#include "visviva/text/build/check_angles.h"

#include <charconv>
#include <cmath>

namespace visviva {
namespace {

using Kind = Expression::Kind;

constexpr double full_turn = 6.283185307179586;

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
    const bool is_wave = e.text == "sin" || e.text == "cos" || e.text == "tan";
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (e.kind == Kind::call && (is_wave || (e.text == "rotate" && i >= 2)))
        take_angle(e.operands[i], true);
      walk(e.operands[i]);
    }
  }

  void take_angle(const Expression& e, bool is_whole) {
    if (e.kind == Kind::name && e.primes == 0 && (is_whole || coordinates_.count(e.text) != 0))
      names_.insert(e.text);
    const bool is_sum = e.kind == Kind::sum || e.kind == Kind::negate;
    for (const Expression& operand : e.operands) take_angle(operand, is_whole && is_sum);
  }

  std::set<std::string> coordinates_, names_;
};

// A number as it stands, perhaps with a sign; NaN for anything else.
double bare_number(const Expression& e) {
  if (e.kind == Kind::negate) return -bare_number(e.operands[0]);
  double value = std::nan("");
  if (e.kind == Kind::number && e.unit.empty())
    std::from_chars(e.text.data(), e.text.data() + e.text.size(), value);
  return value;
}

class AngleCheck {
 public:
  AngleCheck(const SyntaxTree& tree, const ModelData& model) : angles_(tree, model) {}

  void check(const std::string& name, const Expression& value) {
    if (!angles_.has(name) || !(std::fabs(bare_number(value)) > full_turn)) return;
    const std::string number =
        value.kind == Kind::negate ? "-" + value.operands[0].text : value.text;
    found_.push_back(
        {Severity::warning, "W-angle-large",
         "the angle '" + name + "' is " + number + " rad: a number without a unit",
         "write " + number + " deg for degrees, " + number + " rad if radians are meant",
         value.span});
  }

  std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  AngleNames angles_;
  std::vector<Diagnostic> found_;
};

// The scalar that an item gives a value; empty for none, or for a rate.
std::string target_of(const SyntaxItem& item) {
  if (item.target)
    return item.target->kind == Kind::name && item.target->primes == 0 ? item.target->text : "";
  return item.name.primes == 0 ? item.name.text : "";
}

bool gives_values(StatementKind kind) {
  return kind == StatementKind::coordinate || kind == StatementKind::parameter ||
         kind == StatementKind::specified || kind == StatementKind::input ||
         kind == StatementKind::start || kind == StatementKind::case_;
}

}  // namespace

std::vector<Diagnostic> check_angles(const SyntaxTree& tree, const ModelData& model,
                                     ModelChanges& changes) {
  AngleCheck check(tree, model);
  for (const SyntaxStatement& s : tree.statements) {
    if (!gives_values(s.kind)) continue;
    for (const SyntaxItem& item : s.items)
      if (item.value) check.check(target_of(item), *item.value);
  }
  for (const auto& [name, change] : changes.all())
    if (change.from_command_line) check.check(name, change.value);
  return check.take();
}

}  // namespace visviva
