#include "visviva/text/build/constraint_reader.h"

#include "visviva/text/build/constraint_mentions.h"

namespace visviva {

void ConstraintReader::read(const std::vector<SyntaxName>& more_locks) {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.damaged) continue;
    if (s.kind == StatementKind::roll)
      draft_.attempt(s.span, s.documentation, [&] { read_roll(s); });
    for (const SyntaxItem& item : s.items) {
      if (s.kind == StatementKind::constraint)
        draft_.attempt(item.span, s.documentation, [&] { read_constraint(item); });
      if (s.kind == StatementKind::lock) read_lock(item.name);
    }
  }
  for (const SyntaxName& name : more_locks) read_lock(name);
  draft_.for_each(StatementKind::dependent, [&](const SyntaxStatement& s) { read_dependent(s); });
}

void ConstraintReader::read_constraint(const SyntaxItem& item) {
  if (!item.target || !item.value) throw GivenUp();
  NamedPlaces places(draft_.model());
  const auto followed = expressions_.follow(places);
  const Value v = expressions_.read_difference(*item.target, *item.value);
  draft_.stand_at(item.span);
  if (const Quantity* q = std::get_if<Quantity>(&v))
    draft_.model().constraint(item.name.text, *q);
  else if (const Vector* w = std::get_if<Vector>(&v))
    draft_.model().constraint(item.name.text, *w);
  else
    draft_.fail(item.span, "E-vector-expected",
                "a point is set equal to something that is not a point");
  draft_.model().mention(list_mentions(names_, draft_.data(), {&*item.target, &*item.value}));
  displace_constraint(item, places);
}

// Finds where the forces of a constraint act: it is read once more, with what it names displaced.
void ConstraintReader::displace_constraint(const SyntaxItem& item, NamedPlaces& places) {
  places.start_displacing();
  const Value v = expressions_.read_difference(*item.target, *item.value);
  draft_.model().displace_constraint(make_displaced(v, places));
}

void ConstraintReader::read_lock(const SyntaxName& name) {
  draft_.attempt(name.span, "", [&] {
    const auto q = names_.scalars().find(name.text);
    if (!q) draft_.fail_unknown(name, "coordinate", names_.scalars().names());
    draft_.model().lock(*q);
  });
}

void ConstraintReader::read_roll(const SyntaxStatement& s) {
  if (s.items.empty() || !s.items[0].target) throw GivenUp();
  const Frame body = names_.find_frame(*s.items[0].target);
  const Frame on = names_.find_frame(find_clause(s, "on")->values[0]);
  const Position at = expressions_.read_position(find_clause(s, "at")->values[0]);
  draft_.stand_at(s.span);
  draft_.model().roll(s.name.text, {.body = body, .on = on, .at = at});
  NamedPlaces places(draft_.model());
  places.start_displacing();
  const auto followed = expressions_.follow(places);
  const Position displaced = expressions_.read_position(find_clause(s, "at")->values[0]);
  const Position No = draft_.model().newtonian().origin();
  draft_.model().displace_constraint(make_displaced(displaced - No, places));
}

void ConstraintReader::read_dependent(const SyntaxStatement& s) {
  for (const SyntaxItem& item : s.items) {
    const auto u = names_.scalars().find(item.name.text, item.name.primes);
    if (!u) draft_.fail_unknown(item.name, "speed", names_.scalars().names());
    draft_.stand_at(item.name.span);
    draft_.model().dependent(*u);
  }
}

}  // namespace visviva
