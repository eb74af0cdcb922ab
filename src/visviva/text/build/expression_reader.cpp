#include "visviva/text/build/expression_reader.h"

#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/model/declare.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/text/build/model_changes.h"
#include "visviva/text/grammar/grammar.h"

namespace visviva {
namespace {

const char* kind_of_value(const Value& v) {
  return std::holds_alternative<Quantity>(v) ? "a scalar"
         : std::holds_alternative<Vector>(v) ? "a vector"
                                             : "a point";
}

bool is_plain_zero(const Value& v) {
  const Quantity* q = std::get_if<Quantity>(&v);
  return q != nullptr && q->is_plain_zero();
}

}  // namespace

// ---- What is expected

Value ExpressionReader::read(const Expression& e) {
  draft_.stand_at(e.span);
  try {
    return read_here(e);
  } catch (const UsageError& error) {
    draft_.fail(e.span, error, "E-value-domain");
  }
}

Quantity ExpressionReader::read_scalar(const Expression& e) {
  const Value v = read(e);
  if (const Quantity* q = std::get_if<Quantity>(&v)) return *q;
  draft_.fail(e.span, "E-scalar-expected",
              std::string("expected a scalar, found ") + kind_of_value(v));
}

Quantity ExpressionReader::read_scalar(const Expression& e, const Dimension& dimension) {
  const Quantity q = read_scalar(e);
  const Expr value = q.expr(*draft_.data().pool);
  const bool bare = is_from_command_line(e.span) && free_symbols(value).empty() &&
                    q.dimension().is_dimensionless();
  return bare ? Quantity(value, dimension) : q;
}

Vector ExpressionReader::read_vector(const Expression& e) {
  const Value v = read(e);
  if (const Vector* w = std::get_if<Vector>(&v)) return *w;
  if (is_plain_zero(v)) return Vector(draft_.model().newtonian().model(), {}, Dimension());
  const bool is_scalar = std::holds_alternative<Quantity>(v);
  draft_.fail(e.span, "E-vector-expected",
              std::string("expected a vector, found ") + kind_of_value(v),
              is_scalar ? "give it a direction, as in 3 N*N.x" : "");
}

Position ExpressionReader::read_position(const Expression& e) {
  const ScopedValue first(point_wanted_, e.kind == Expression::Kind::sum ? &e.operands[0] : &e);
  const Value v = read(e);
  if (const Position* p = std::get_if<Position>(&v)) return *p;
  draft_.fail(e.span, "E-point-expected",
              std::string("expected a position: a point, or a point plus vectors; found ") +
                  kind_of_value(v),
              "start from a point such as No");
}

double ExpressionReader::read_constant(const Expression& e, const Dimension& dimension) {
  const Quantity q = read_scalar(e);
  draft_.stand_at(e.span);
  require_dimension(q, dimension, "study", "the value", "E-dimension-study");
  const Expr value = q.expr(*draft_.data().pool);
  if (!free_symbols(value).empty())
    draft_.fail(e.span, "E-value-not-constant",
                "expected a number, found an expression with names");
  return evaluate(value, {}, {});
}

Value ExpressionReader::read_difference(const Expression& left, const Expression& right) {
  const Value a = read(left), b = read(right);
  if (a.index() != b.index() && !is_plain_zero(a) && !is_plain_zero(b)) {
    draft_.fail(right.span,
                std::holds_alternative<Quantity>(a) ? "E-scalar-expected" : "E-vector-expected",
                std::string("the left side is ") + kind_of_value(a) + ", the right side " +
                    kind_of_value(b));
  }
  draft_.stand_at(right.span);
  try {
    return add(a, b, true, right.span);
  } catch (const UsageError& error) {
    draft_.fail(right.span, "E-dimension-constraint",
                "the two sides do not match: " + error.problem());
  }
}

// ---- What is there

Value ExpressionReader::read_here(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::number:
      return read_number(e);
    case Expression::Kind::name:
      return read_name(e);
    case Expression::Kind::axis:
      return read_axis(e);
    case Expression::Kind::component:
      return take_component(read(e.operands[0]), e);
    case Expression::Kind::call:
      return read_call(e);
    case Expression::Kind::negate:
      return read_negative(e);
    case Expression::Kind::sum:
      return read_sum(e);
    case Expression::Kind::product:
      return read_product(e);
    case Expression::Kind::power:
      return pow(read_scalar(e.operands[0]), read_scalar(e.operands[1]));
    case Expression::Kind::phrase:
      if (e.text == "at" && e.operands.size() == 2) return read_placed(e);
      if (e.text != "about") break;
      draft_.fail(e.span, "E-start-guess", "only a start value can be a guess",
                  "leave `about` out");
    case Expression::Kind::text:
      break;
  }
  draft_.fail(e.span, "E-scalar-expected", "expected an expression");
}

