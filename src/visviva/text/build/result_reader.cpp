#include "visviva/text/build/result_reader.h"

#include <algorithm>

namespace visviva {
namespace {

const Dimension seconds = Dimension::of(Dimension::time);
const Dimension joules = Dimension::of(Dimension::mass) * Dimension::of(Dimension::length, 2) /
                         Dimension::of(Dimension::time, 2);

}  // namespace

void ResultReader::read() {
  name_outputs();
  {
    const auto allowed = expressions_.allow_results(true);
    draft_.for_each(StatementKind::energy, [&](const SyntaxStatement& s) { read_energies(s); });
    draft_.for_each(StatementKind::output, [&](const SyntaxStatement& s) { read_outputs(s); });
    draft_.for_each(StatementKind::plot, [&](const SyntaxStatement& s) { read_outputs(s); });
    draft_.for_each(StatementKind::event, [&](const SyntaxStatement& s) { read_event(s); });
  }
  draft_.for_each(StatementKind::study, [&](const SyntaxStatement& s) { read_study(s); });
  const auto allowed = expressions_.allow_results(true);
  draft_.for_each(StatementKind::claim, [&](const SyntaxStatement& s) { read_claims(s); });
}

// Outputs may name one another, in any order.
void ResultReader::name_outputs() {
  draft_.for_each(StatementKind::energy, [&](const SyntaxStatement& s) {
    for (const SyntaxItem& item : s.items)
      if (item.value) expressions_.add_output(item.name.text, *item.value);
  });
  for (const StatementKind kind : {StatementKind::output, StatementKind::plot}) {
    draft_.for_each(kind, [&](const SyntaxStatement& s) {
      for (const SyntaxItem& item : s.items) {
        if (item.target && !item.name.text.empty())
          expressions_.add_output(item.name.text, *item.target);
      }
    });
  }
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
      if (kind->second == Kind::constant) return read_constant(item);
      try {
        draft_.model().claim(kind->second, item.name.text, item.is_for_these_values);
      } catch (const UsageError& error) {
        draft_.fail(item.name.span, error, "E-claim-subject");
      }
    });
  }
}

// A name may be that of an output, or of an integral that only `energy` knows. Momenta of all bodies together have the names
// that integrals have.
void ResultReader::read_constant(const SyntaxItem& item) {
  using Kind = Expression::Kind;
  const Expression& e = *item.target;
  const std::string written = draft_.written(e);
  const auto claim = [&](const Quantity& value) {
    draft_.stand_at(item.span);  // reading has been elsewhere
    draft_.model().claim_constant(written, value, item.is_for_these_values);
  };
  if (e.kind == Kind::name && e.primes == 0 && !expressions_.has_scalar(e.text) &&
      expressions_.find_output(e.text) == nullptr)
    return draft_.model().claim(ClaimData::Kind::constant, written, item.is_for_these_values);
  const bool is_total = e.kind == Kind::axis && e.text == "linear_momentum";
  const Value v =
      is_total ? Value(expressions_.take_component(add_momenta(), e)) : expressions_.read(e);
  if (const Quantity* q = std::get_if<Quantity>(&v)) return claim(*q);
  draft_.fail(e.span, "E-scalar-expected", "a claim that something is constant needs a scalar",
              "write a component, such as " + written + ".x");
}

// The momentum of all bodies and particles together.
Vector ResultReader::add_momenta() {
  Vector sum;
  for (const BodyData& body : draft_.data().bodies) {
    const Vector one = momentum(Point(draft_.data(), body.point));
    sum = sum.model() == nullptr ? one : sum + one;
  }
  return sum;
}

void ResultReader::read_outputs(const SyntaxStatement& s) {
  std::optional<Showing> showing;
  draft_.attempt(s.span, s.documentation, [&] { showing = read_showing(s); });
  for (const SyntaxItem& item : s.items) {
    if (item.is_abscissa) continue;
    draft_.attempt(item.span, s.documentation,
                   [&] { read_output(item, showing.value_or(Showing{})); });
  }
}

