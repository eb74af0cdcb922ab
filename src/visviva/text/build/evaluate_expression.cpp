// Expressions of the language: from the syntax tree to scalars, vectors and positions, with
// dimensions checked.
#include <algorithm>

#include "visviva/base/suggest.h"
#include "visviva/base/unit.h"
#include "visviva/model/declare.h"
#include "visviva/text/grammar/grammar.h"
#include "visviva/text/build/model_builder.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

const char* kind_name(const Value& v) {
  return std::holds_alternative<Quantity>(v) ? "a scalar"
         : std::holds_alternative<Vector>(v) ? "a vector"
                                             : "a point";
}

bool is_plain_zero(const Value& v) {
  const Quantity* q = std::get_if<Quantity>(&v);
  return q != nullptr && q->is_plain_zero();
}

}  // namespace

Value ModelBuilder::evaluate(const Expression& e) {
  model_.set_source(e.span, documentation_);
  try {
    return evaluate_here(e);
  } catch (const UsageError& error) {
    fail(e.span, error.code().empty() ? "E-value-domain" : error.code(), error.problem());
  }
}

Value ModelBuilder::evaluate_here(const Expression& e) {
  switch (e.kind) {
    case Kind::number:
      return evaluate_number(e);
    case Kind::name:
      return evaluate_name(e);
    case Kind::axis: {
      const Frame f = find_frame(SyntaxName{e.text, 0, e.span});
      return displaced_axis(f, e.axis == 'x' ? f.x() : e.axis == 'y' ? f.y() : f.z());
    }
    case Kind::call:
      return evaluate_call(e);
    case Kind::negate: {
      const Value v = evaluate(e.operands[0]);
      if (const Quantity* q = std::get_if<Quantity>(&v)) return -*q;
      if (const Vector* w = std::get_if<Vector>(&v)) return -*w;
      fail(e.span, "E-point-scale", "a point cannot be negated",
           "subtract another point to get a vector");
    }
    case Kind::sum:
      return evaluate_sum(e);
    case Kind::product:
      return evaluate_product(e);
    case Kind::power:
      return pow(scalar(e.operands[0]), scalar(e.operands[1]));
    case Kind::phrase:
    case Kind::text:
      break;
  }
  fail(e.span, "E-scalar-expected", "expected an expression");
}

Value ModelBuilder::evaluate_number(const Expression& e) {
  ExprPool& pool = *model_.data().pool;
  if (has_syntax_error(e.span)) throw Stop();  // such as a unit that is none
  Expr value = pool.decimal(e.text);
  if (e.unit.empty()) return Quantity(value, Dimension());
  const Unit unit = *parse_unit(e.unit).unit;
  value = value * pool.rational(unit.num, unit.den);
  if (unit.pi_power != 0) value = value * pow(pool.pi(), pool.rational(unit.pi_power));
  return Quantity(value, unit.dimension);
}

std::optional<Quantity> ModelBuilder::find_scalar(const std::string& name, int primes) {
  const auto found = scalars_.find(name);
  if (found == scalars_.end()) return std::nullopt;
  Quantity q = found->second;
  for (int i = 0; i < primes; ++i) q = model_.rate(q);
  return q;
}

// A point or an axis as it is; while a constraint is read once more, after a small displacement.
Position ModelBuilder::displaced(const Point& P) {
  if (virtuals_ == nullptr) return P;
  const VirtualData v = model_.virtual_displacement(P);
  const auto same = [&](const VirtualData& w) { return !w.is_rotation && w.index == v.index; };
  if (std::none_of(virtuals_->begin(), virtuals_->end(), same)) virtuals_->push_back(v);
  return P + Vector(P.model(), {{0, v.symbols}}, Dimension::of(Dimension::length));
}

Vector ModelBuilder::displaced_axis(const Frame& A, const Vector& axis) {
  if (virtuals_ == nullptr) return axis;
  const VirtualData v = model_.virtual_rotation(A);
  const auto same = [&](const VirtualData& w) { return w.is_rotation && w.index == v.index; };
  if (std::none_of(virtuals_->begin(), virtuals_->end(), same)) virtuals_->push_back(v);
  return axis + cross(Vector(A.model(), {{0, v.symbols}}, Dimension()), axis);
}

