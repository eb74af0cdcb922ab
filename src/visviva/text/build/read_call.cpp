// Calls of functions: of scalars and vectors, of motion, and of what later stages derive.
#include <map>
#include <set>

#include "visviva/base/suggest.h"
#include "visviva/text/build/expression_reader.h"
#include "visviva/text/build/read_table.h"

namespace visviva {

void require_operands(const Expression& e) {
  static const std::map<std::string, std::size_t> least = {
      {"atan2", 2},     {"dot", 2},        {"cross", 2},  {"rotate", 3}, {"spin", 2},
      {"rodrigues", 4}, {"quaternion", 5}, {"action", 0}, {"force", 2}};
  const auto found = least.find(e.text);
  const std::size_t count = e.operands.size();
  const bool phrase_cut = count > 0 && e.text == "velocity" &&
                          e.operands[0].kind == Expression::Kind::phrase &&
                          e.operands[0].operands.size() < 2;
  if (count < (found == least.end() ? 1 : found->second) || phrase_cut ||
      (e.text == "rotate" && count == 4))
    throw GivenUp();
}

Value ExpressionReader::read_call(const Expression& e) {
  if (names_.functions().contains(e.text)) return read_function(e);
  if (names_.fields().find_line(e.text) != nullptr) return Position(read_line_point(e));
  if (e.text == "d") return read_derivative(e);
  require_operands(e);
  using Unary = Quantity (*)(const Quantity&);
  static const std::map<std::string, Unary> unary = {
      {"sin", sin},   {"cos", cos},   {"tan", tan},   {"asin", asin}, {"acos", acos},
      {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh}, {"exp", exp},
      {"log", log},   {"sqrt", sqrt}, {"abs", abs},   {"sign", sign}, {"step", step}};
  const auto scalar = [&](std::size_t i) { return read_scalar(e.operands[i]); };
  const auto vector = [&](std::size_t i) { return read_vector(e.operands[i]); };
  if (const auto f = unary.find(e.text); f != unary.end()) return f->second(scalar(0));
  if (e.text == "action") return draft_.model().result("action()");
  // One after the other: what is named first comes first.
  if (e.text == "atan2") {
    const Quantity y = scalar(0), x = scalar(1);
    return atan2(y, x);
  }
  if (e.text == "min" || e.text == "max") {
    Quantity best = scalar(0);
    for (std::size_t i = 1; i < e.operands.size(); ++i)
      best = e.text == "min" ? min(best, scalar(i)) : max(best, scalar(i));
    return best;
  }
  if (e.text == "table") return tables_.read(e);
  if (e.text == "dot" || e.text == "cross") {
    const Vector a = vector(0), b = vector(1);
    if (e.text == "dot") return dot(a, b);
    return cross(a, b);
  }
  if (e.text == "magnitude") return magnitude(vector(0));
  if (e.text == "unit") return unit(vector(0));
  return read_motion(e);
}

Value ExpressionReader::read_motion(const Expression& e) {
  const Expression& first = e.operands[0];
  const bool two = e.operands.size() > 1;
  if (e.text == "velocity") {
    if (first.kind == Expression::Kind::phrase) {
      return velocity_on(find_point(first.operands[0]), names_.find_frame(first.operands[1]));
    }
    const Point P = find_point(first);
    return two ? velocity(P, names_.find_frame(e.operands[1])) : velocity(P);
  }
  if (e.text == "acceleration") return acceleration(find_point(first));
  if (e.text == "angular_velocity") {
    const Frame B = names_.find_frame(first);
    return two ? angular_velocity(B, names_.find_frame(e.operands[1])) : angular_velocity(B);
  }
  if (e.text == "angular_acceleration") return angular_acceleration(names_.find_frame(first));
  if (e.text == "momentum" || e.text == "angular_momentum") return read_momentum(e);
  return read_result(e);
}

// The angular momentum of all bodies and particles together: results are read when all of them are known.
Vector ExpressionReader::add_angular_momenta(const Expression& e) {
  if (!results_allowed_)
    draft_.fail(e.span, "E-name-reserved",
                "'" + draft_.written(e) +
                    "' of all bodies can stand in `output`, `plot`, `event` and `claim` only",
                "write angular_momentum(BODY, POINT) for one of them");
  const Point about = names_.find_point(e.operands[0]);
  std::optional<Vector> sum;
  for (const BodyData& body : draft_.data().bodies) {
    const Vector one = angular_momentum(Point(draft_.data(), body.point), about);
    sum = sum ? *sum + one : one;
  }
  if (!sum) draft_.fail(e.span, "E-output-target", "nothing has a mass here: there is no momentum");
  return *sum;
}

// A body is meant by its frame's name, a particle by its own.
Value ExpressionReader::read_momentum(const Expression& e) {
  if (e.text == "angular_momentum" && e.operands.size() == 1) return add_angular_momenta(e);
  const Expression& of = e.operands[0];
  const bool body = names_.has_frame(of.text) && names_.has_point(of.text + "cm");
  if (!body && !names_.is_particle(of.text))
    draft_.fail(of.span, "E-name-kind",
                "'" + draft_.written(of) + "' has no momentum; expected a body or a particle");
  const Point center = names_.find_point(SyntaxName{body ? of.text + "cm" : of.text, 0, of.span});
  return e.text == "momentum" ? momentum(center)
                              : angular_momentum(center, names_.find_point(e.operands[1]));
}

// reaction(X), multiplier(X), motor(x), power(x), work(F), generalized_power(F): what later stages
// derive.
Value ExpressionReader::read_result(const Expression& e) {
  if (e.text == "jacobian")
    draft_.fail(e.span, "E-output-target",
                "'" + draft_.written(e) + "' is a matrix, which stands by itself in `output`",
                "its columns are velocities for a unit of each speed");
  if (e.operands.size() == 2) return read_action(e);
  const std::set<std::string> known = list_result_subjects(e.text);
  const std::string& target = e.operands[0].text;
  if (e.operands[0].kind != Expression::Kind::name || known.count(target) == 0) {
    const bool has_points = e.text == "reaction" || e.text == "moment";
    const bool has_motors = e.text == "power" || e.text == "work";
    const bool is_body = has_points && names_.has_frame(target) && names_.has_point(target + "cm");
    const bool is_let = has_points && names_.has_let(target);
    if (draft_.is_unread(target)) throw GivenUp();
    draft_.fail(e.operands[0].span, "E-output-target",
                "'" + e.text + "' cannot be asked of '" + draft_.written(e.operands[0]) +
                    "'; expected " +
                    (has_points               ? "a constraint, a roll, a lock or a point"
                     : e.text == "multiplier" ? "a constraint, a roll or a lock"
                     : e.text == "motor"      ? "a specified motion"
                     : has_motors ? "a force, a specified motion, gravity or nonconservative"
                                  : "a force or gravity"),
                is_body  ? "name the point of its joint, or its mass center, " + target + "cm"
                : is_let ? "a `let` only stands for what is written: declare `point " + target +
                               " = ...` in its place"
                         : did_you_mean(target, {known.begin(), known.end()}));
  }
  Model& model = draft_.model();
  if (e.text == "reaction") return model.reaction(target);
  if (e.text == "moment") return model.moment(target);
  if (e.text == "motor") return model.motor(target);
  if (e.text == "multiplier") return read_multiplier(target);
  return model.result(e.text + "(" + target + ")");
}

// force(X, B), moment(X, B), power(X, B): of an interaction on a part.
Value ExpressionReader::read_action(const Expression& e) {
  const ModelData& data = draft_.data();
  std::set<std::string> acting = list_result_subjects("power"), parts = {"N"};
  acting.erase("nonconservative");
  for (const ConstraintData& c : data.constraints) acting.insert(c.name);
  for (const FrameData& f : data.frames) parts.insert(f.name);
  for (const auto& p : names_.points()) parts.insert(p.first);
  const auto require = [&](std::size_t i, const std::set<std::string>& known,
                           const char* expected) {
    const Expression& name = e.operands[i];
    if (name.kind == Expression::Kind::name && known.count(name.text) != 0) return;
    draft_.fail(
        name.span, "E-output-target",
        "'" + e.text + "' cannot be asked of '" + draft_.written(name) + "'; expected " + expected,
        did_you_mean(name.text, {known.begin(), known.end()}));
  };
  require(0, acting,
          "a force, torque, spring, damper, potential, constraint, roll, lock, specified motion or "
          "gravity");
  require(1, parts, "a body, a particle, a frame, a point or N");
  const std::string &what = e.operands[0].text, &on = e.operands[1].text;
  if (e.text == "power") return draft_.model().result("power(" + what + ", " + on + ")");
  return e.text == "force" ? draft_.model().force_on(what, on) : draft_.model().moment_on(what, on);
}

std::set<std::string> ExpressionReader::list_result_subjects(const std::string& call) const {
  std::set<std::string> known;
  const ModelData& data = draft_.data();
  const auto add = [&](const auto& list) {
    for (const auto& entry : list) known.insert(entry.name);
  };
  const bool has_points = call == "reaction" || call == "moment";
  if (has_points || call == "multiplier") add(data.constraints);
  if (has_points) {
    for (const auto& p : names_.points()) known.insert(p.first);
    known.insert("No");
  }
  if (call == "motor" || call == "power" || call == "work") add(data.specified);
  if (has_points || call == "multiplier" || call == "motor") return known;
  add(data.forces);
  add(data.springs);
  add(data.energies);
  for (const DistributedData& spread : data.distributed) {
    for (const std::string& piece : spread.forces) known.erase(piece);
    known.insert(spread.name);
  }
  if (data.gravity) known.insert("gravity");
  if (call == "power" || call == "work") known.insert("nonconservative");
  return known;
}

Value ExpressionReader::read_multiplier(const std::string& constraint) {
  for (const ConstraintData& c : draft_.data().constraints) {
    const bool is_one = c.scalar.valid() || c.kind == ConstraintData::Kind::lock;
    if (c.name == constraint && is_one) return draft_.model().multiplier(constraint);
  }
  return draft_.model().multipliers(constraint);
}

}  // namespace visviva