Value ExpressionReader::read_number(const Expression& e) {
  ExprPool& pool = *draft_.data().pool;
  if (draft_.has_syntax_error(e.span)) throw GivenUp();  // such as a unit that is none
  Expr value = pool.decimal(e.text);
  if (e.unit.empty()) return Quantity(value, Dimension());
  const Unit unit = *parse_unit(e.unit).unit;
  value = value * pool.rational(unit.num, unit.den);
  if (unit.pi_power != 0) value = value * pow(pool.pi(), pool.rational(unit.pi_power));
  return Quantity(value, unit.dimension);
}

Value ExpressionReader::read_name(const Expression& e) {
  if (locals_ != nullptr && locals_->contains(e.text)) {
    if (e.primes == 0) return locals_->at(e.text);
    draft_.fail(e.span, "E-rate-unknown", "'" + e.text + "' is an argument here and has no rate",
                "a function depends on its arguments' values");
  }
  if (&e == point_wanted_ && e.primes == 0 && names_.has_point(e.text)) return read_point(e);
  if (const auto q = read_field_name(e)) return *q;
  if (e.primes == 0) {
    if (e.text == "pi") return Quantity(draft_.data().pool->pi(), Dimension());
    if (e.text == "t") return displace(draft_.model().time());
    if (names_.has_let(e.text) && !names_.scalars().has(e.text)) {
      const Declaration& let = names_.find_let({e.text, 0, e.span});
      const bool displaced = places_ != nullptr && places_->is_displacing();
      return displaced ? read(*let.item->value) : *let.value;
    }
  }
  if (const auto q = names_.scalars().find(e.text, e.primes)) return displace(*q);
  if (const auto rate = e.primes == 0 ? names_.find_body_rate(e.text) : std::nullopt) return *rate;
  // Where results may stand, C and H are results, whatever points are called so.
  if (e.primes == 0 && results_allowed_ && !reserved_scalar_meaning(e.text).empty())
    return draft_.model().result(e.text);
  if (e.primes == 0 && (names_.has_point(e.text) || e.text == "No")) return read_point(e);
  if (e.primes == 0 && results_allowed_ && find_output(e.text) != nullptr) return read_output(e);
  if (const auto q = find_momentum_coordinate(e); q && (results_allowed_ || momenta_allowed_))
    return draft_.model().momentum(*q);
  fail_name(e);
}

// An output by its name.
Value ExpressionReader::read_output(const Expression& e) {
  if (!busy_outputs_.insert(e.text).second)
    draft_.fail(e.span, "E-definition-cycle",
                "the output '" + e.text + "' is defined by itself, perhaps through others");
  struct Release {
    std::set<std::string>& busy;
    const std::string& name;
    ~Release() { busy.erase(name); }
  } const release{busy_outputs_, e.text};
  return read(*find_output(e.text));
}

// out.x is the component along N.x of an output that is a vector, as its column is called; so is r.x of a let.
std::optional<Quantity> ExpressionReader::read_named_component(const Expression& e) {
  if (e.text == "N" || names_.has_frame(e.text)) return {};
  if (names_.has_let(e.text)) {
    Expression name{Expression::Kind::name, e.span, e.text};
    return take_component(read_name(name), e);
  }
  if (results_allowed_ && find_output(e.text) != nullptr) return take_component(read_output(e), e);
  return {};
}