Value ModelBuilder::evaluate_name(const Expression& e) {
  if (&e == point_wanted_ && e.primes == 0 && points_.count(e.text) != 0)
    return Position(find_point(SyntaxName{e.text, 0, e.span}));
  if (e.primes == 0) {
    if (e.text == "pi") return Quantity(model_.data().pool->pi(), Dimension());
    if (e.text == "t") return model_.time();
    if (const auto let = lets_.find(e.text); let != lets_.end() && scalars_.count(e.text) == 0) {
      build_entry(lets_, {e.text, 0, e.span}, "let");
      used_lets_.insert(e.text);
      if (virtuals_ != nullptr) return evaluate(*let->second.item->value);
      return let_values_.at(e.text);
    }
  }
  if (const auto q = find_scalar(e.text, e.primes)) return *q;
  if (const auto rate = e.primes == 0 ? find_body_rate(e.text) : std::nullopt) return *rate;
  // Where results may stand, C and H are results, whatever points are called so.
  if (e.primes == 0 && results_allowed_ && !reserved_scalar_meaning(e.text).empty())
    return model_.result(e.text);
  if (e.primes == 0 && (points_.count(e.text) != 0 || e.text == "No"))
    return displaced(find_point(SyntaxName{e.text, 0, e.span}));
  if (!reserved_scalar_meaning(e.text).empty()) {
    fail(e.span, "E-name-reserved",
         "'" + e.text + "' is a result and can stand in `output` and `plot` only");
  }
  if (e.primes > 0 && lets_.count(e.text) != 0) {
    fail(e.span, "E-rate-unknown", "'" + e.text + "' is a `let` and has no rate",
         "a coordinate has two rates, a specified function two and a speed one");
  }
  if (frames_.count(e.text) != 0) {
    fail(e.span, "E-name-kind",
         "'" + e.text + "' is a frame; expected a scalar, a vector or a point",
         "write " + e.text + ".x for one of its axes");
  }
  fail_unknown({e.text, e.primes, e.span}, "name", expression_names());
}

Value ModelBuilder::evaluate_sum(const Expression& e) {
  Value sum = evaluate(e.operands[0]);
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    // The order of mention counts: a nameless point comes before what is subtracted from it.
    if (nameless_ != nullptr && nameless_->count({&e, i}) != 0) sum = name_point(sum, e, i);
    const Value next = evaluate(e.operands[i]);
    if (std::holds_alternative<Position>(next)) sum = name_point(sum, e, i);
    model_.set_source(e.operands[i].span, documentation_);
    try {
      sum = add(sum, next, e.operators[i] == '-', e.operands[i].span);
    } catch (const UsageError& error) {
      fail(e.operands[i].span, error.code(),
           "cannot " + std::string(e.operators[i] == '-' ? "subtract" : "add") + ": " +
               error.problem());
    }
  }
  return name_point(sum, e, e.operands.size());
}

// In a constraint, P + v is a point of what v is written in: it gets a name, so that forces can act
// there.
Value ModelBuilder::name_point(const Value& value, const Expression& e, std::size_t operand) {
  const Position* position = std::get_if<Position>(&value);
  if (nameless_ == nullptr || position == nullptr || position->offset.is_zero()) return value;
  const auto found = nameless_->find({&e, operand});
  if (found != nameless_->end()) return displaced(found->second);
  if (virtuals_ != nullptr) return value;
  int number = 1;
  while (model_.find_point("point_" + std::to_string(number))) ++number;
  const Point P = model_.point("point_" + std::to_string(number), *position);
  nameless_->emplace(std::pair(&e, operand), P);
  return Position(P);
}

Value ModelBuilder::add(const Value& a, const Value& b, bool minus, const SourceSpan& span) {
  const Quantity *p = std::get_if<Quantity>(&a), *q = std::get_if<Quantity>(&b);
  const Vector *v = std::get_if<Vector>(&a), *w = std::get_if<Vector>(&b);
  const Position *P = std::get_if<Position>(&a), *Q = std::get_if<Position>(&b);
  if (p && q) return minus ? *p - *q : *p + *q;
  if (v && w) return minus ? *v - *w : *v + *w;
  if (P && w) return minus ? *P - *w : *P + *w;
  if (P && Q && minus) return *P - *Q;
  if (P && Q)
    fail(span, "E-point-sum", "two points cannot be added",
         "point - point is a vector, point + vector a point");
  if (v && Q && !minus) return *Q + *v;
  // A plain 0 is also the zero vector.
  if (is_plain_zero(b) && (v || P)) return a;
  if (is_plain_zero(a) && w) return minus ? -*w : *w;
  fail(span, "E-vector-sum",
       std::string(kind_name(b)) + " cannot be " + (minus ? "subtracted from " : "added to ") +
           kind_name(a));
}

