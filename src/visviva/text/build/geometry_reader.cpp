#include "visviva/text/build/geometry_reader.h"

namespace visviva {
namespace {

Axis to_axis(const std::string& letter) {
  return letter == "x" ? Axis::x : letter == "y" ? Axis::y : Axis::z;
}

bool is_axis_letter(const Expression& e) {
  return e.kind == Expression::Kind::name && e.primes == 0 &&
         (e.text == "x" || e.text == "y" || e.text == "z");
}

}  // namespace

// ---- Frames

void GeometryReader::read_frame(const Declaration& declaration) {
  const Expression& value = *declaration.item->value;
  const bool known = value.text == "rotate" || value.text == "quaternion" ||
                     value.text == "rodrigues" || value.text == "spin";
  if (value.kind != Expression::Kind::call || !known)
    draft_.fail(value.span, "E-frame-value", "expected rotate, quaternion, rodrigues or spin");
  if (draft_.has_syntax_error(declaration.item->name.span)) throw GivenUp();  // such as N
  const Orientation o = read_orientation(value);
  draft_.stand_at(declaration.item->span);
  try {
    draft_.model().frame(declaration.item->name.text, o);
  } catch (const UsageError& error) {
    draft_.fail(value.span, error, "E-frame-value");
  }
}

Orientation GeometryReader::read_orientation(const Expression& call) {
  require_operands(call);
  const Frame parent = names_.find_frame(call.operands[0]);
  const auto operand = [&](std::size_t i) { return expressions_.read_scalar(call.operands[i]); };
  try {
    if (call.text == "rotate") return read_rotation(call, parent);
    if (call.text == "spin") return spin(parent, expressions_.read_vector(call.operands[1]));
    if (call.text == "rodrigues") return rodrigues(parent, {operand(1), operand(2), operand(3)});
    for (std::size_t i = 1; i < 5; ++i)
      require_dimension(operand(i), Dimension(), "quaternion", "an Euler parameter",
                        "E-dimension-angle");
    return quaternion(parent, {operand(1), operand(2), operand(3), operand(4)});
  } catch (const UsageError& error) {
    draft_.fail(call.span, error, "E-frame-value");
  }
}

Orientation GeometryReader::read_rotation(const Expression& call, const Frame& parent) {
  const Expression& how = call.operands[1];
  const auto operand = [&](std::size_t i) { return expressions_.read_scalar(call.operands[i]); };
  if (call.operands.size() == 3) {
    // A bare x, y, z is an axis here.
    const Quantity angle = operand(2);
    draft_.stand_at(call.operands[2].span);
    if (is_axis_letter(how)) return rotate(parent, to_axis(how.text), angle);
    return rotate(parent, expressions_.read_vector(how), angle);
  }
  const std::array<Quantity, 3> angles = {operand(2), operand(3), operand(4)};
  const bool space = how.kind == Expression::Kind::phrase;
  const std::string& sequence = space ? how.operands[0].text : how.text;
  return space ? rotate_space(parent, sequence, angles) : rotate(parent, sequence, angles);
}

// ---- Points and bodies

void GeometryReader::read_point(const Declaration& declaration) {
  const SyntaxStatement& s = *declaration.statement;
  const SyntaxItem* item = declaration.item;
  try {
    if (s.kind == StatementKind::point) {
      const Position p = expressions_.read_position(*item->value);
      draft_.stand_at(item->span);
      draft_.model().point(item->name.text, p);
    } else if (s.kind == StatementKind::particle) {
      const Position p = expressions_.read_position(find_clause(s, "at")->values[0]);
      const Quantity mass = expressions_.read_scalar(find_clause(s, "mass")->values[0]);
      draft_.stand_at(s.span);
      draft_.model().particle(s.name.text, {.at = p, .mass = mass});
    } else {
      read_body(s);
    }
  } catch (const UsageError& error) {
    draft_.fail(item != nullptr ? item->span : s.span, error, "E-point-expected");
  }
}

void GeometryReader::read_body(const SyntaxStatement& s) {
  if (!names_.has_frame(s.name.text)) {
    if (draft_.is_unread(s.name.text)) throw GivenUp();
    draft_.fail(s.name.span, "E-body-frame",
                "there is no frame '" + s.name.text + "' for the body to move with",
                "declare it: frame " + s.name.text + " = rotate(N, z, ...)");
  }
  const Frame frame = names_.find_frame(s.name);
  const Position at = expressions_.read_position(find_clause(s, "at")->values[0]);
  BodyOptions options{.at = at,
                      .mass = expressions_.read_scalar(find_clause(s, "mass")->values[0])};
  if (const SyntaxClause* inertia = find_clause(s, "inertia"))
    options.inertia = read_inertia(*inertia);
  for (const SyntaxClause& clause : s.clauses) {
    if (find_solid(clause.word) != nullptr) options.solid = read_solid(clause);
    if (clause.word == "shape" && !clause.clauses.empty())
      options.solid = read_solid(clause.clauses[0]);
  }
  draft_.stand_at(s.span);
  draft_.model().body(frame, options);
}

Inertia GeometryReader::read_inertia(const SyntaxClause& clause) {
  std::vector<Quantity> I;
  for (const Expression& e : clause.values) I.push_back(expressions_.read_scalar(e));
  if (I.size() < 3) throw GivenUp();
  if (I.size() != 6) return {I[0], I[1], I[2]};
  return {I[0], I[1], I[2], I[3], I[4], I[5]};
}

Solid GeometryReader::read_solid(const SyntaxClause& clause) {
  const auto size = [&](const char* word) {
    const SyntaxClause* c = find_clause(clause, word);
    return c == nullptr ? Quantity() : expressions_.read_scalar(c->values[0]);
  };
  const auto edge = [&](std::size_t i) { return expressions_.read_scalar(clause.values[i]); };
  const SyntaxClause* along = find_clause(clause, "along");
  const Axis axis = along == nullptr ? Axis::z : to_axis(along->values[0].text);
  if (clause.word == "sphere") return sphere(size("radius"));
  if (clause.word == "shell") return shell(size("radius"));
  if (clause.word == "rod") return rod(size("length"), axis);
  if (clause.word == "cylinder") return cylinder(size("radius"), size("length"), axis);
  if (clause.word == "disc") return disc(size("radius"), axis);
  if (clause.word == "capsule") return capsule(size("radius"), size("length"), axis);
  if (clause.values.size() < 3) throw GivenUp();
  if (clause.word == "ellipsoid") return ellipsoid(edge(0), edge(1), edge(2));
  return box(edge(0), edge(1), edge(2));
}

}  // namespace visviva
