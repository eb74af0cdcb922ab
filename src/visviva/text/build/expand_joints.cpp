#include "visviva/text/build/expand_joints.h"

#include <utility>

namespace visviva {
namespace {

using Kind = Expression::Kind;

bool is_letter(const Expression& e) {
  return e.kind == Kind::name && e.primes == 0 && (e.text == "x" || e.text == "y" || e.text == "z");
}

// Statements made from a joint: what they are made of stands where the user wrote it, the rest where
// the joint does.
class Expansion {
 public:
  Expansion(const SyntaxStatement& joint, std::vector<SyntaxStatement>* statements)
      : joint_(joint), statements_(*statements) {
    told_.name = joint.name.text;
    told_.span = joint.span;
  }

  ExpandedJoint expand() {
    if (joint_.kind == StatementKind::joint)
      expand_joint();
    else
      expand_transmission();
    return std::move(told_);
  }

 private:
  // ---- Expressions

  Expression name(const std::string& text) const { return {Kind::name, joint_.name.span, text}; }
  Expression number(const std::string& text) const {
    return {Kind::number, joint_.name.span, text};
  }
  Expression combine(Kind kind, const std::string& operators,
                     std::vector<Expression> operands) const {
    Expression e{kind, operands[0].span};
    e.operators = operators;
    e.operands = std::move(operands);
    return e;
  }
  Expression call(const std::string& function, std::vector<Expression> arguments) const {
    Expression e{Kind::call, joint_.span, function};
    e.operands = std::move(arguments);
    return e;
  }
  Expression value(const char* clause, std::size_t i = 0) const {
    return find_clause(joint_, clause)->values[i];
  }
  bool has(const char* clause) const { return find_clause(joint_, clause) != nullptr; }
  Expression carrier() const { return value("on"); }
  // x, y or z of the carrying frame, or a vector of length 1.
  Expression direction(const Expression& axis) const {
    if (!is_letter(axis)) return call("unit", {axis});
    Expression e{Kind::axis, axis.span, carrier().text};
    e.axis = axis.text[0];
    return e;
  }
  Expression direction(char letter) const { return direction(name(std::string(1, letter))); }
  static Expression rate(Expression coordinate) {
    ++coordinate.primes;
    return coordinate;
  }

  // ---- Statements

  void declare(StatementKind kind, const SyntaxName& name, const Expression& value) {
    SyntaxStatement s = make(kind);
    s.items.push_back({.name = name, .value = value, .span = joint_.span});
    add(std::move(s), name.text + " = " + write_syntax(value));
  }
  void declare_frame(const Expression& turned) {
    const Expression& of = find_clause(joint_, "of")->values[0];
    declare(StatementKind::frame, {of.text, 0, of.span}, turned);
  }
  // The point of the joint's name: its place, and what the lengths add to it.
  void declare_point(std::vector<Expression> terms = {}) {
    const Expression at = value("at");
    std::string signs = at.kind == Kind::sum ? at.operators : "+";
    signs.append(terms.size(), '+');
    const std::vector<Expression> before =
        at.kind == Kind::sum ? at.operands : std::vector<Expression>{at};
    terms.insert(terms.begin(), before.begin(), before.end());
    declare(StatementKind::point, joint_.name,
            terms.size() == 1 ? terms[0] : combine(Kind::sum, signs, terms));
  }
  SyntaxStatement make(StatementKind kind) const {
    SyntaxStatement s;
    s.kind = kind;
    s.keyword = joint_.keyword;
    s.span = joint_.span;
    s.documentation = joint_.documentation;
    return s;
  }
  void add(SyntaxStatement s, const std::string& text) {
    told_.statements.push_back(statement_rule(s.kind).keyword + " " + text);
    statements_.push_back(std::move(s));
  }

  // ---- Joints