Value ModelBuilder::evaluate_product(const Expression& e) {
  Value product = evaluate(e.operands[0]);
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Value next = evaluate(e.operands[i]);
    const SourceSpan& span = e.operands[i].span;
    const bool division = e.operators[i] == '/';
    if (std::holds_alternative<Position>(product) || std::holds_alternative<Position>(next)) {
      fail(span, "E-point-scale", "a point cannot be multiplied or divided",
           "subtract another point to get a vector");
    }
    const Quantity *p = std::get_if<Quantity>(&product), *q = std::get_if<Quantity>(&next);
    const Vector *v = std::get_if<Vector>(&product), *w = std::get_if<Vector>(&next);
    if (division && w)
      fail(span, "E-vector-divisor", "nothing can be divided by a vector",
           "divide by magnitude(...)");
    if (v && w)
      fail(span, "E-vector-product", "two vectors are multiplied",
           "write dot(a, b) or cross(a, b)");
    if (division && q->is_zero()) fail(span, "E-division-by-zero", "the divisor is zero");
    if (p && q)
      product = division ? *p / *q : *p * *q;
    else if (p)
      product = *p * *w;
    else
      product = division ? *v / *q : *v * *q;
  }
  return product;
}

Quantity ModelBuilder::scalar(const Expression& e) {
  const Value v = evaluate(e);
  if (const Quantity* q = std::get_if<Quantity>(&v)) return *q;
  fail(e.span, "E-scalar-expected", std::string("expected a scalar, found ") + kind_name(v));
}

Vector ModelBuilder::vector(const Expression& e) {
  const Value v = evaluate(e);
  if (const Vector* w = std::get_if<Vector>(&v)) return *w;
  if (is_plain_zero(v)) return Vector(model_.newtonian().model(), {}, Dimension());
  fail(e.span, "E-vector-expected", std::string("expected a vector, found ") + kind_name(v));
}

Value ModelBuilder::difference(const Expression& left, const Expression& right) {
  const Value a = evaluate(left), b = evaluate(right);
  if (a.index() != b.index() && !is_plain_zero(a) && !is_plain_zero(b)) {
    fail(right.span,
         std::holds_alternative<Quantity>(a) ? "E-scalar-expected" : "E-vector-expected",
         std::string("the left side is ") + kind_name(a) + ", the right side " + kind_name(b));
  }
  model_.set_source(right.span, documentation_);
  try {
    return add(a, b, true, right.span);
  } catch (const UsageError& error) {
    fail(right.span, "E-dimension-constraint", "the two sides do not match: " + error.problem());
  }
}

// ---- Functions

// Calls with too few arguments have been complained about, but stay in the tree.
void ModelBuilder::require_operands(const Expression& e) const {
  static const std::map<std::string, std::size_t> least = {
      {"atan2", 2},  {"dot", 2},  {"cross", 2},     {"angular_momentum", 2},
      {"rotate", 3}, {"spin", 2}, {"rodrigues", 4}, {"quaternion", 5},
      {"action", 0}};
  const auto found = least.find(e.text);
  const std::size_t count = e.operands.size();
  const bool phrase_cut = count > 0 && e.text == "velocity" && e.operands[0].kind == Kind::phrase &&
                          e.operands[0].operands.size() < 2;
  if (count < (found == least.end() ? 1 : found->second) || phrase_cut ||
      (e.text == "rotate" && count == 4))
    throw Stop();
}

