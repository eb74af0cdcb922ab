#include "visviva/text/build/force_reader.h"

namespace visviva {

void ForceReader::read() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (!s.damaged) draft_.attempt(s.span, s.documentation, [&] { read(s); });
  }
}

// What is per length.
void ForceReader::read_density(const SyntaxStatement& s) {
  if (s.kind == StatementKind::force) return fields_.read_force(s);
  if (s.kind == StatementKind::torque) return fields_.read_torque(s);
  fields_.read_energy(s);
}

void ForceReader::read(const SyntaxStatement& s) {
  if (find_clause(s, "over") != nullptr) return read_density(s);
  switch (s.kind) {
    case StatementKind::gravity:
      return read_gravity(s);
    case StatementKind::potential:
      return read_potential(s);
    case StatementKind::dissipation:
      return read_dissipation(s);
    case StatementKind::force:
      return read_force(s);
    case StatementKind::torque:
      return read_torque(s);
    case StatementKind::spring:
    case StatementKind::damper:
      return read_spring(s);
    default:
      return;
  }
}

// A law once more, with what it names displaced.
Displaced ForceReader::read_displaced(const Expression& law) {
  NamedPlaces places(draft_.model());
  places.start_displacing();
  const auto followed = expressions_.follow(places);
  return make_displaced(expressions_.read(law), places);
}

void ForceReader::read_gravity(const SyntaxStatement& s) {
  const Vector g = expressions_.read_vector(*s.value);
  draft_.stand_at(s.value->span);
  draft_.model().gravity(g);
  draft_.model().displace_gravity(read_displaced(*s.value));
}

void ForceReader::read_dissipation(const SyntaxStatement& s) {
  const Quantity value = expressions_.read_scalar(*s.value);
  draft_.stand_at(s.value->span);
  draft_.model().dissipation(s.name.text, value);
  draft_.model().displace_energy(read_displaced(*s.value));
}

// Read once more with what it names displaced, a potential tells where its forces act.
void ForceReader::read_potential(const SyntaxStatement& s) {
  NamedPlaces places(draft_.model());
  const auto followed = expressions_.follow(places);
  const Quantity value = expressions_.read_scalar(*s.value);
  draft_.stand_at(s.value->span);
  draft_.model().potential(s.name.text, value);
  places.start_displacing();
  draft_.model().displace_energy(make_displaced(expressions_.read_scalar(*s.value), places));
}

void ForceReader::read_force(const SyntaxStatement& s) {
  const Expression& on = find_clause(s, "on")->values[0];
  const SyntaxClause *at = find_clause(s, "at"), *from = find_clause(s, "from");
  ForceOptions options;
  if (at != nullptr) {
    options.body = names_.find_frame(on);
    options.on = read_place(s, at->values[0]);
  } else {
    if (on.kind == Expression::Kind::name && !names_.has_point(on.text) &&
        names_.has_frame(on.text)) {
      draft_.fail(on.span, "E-point-expected",
                  "'" + on.text + "' is a body; a force acts at a point",
                  "write: on " + on.text + " at POINT, or on " + on.text + "cm");
    }
    options.on = expressions_.find_point(on);
  }
  if (from != nullptr) options.from = expressions_.find_point(from->values[0]);
  options.value = expressions_.read_vector(*s.value);
  draft_.stand_at(s.span);
  draft_.model().force(s.name.text, options);
  draft_.model().displace_force(read_displaced(*s.value));
}

// The place of a force may be any position; a name is given to one that has none.
Point ForceReader::read_place(const SyntaxStatement& force, const Expression& at) {
  const Position p = expressions_.read_position(at);
  if (p.offset.is_zero()) return p.base;
  std::string name = force.name.text + "_place";
  while (draft_.model().find_point(name)) name += "_";
  return draft_.model().point(name, p);
}

void ForceReader::read_torque(const SyntaxStatement& s) {
  const SyntaxClause* from = find_clause(s, "from");
  TorqueOptions options{.on = names_.find_frame(find_clause(s, "on")->values[0]),
                        .value = expressions_.read_vector(*s.value)};
  if (from != nullptr) options.from = names_.find_frame(from->values[0]);
  draft_.stand_at(s.span);
  draft_.model().torque(s.name.text, options);
  draft_.model().displace_force(read_displaced(*s.value));
}

void ForceReader::read_spring(const SyntaxStatement& s) {
  const SyntaxClause *from = find_clause(s, "from"), *to = find_clause(s, "to"),
                     *on = find_clause(s, "on");
  SpringOptions spring;
  if (from != nullptr) spring.from = expressions_.find_point(from->values[0]);
  if (to != nullptr) spring.to = expressions_.find_point(to->values[0]);
  if (on != nullptr) spring.on = expressions_.read_scalar(on->values[0]);
  const bool is_spring = s.kind == StatementKind::spring;
  const char* word = is_spring ? "stiffness" : "rate";
  spring.stiffness = expressions_.read_scalar(find_clause(s, word)->values[0]);
  if (const SyntaxClause* rest = find_clause(s, "rest"))
    spring.rest = expressions_.read_scalar(rest->values[0]);
  draft_.stand_at(s.span);
  if (is_spring) return draft_.model().spring(s.name.text, spring);
  draft_.model().damper(
      s.name.text,
      {.from = spring.from, .to = spring.to, .on = spring.on, .rate = spring.stiffness});
}

}  // namespace visviva