  void expand_joint() {
    for (const SyntaxClause& clause : joint_.clauses)
      if (find_joint(clause.word) != nullptr) told_.kind = clause.word;
    const std::string& kind = told_.kind;
    if (find_clause(joint_, "at")->values.size() == 2) return close_loop(kind);
    if (kind == "pin" || kind == "screw" || kind == "planar")
      declare_frame(call("rotate", {carrier(), value("along"), value("angle")}));
    if (kind == "slider" || kind == "weld")
      declare_frame(call("rotate", {carrier(), name("x"), number("0")}));
    if (kind == "universal") declare_cross();
    if (kind == "ball" || kind == "free") declare_free_frame();
    if (kind == "slider") return declare_point({moved(value("length"), value("along"))});
    if (kind == "screw") return declare_point({advance()});
    if (kind == "planar" || kind == "free") return declare_moved_point(kind);
    declare_point();
  }

  Expression moved(const Expression& length, const Expression& axis) const {
    return combine(Kind::product, "**", {length, direction(axis)});
  }
  // p*q/(2*pi) along the axis.
  Expression advance() const {
    const Expression turn = combine(Kind::product, "**", {number("2"), name("pi")});
    return combine(Kind::product, "**/*",
                   {value("pitch"), value("angle"), turn, direction(value("along"))});
  }

  // The cross of a universal joint has no mass: it is a frame only.
  void declare_cross() {
    const std::string cross = joint_.name.text + "_cross";
    declare(StatementKind::frame, {cross, 0, joint_.name.span},
            call("rotate", {carrier(), value("along", 0), value("angles", 0)}));
    declare_frame(call("rotate", {name(cross), value("along", 1), value("angles", 1)}));
  }

  void declare_free_frame() {
    if (has("angles"))
      return declare_frame(call("rotate", {carrier(), name("xyz"), value("angles", 0),
                                           value("angles", 1), value("angles", 2)}));
    std::vector<Expression> parameters = {carrier()};
    for (std::size_t i = 0; i < 4; ++i)
      parameters.push_back(has("quaternion") ? value("quaternion", i)
                                             : declare_coordinate("_e" + std::to_string(i)));
    declare_frame(call("quaternion", parameters));
  }

  // Along the axes of the plane in their turn, or along x, y, z.
  void declare_moved_point(const std::string& kind) {
    const std::string axes = kind == "free"               ? "xyz"
                             : value("along").text == "x" ? "yz"
                             : value("along").text == "y" ? "zx"
                                                          : "xy";
    std::vector<Expression> terms;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const Expression length =
          has("lengths") ? value("lengths", i) : declare_coordinate(std::string("_") + axes[i]);
      terms.push_back(combine(Kind::product, "**", {length, direction(axes[i])}));
    }
    declare_point(terms);
  }

  // Without a start value, so that the model may give one.
  Expression declare_coordinate(const std::string& ending) {
    const std::string own = joint_.name.text + ending;
    SyntaxStatement s = make(StatementKind::coordinate);
    s.items.push_back({.name = {own, 0, joint_.name.span}, .span = joint_.span});
    add(std::move(s), own);
    return name(own);
  }

  // ---- Joints that close a loop

  struct LoopAxis {
    std::string frame;
    char letter;
  };
  Expression axis_of(const LoopAxis& axis, int further) const {
    Expression e{Kind::axis, joint_.name.span, axis.frame};
    e.axis = static_cast<char>('x' + (axis.letter - 'x' + further) % 3);
    return e;
  }
  LoopAxis loop_axis(const Expression& written, const char* frame) const {
    if (written.kind == Kind::axis) return {written.text, written.axis};
    return {value(frame).text, written.text[0]};
  }

  void constrain(const Expression& left, const Expression& right) {
    SyntaxStatement s = make(StatementKind::constraint);
    SyntaxName own = joint_.name;
    if (constraints_ > 0 || left.kind == Kind::call)
      own.text += "_" + std::to_string(++constraints_);
    const std::string text = own.text + ": " + write_syntax(left) + " = " + write_syntax(right);
    s.items.push_back({.name = own, .target = left, .value = right, .span = joint_.span});
    add(std::move(s), text);
  }
  void constrain(const Expression& left) { constrain(left, number("0")); }
  Expression gap() const { return combine(Kind::sum, "+-", {value("at", 1), value("at", 0)}); }