// Over `t` is over time.
ResultReader::Showing ResultReader::read_showing(const SyntaxStatement& s) {
  Showing showing{s.kind == StatementKind::plot};
  const auto item = std::find_if(s.items.begin(), s.items.end(),
                                 [](const SyntaxItem& i) { return i.is_abscissa; });
  if (item == s.items.end() || !item->target) return showing;
  const bool is_time = item->target->kind == Expression::Kind::name && item->target->text == "t" &&
                       item->target->primes == 0;
  if (is_time) return showing;
  const Value v = expressions_.read(*item->target);
  const Quantity* q = std::get_if<Quantity>(&v);
  if (q == nullptr)
    draft_.fail(item->target->span, "E-scalar-expected", "a plot is drawn over a scalar",
                "write a component, such as dot(P - No, N.x)");
  showing.over = Abscissa{name_output(*item), *q};
  return showing;
}

std::string ResultReader::name_output(const SyntaxItem& item) {
  const std::string own = draft_.written(*item.target);
  const std::string name = item.name.text.empty() ? own : item.name.text;
  // The name of another output is that output.
  const Expression* named = item.name.text.empty() ? expressions_.find_output(own) : nullptr;
  const std::string written =
      named != nullptr && !expressions_.has_scalar(own) ? draft_.written(*named) : own;
  const auto [first, fresh] = outputs_.emplace(name, written);
  if (!fresh && first->second != written)
    draft_.fail(
        item.span, "E-name-twice",
        "the output '" + name + "' is declared twice: " + first->second + " and " + written);
  return name;
}

void ResultReader::read_output(const SyntaxItem& item, const Showing& showing) {
  if (!item.target) throw GivenUp();
  if (item.target->kind == Expression::Kind::call && item.target->text == "jacobian")
    return read_jacobian(item, showing);
  const Value v = expressions_.read(*item.target);
  const std::string name = name_output(item);
  draft_.stand_at(item.span);
  if (const Quantity* q = std::get_if<Quantity>(&v)) return add_output(name, *q, showing);
  if (const Vector* w = std::get_if<Vector>(&v)) {
    add_output(name, *w, showing);
    // A reaction that is asked for by itself is force and moment.
    const Expression& e = *item.target;
    if (e.kind != Expression::Kind::call || e.text != "reaction") return;
    return add_output(name + ".moment", draft_.model().moment(e.operands[0].text), showing);
  }
  draft_.fail(item.target->span, "E-output-target", "a point cannot be an output",
              "write POINT - No for its position");
}

// A column for each speed there may be; which rates are speeds is not known before the motion is.
void ResultReader::read_jacobian(const SyntaxItem& item, const Showing& showing) {
  if (showing.over)
    draft_.fail(item.target->span, "E-output-target", "a jacobian is plotted over time",
                "plot its columns over something else by their names");
  const Point P = expressions_.find_point(item.target->operands[0]);
  const std::string own = draft_.written(*item.target);
  const std::string name = item.name.text.empty() ? own : item.name.text;
  draft_.stand_at(item.span);
  const auto add = [&](const std::string& speed, const Dimension& dimension) {
    draft_.model().output(name + "." + speed, partial_velocity(P, speed, dimension), showing.is_plot);
    draft_.model().show_with_speed(speed);
  };
  const ModelData& data = draft_.data();
  const Dimension rate = Dimension() / seconds;
  for (const SpeedData& s : data.speeds) add(s.name, s.dimension);
  for (const CoordinateData& c : data.coordinates)
    if (c.quaternion < 0) add(c.name + "'", c.dimension / seconds);
  for (const FrameData& f : data.frames) {
    if (f.orientation.kind != Orientation::Kind::quaternion) continue;
    for (const char* axis : {"x", "y", "z"}) add(f.name + "_w" + axis, rate);
  }
}

template <class Value>
void ResultReader::add_output(const std::string& name, const Value& value, const Showing& showing) {
  if (showing.over) return draft_.model().plot(name, value, *showing.over);
  draft_.model().output(name, value, showing.is_plot);
}

void ResultReader::read_energies(const SyntaxStatement& s) {
  for (const SyntaxItem& item : s.items) {
    if (!item.value) continue;
    draft_.attempt(item.span, s.documentation, [&] {
      const Quantity value = expressions_.read_scalar(*item.value, joules);
      draft_.stand_at(item.span);
      draft_.model().other_energy(item.name.text, value);
    });
  }
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