Quantity ExpressionReader::take_component(const Value& v, const Expression& e) {
  const Vector* w = std::get_if<Vector>(&v);
  if (w == nullptr)
    draft_.fail(e.span, "E-vector-expected",
                "'" + (e.operands.empty() ? e.text : draft_.written(e.operands[0])) + "' is " +
                    kind_of_value(v) + " and has no component",
                std::holds_alternative<Position>(v)
                    ? "subtract another point to get a vector"
                    : "leave '." + std::string(1, e.axis) + "' out");
  return dot(*w, axis_of(draft_.model().newtonian(), e.axis));
}

// The axis of a frame, displaced with it.
Vector ExpressionReader::axis_of(const Frame& A, char letter) {
  const Vector axis = letter == 'x' ? A.x() : letter == 'y' ? A.y() : A.z();
  return places_ == nullptr ? axis : places_->displace(A, axis);
}

// p_theta is the momentum of the coordinate theta, unless the model has a p_theta of its own.
std::optional<std::string> ExpressionReader::find_momentum_coordinate(const Expression& e) const {
  if (e.primes > 0 || !e.text.starts_with("p_")) return {};
  const std::string name = e.text.substr(2);
  for (const CoordinateData& c : draft_.data().coordinates) {
    if (c.name == name) return name;
  }
  return {};
}

bool ExpressionReader::has_scalar(const std::string& name) {
  Expression e{Expression::Kind::name};
  e.text = name;
  return name == "t" || names_.scalars().has(name) || names_.has_let(name) ||
         names_.find_body_rate(name).has_value() || !reserved_scalar_meaning(name).empty() ||
         find_momentum_coordinate(e).has_value();
}

void ExpressionReader::fail_name(const Expression& e) {
  const bool is_momentum = e.primes == 0 && e.text.starts_with("p_");
  if (is_momentum && (results_allowed_ || momenta_allowed_) &&
      names_.scalars().has(e.text.substr(2)))
    draft_.fail(e.span, "E-output-target",
                "'" + e.text.substr(2) + "' is no coordinate: only coordinates have momenta p_NAME",
                "write p_ and the name of a coordinate; of a body, momentum(B) and "
                "angular_momentum(B, P)");
  if (!reserved_scalar_meaning(e.text).empty() || find_momentum_coordinate(e)) {
    draft_.fail(
        e.span, "E-name-reserved",
        "'" + e.text + "' is a result and can stand in `output`, `plot`, `event` and `claim` only");
  }
  if (const auto f = names_.functions().find(e.text); f != names_.functions().end()) {
    const std::string arguments =
        join_each(f->second.item->parameters, [](const SyntaxName& p) { return p.text; });
    if (e.primes > 0)
      draft_.fail(e.span, "E-rate-unknown", "'" + e.text + "' is a function and has no prime",
                  "its partial derivative is d(" + e.text + ", " +
                      f->second.item->parameters[0].text + ")");
    draft_.fail(e.span, "E-function-arguments",
                "the function '" + e.text + "' has no arguments here",
                "write " + e.text + "(" + arguments + ")");
  }
  if (e.primes > 0 && names_.has_let(e.text)) {
    draft_.fail(e.span, "E-rate-unknown", "'" + e.text + "' is a `let` and has no rate",
                "a coordinate has two rates, a specified function two and a speed one");
  }
  if (names_.has_frame(e.text)) {
    draft_.fail(e.span, "E-name-kind",
                "'" + e.text + "' is a frame; expected a scalar, a vector or a point",
                "write " + e.text + ".x for one of its axes");
  }
  std::vector<std::string> names = names_.names_in_expressions();
  if (results_allowed_ || momenta_allowed_) {
    for (const CoordinateData& c : draft_.data().coordinates) names.push_back("p_" + c.name);
  }
  if (results_allowed_) {
    for (const auto& o : outputs_) names.push_back(o.first);
  }
  draft_.fail_unknown({e.text, e.primes, e.span}, "name", names);
}

Quantity ExpressionReader::displace(const Quantity& scalar) {
  return places_ == nullptr ? scalar : places_->displace(scalar);
}

Value ExpressionReader::read_point(const Expression& e) {
  const Point P = names_.find_point(e);
  return places_ == nullptr ? Position(P) : places_->displace(P);
}