Value ModelBuilder::evaluate_call(const Expression& e) {
  require_operands(e);
  using Unary = Quantity (*)(const Quantity&);
  static const std::map<std::string, Unary> unary = {
      {"sin", sin},   {"cos", cos},   {"tan", tan},   {"asin", asin}, {"acos", acos},
      {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh}, {"exp", exp},
      {"log", log},   {"sqrt", sqrt}, {"abs", abs},   {"sign", sign}, {"step", step}};
  if (const auto f = unary.find(e.text); f != unary.end()) return f->second(scalar(e.operands[0]));
  if (e.text == "action") return model_.result("action()");
  if (e.text == "atan2") return atan2(scalar(e.operands[0]), scalar(e.operands[1]));
  if (e.text == "min" || e.text == "max") {
    Quantity best = scalar(e.operands[0]);
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      best = e.text == "min" ? min(best, scalar(e.operands[i])) : max(best, scalar(e.operands[i]));
    }
    return best;
  }
  if (e.text == "dot") return dot(vector(e.operands[0]), vector(e.operands[1]));
  if (e.text == "cross") return cross(vector(e.operands[0]), vector(e.operands[1]));
  if (e.text == "magnitude") return magnitude(vector(e.operands[0]));
  if (e.text == "unit") return unit(vector(e.operands[0]));
  return evaluate_motion(e);
}

Value ModelBuilder::evaluate_motion(const Expression& e) {
  const Expression& first = e.operands[0];
  const bool two = e.operands.size() > 1;
  if (e.text == "velocity") {
    if (first.kind == Kind::phrase)
      return velocity_on(find_point(first.operands[0]), find_frame(first.operands[1]));
    const Point P = find_point(first);
    return two ? velocity(P, find_frame(e.operands[1])) : velocity(P);
  }
  if (e.text == "acceleration") return acceleration(find_point(first));
  if (e.text == "angular_velocity") {
    const Frame B = find_frame(first);
    return two ? angular_velocity(B, find_frame(e.operands[1])) : angular_velocity(B);
  }
  if (e.text == "angular_acceleration") return angular_acceleration(find_frame(first));
  if (e.text == "momentum" || e.text == "angular_momentum") {
    // A body is meant by its frame's name, a particle by its own.
    const bool body = frames_.count(first.text) != 0 && points_.count(first.text + "cm") != 0;
    if (!body && !is_particle(first.text))
      fail(first.span, "E-name-kind",
           "'" + written(first) + "' has no momentum; expected a body or a particle");
    const Point center =
        find_point(SyntaxName{body ? first.text + "cm" : first.text, 0, first.span});
    return e.text == "momentum" ? momentum(center)
                                : angular_momentum(center, find_point(e.operands[1]));
  }
  return evaluate_result(e);
}

bool ModelBuilder::is_particle(const std::string& name) const {
  const auto point = points_.find(name);
  return point != points_.end() && (point->second.statement->kind == StatementKind::particle ||
                                    point->second.statement->kind == StatementKind::body);
}

// reaction(X), power(x), work(F), generalized_power(F): what later stages derive.
Value ModelBuilder::evaluate_result(const Expression& e) {
  const std::string& target = e.operands[0].text;
  const bool is_reaction = e.text == "reaction";
  const bool has_motors = e.text == "power" || e.text == "work";
  std::set<std::string> known;
  const ModelData& data = model_.data();
  if (is_reaction) {
    for (const ConstraintData& c : data.constraints) known.insert(c.name);
    for (const auto& p : points_) known.insert(p.first);
    known.insert("No");
  } else {
    for (const ForceData& f : data.forces) known.insert(f.name);
    for (const SpringData& s : data.springs) known.insert(s.name);
    for (const EnergyData& s : data.energies) known.insert(s.name);
    if (data.gravity) known.insert("gravity");
    if (has_motors) {
      for (const SpecifiedData& s : data.specified) known.insert(s.name);
      known.insert("nonconservative");
    }
  }
  if (e.operands[0].kind != Kind::name || known.count(target) == 0) {
    fail(e.operands[0].span, "E-output-target",
         "'" + e.text + "' cannot be asked of '" + written(e.operands[0]) + "'; expected " +
             (is_reaction  ? "a constraint, a roll, a lock or a point"
              : has_motors ? "a force, a specified motion, gravity or nonconservative"
                           : "a force or gravity"),
         did_you_mean(target, {known.begin(), known.end()}));
  }
  if (is_reaction) return reaction(model_, target);
  return model_.result(e.text + "(" + target + ")");
}

}  // namespace visviva