  void hold_point() { constrain(gap()); }
  void hold_along(const LoopAxis& a, int further) {
    constrain(call("dot", {gap(), axis_of(a, further)}));
  }
  // The axis of one is orthogonal to the two others of the other frame.
  void hold_axis(const LoopAxis& a, const LoopAxis& b) {
    for (const int further : {1, 2}) constrain(call("dot", {axis_of(a, 0), axis_of(b, further)}));
  }
  // Axis for axis, beginning with the ones named.
  void hold_frame(const LoopAxis& a, const LoopAxis& b) {
    for (const int further : {0, 1, 2})
      constrain(call("dot", {axis_of(a, further), axis_of(b, further + 1)}));
  }

  void close_loop(const std::string& kind) {
    LoopAxis a{value("on").text, 'x'}, b{value("of").text, 'x'};
    if (const SyntaxClause* along = find_clause(joint_, "along")) {
      a = loop_axis(along->values[0], "on");
      b = along->values.size() == 2 ? loop_axis(along->values[1], "of")
                                    : LoopAxis{value("of").text, a.letter};
    }
    if (kind == "pin" || kind == "ball" || kind == "universal" || kind == "weld") hold_point();
    if (kind == "slider" || kind == "screw")
      for (const int further : {1, 2}) hold_along(a, further);
    if (kind == "planar") hold_along(a, 0);
    if (kind == "pin" || kind == "planar" || kind == "screw") hold_axis(a, b);
    if (kind == "universal") constrain(call("dot", {axis_of(a, 0), axis_of(b, 0)}));
    if (kind == "slider" || kind == "weld") hold_frame(a, b);
    if (kind == "screw") hold_thread(a);
  }

  // The rate at which the points move apart along the axis is that of the turn, times p/(2*pi).
  void hold_thread(const LoopAxis& a) {
    const Expression turn = combine(Kind::product, "**", {number("2"), name("pi")});
    const Expression rate_of_turn =
        call("dot", {call("angular_velocity", {value("of"), value("on")}), axis_of(a, 0)});
    const Expression apart = combine(Kind::sum, "+-",
                                     {call("velocity", {value("at", 1), value("on")}),
                                      call("velocity", {value("at", 0), value("on")})});
    constrain(call("dot", {apart, axis_of(a, 0)}),
              combine(Kind::product, "**/", {value("pitch"), rate_of_turn, turn}));
  }

  // ---- Gears and belts

  void expand_transmission() {
    told_.kind = statement_rule(joint_.kind).keyword;
    const Expression first = rate(value("on", 0));
    const Expression second = combine(Kind::product, "**", {value("ratio"), rate(value("on", 1))});
    SyntaxStatement s = make(StatementKind::constraint);
    s.items.push_back({.name = joint_.name, .target = first, .value = second, .span = joint_.span});
    add(std::move(s), joint_.name.text + ": " + write_syntax(first) + " = " + write_syntax(second));
  }

  const SyntaxStatement& joint_;
  std::vector<SyntaxStatement>& statements_;
  ExpandedJoint told_;
  int constraints_ = 0;  // that have a number in their names
};

bool is_expanded(StatementKind kind) {
  return kind == StatementKind::joint || kind == StatementKind::gear || kind == StatementKind::belt;
}

}  // namespace

void expand_joints(SyntaxTree* tree) {
  std::vector<SyntaxStatement> statements;
  for (SyntaxStatement& s : tree->statements) {
    if (!is_expanded(s.kind))
      statements.push_back(std::move(s));
    else if (!s.damaged)
      tree->joints.push_back(Expansion(s, &statements).expand());
  }
  tree->statements = std::move(statements);
}

}  // namespace visviva