Value ExpressionReader::read_axis(const Expression& e) {
  if (const std::optional<Quantity> component = read_named_component(e)) return *component;
  return axis_of(names_.find_frame(SyntaxName{e.text, 0, e.span}), e.axis);
}

// ---- Sums and products

Value ExpressionReader::read_negative(const Expression& e) {
  const Value v = read(e.operands[0]);
  if (const Quantity* q = std::get_if<Quantity>(&v)) return -*q;
  if (const Vector* w = std::get_if<Vector>(&v)) return -*w;
  draft_.fail(e.span, "E-point-scale", "a point cannot be negated",
              "subtract another point to get a vector");
}

Value ExpressionReader::read_sum(const Expression& e) {
  Value sum = read(e.operands[0]);
  const auto name_point = [&](std::size_t operand) {
    if (places_ != nullptr) sum = places_->name_point(sum, e, operand);
  };
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    // The order of mention counts: a nameless point comes before what is subtracted from it.
    if (places_ != nullptr && places_->has_point(e, i)) name_point(i);
    const Value next = read(e.operands[i]);
    if (std::holds_alternative<Position>(next)) name_point(i);
    draft_.stand_at(e.operands[i].span);
    const bool minus = e.operators[i] == '-';
    try {
      sum = add(sum, next, minus, e.operands[i].span);
    } catch (const UsageError& error) {
      draft_.fail(e.operands[i].span, error.code(),
                  std::string("cannot ") + (minus ? "subtract" : "add") + ": " + error.problem());
    }
  }
  name_point(e.operands.size());
  return sum;
}

Value ExpressionReader::add(const Value& a, const Value& b, bool minus, const SourceSpan& span) {
  const Quantity *p = std::get_if<Quantity>(&a), *q = std::get_if<Quantity>(&b);
  const Vector *v = std::get_if<Vector>(&a), *w = std::get_if<Vector>(&b);
  const Position *P = std::get_if<Position>(&a), *Q = std::get_if<Position>(&b);
  if (p && q) return minus ? *p - *q : *p + *q;
  if (v && w) return minus ? *v - *w : *v + *w;
  if (P && w) return minus ? *P - *w : *P + *w;
  if (P && Q && minus) return *P - *Q;
  if (P && Q)
    draft_.fail(span, "E-point-sum", "two points cannot be added",
                "point - point is a vector, point + vector a point");
  if (v && Q && !minus) return *Q + *v;
  // A plain 0 is also the zero vector.
  if (is_plain_zero(b) && (v || P)) return a;
  if (is_plain_zero(a) && w) return minus ? -*w : *w;
  draft_.fail(span, "E-vector-sum",
              std::string(kind_of_value(b)) + " cannot be " +
                  (minus ? "subtracted from " : "added to ") + kind_of_value(a));
}

Value ExpressionReader::read_product(const Expression& e) {
  Value product = read(e.operands[0]);
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Value next = read(e.operands[i]);
    product = multiply(product, next, e.operators[i] == '/', e.operands[i].span);
  }
  return product;
}

Value ExpressionReader::multiply(const Value& a, const Value& b, bool division,
                                 const SourceSpan& span) {
  if (std::holds_alternative<Position>(a) || std::holds_alternative<Position>(b)) {
    draft_.fail(span, "E-point-scale", "a point cannot be multiplied or divided",
                "subtract another point to get a vector");
  }
  const Quantity *p = std::get_if<Quantity>(&a), *q = std::get_if<Quantity>(&b);
  const Vector *v = std::get_if<Vector>(&a), *w = std::get_if<Vector>(&b);
  if (division && w)
    draft_.fail(span, "E-vector-divisor", "nothing can be divided by a vector",
                "divide by magnitude(...)");
  if (v && w)
    draft_.fail(span, "E-vector-product", "two vectors are multiplied",
                "write dot(a, b) or cross(a, b)");
  if (division && q->is_zero()) draft_.fail(span, "E-division-by-zero", "the divisor is zero");
  if (p && q) return division ? *p / *q : *p * *q;
  if (p) return *p * *w;
  return division ? *v / *q : *v * *q;
}

}  // namespace visviva
