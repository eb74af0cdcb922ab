#include "visviva/text/build/result_reader.h"

namespace visviva {
namespace {

const Dimension seconds = Dimension::of(Dimension::time);
const Dimension joules = Dimension::of(Dimension::mass) * Dimension::of(Dimension::length, 2) /
                         Dimension::of(Dimension::time, 2);

}  // namespace

void ResultReader::read() {
  {
    const auto allowed = expressions_.allow_results(true);
    draft_.for_each(StatementKind::output, [&](const SyntaxStatement& s) { read_outputs(s); });
    draft_.for_each(StatementKind::plot, [&](const SyntaxStatement& s) { read_outputs(s); });
    draft_.for_each(StatementKind::event, [&](const SyntaxStatement& s) { read_event(s); });
  }
  draft_.for_each(StatementKind::study, [&](const SyntaxStatement& s) { read_study(s); });
  draft_.for_each(StatementKind::claim, [&](const SyntaxStatement& s) { read_claims(s); });
}

void ResultReader::read_claims(const SyntaxStatement& s) {
  using Kind = ClaimData::Kind;
  static const std::map<std::string, Kind> kinds = {{"invariant", Kind::invariant},
                                                    {"third_law", Kind::third_law},
                                                    {"constant", Kind::constant},
                                                    {"holonomic", Kind::holonomic},
                                                    {"nonholonomic", Kind::nonholonomic}};
  for (const SyntaxItem& item : s.items) {
    const auto kind = kinds.find(item.claim);
    if (kind == kinds.end()) continue;
    draft_.attempt(item.span, s.documentation, [&] {
      draft_.stand_at(item.span);
      try {
        draft_.model().claim(kind->second, item.name.text, item.is_for_these_values);
      } catch (const UsageError& error) {
        draft_.fail(item.name.span, error, "E-claim-subject");
      }
    });
  }
}

void ResultReader::read_outputs(const SyntaxStatement& s) {
  for (const SyntaxItem& item : s.items) {
    draft_.attempt(item.span, s.documentation,
                   [&] { read_output(item, s.kind == StatementKind::plot); });
  }
}

void ResultReader::read_output(const SyntaxItem& item, bool plot) {
  if (!item.target) throw GivenUp();
  const Value v = expressions_.read(*item.target);
  const std::string written = draft_.written(*item.target);
  const std::string name = item.name.text.empty() ? written : item.name.text;
  const auto [first, fresh] = outputs_.emplace(name, written);
  if (!fresh && first->second != written)
    draft_.fail(
        item.span, "E-name-twice",
        "the output '" + name + "' is declared twice: " + first->second + " and " + written);
  draft_.stand_at(item.span);
  if (const Quantity* q = std::get_if<Quantity>(&v)) return draft_.model().output(name, *q, plot);
  if (const Vector* w = std::get_if<Vector>(&v)) {
    draft_.model().output(name, *w, plot);
    return read_moment(*item.target, name, plot);
  }
  draft_.fail(item.target->span, "E-output-target", "a point cannot be an output",
              "write POINT - No for its position");
}

// A reaction that is asked for by itself is force and moment.
void ResultReader::read_moment(const Expression& e, const std::string& name, bool plot) {
  if (e.kind != Expression::Kind::call || e.text != "reaction") return;
  draft_.model().output(name + ".moment", draft_.model().moment(e.operands[0].text), plot);
}

void ResultReader::read_event(const SyntaxStatement& s) {
  const SyntaxClause* when = find_clause(s, "when");
  const Value v = expressions_.read_difference(when->values[0], when->values[1]);
  const Quantity* q = std::get_if<Quantity>(&v);
  if (q == nullptr)
    draft_.fail(when->values[0].span, "E-scalar-expected", "an event needs a scalar condition");
  draft_.stand_at(s.span);
  draft_.model().event(s.name.text, *q, find_clause(s, "stop") != nullptr);
}

void ResultReader::read_study(const SyntaxStatement& s) {
  const auto read = [&](const char* word, const Dimension& dimension,
                        bool zero) -> std::optional<double> {
    const SyntaxClause* clause = find_clause(s, word);
    if (clause == nullptr) return std::nullopt;
    const Expression& e = clause->values[0];
    const double value = expressions_.read_constant(e, dimension);
    if (value < 0 || (value == 0 && !zero)) {
      draft_.fail(e.span, "E-study-range",
                  std::string("'") + word + "' must be positive, found " + draft_.written(e));
    }
    return value;
  };
  StudyData study;
  study.until = read("until", seconds, true);
  study.every = read("every", seconds, false);
  study.tolerance = read("tolerance", Dimension(), false);
  if (study.tolerance && *study.tolerance >= 1) {
    const Expression& e = find_clause(s, "tolerance")->values[0];
    draft_.fail(e.span, "E-study-range",
                "'tolerance' must be less than 1, found " + draft_.written(e));
  }
  study.energy = read("energy", joules, false);
  draft_.model().study(study);
}

}  // namespace visviva
