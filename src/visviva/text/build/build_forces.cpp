// Forces, constraints and what results show, from a model's text.
#include <filesystem>

#include "visviva/base/unit.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/text/build/csv.h"
#include "visviva/text/build/model_builder.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

const Dimension seconds = Dimension::of(Dimension::time);
const Dimension joules = Dimension::of(Dimension::mass) * Dimension::of(Dimension::length, 2) /
                         Dimension::of(Dimension::time, 2);

}  // namespace

void ModelBuilder::build_forces() {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.damaged) continue;
    attempt(s.span, s.documentation, [&] {
      switch (s.kind) {
        case StatementKind::gravity:
        case StatementKind::potential:
        case StatementKind::dissipation:
          return build_energy(s);
        case StatementKind::force:
          return build_force(s);
        case StatementKind::torque:
          return build_torque(s);
        case StatementKind::spring:
        case StatementKind::damper:
          return build_spring(s);
        default:
          return;
      }
    });
  }
}

void ModelBuilder::build_energy(const SyntaxStatement& s) {
  if (s.kind == StatementKind::gravity) {
    const Vector g = vector(*s.value);
    model_.set_source(s.value->span, documentation_);
    return model_.gravity(g);
  }
  const Quantity value = scalar(*s.value);
  model_.set_source(s.value->span, documentation_);
  if (s.kind == StatementKind::potential) return model_.potential(s.name.text, value);
  model_.dissipation(s.name.text, value);
}

void ModelBuilder::build_force(const SyntaxStatement& s) {
  const Expression& on = find_clause(s, "on")->values[0];
  const SyntaxClause *at = find_clause(s, "at"), *from = find_clause(s, "from");
  ForceOptions options;
  if (at != nullptr) {
    options.body = find_frame(on);
    // The place may be any position; a name is given to one that has none.
    const Position p = read_position(at->values[0]);
    if (p.offset.is_zero()) {
      options.on = p.base;
    } else {
      std::string name = s.name.text + "_place";
      while (model_.find_point(name)) name += "_";
      options.on = model_.point(name, p);
    }
  } else {
    if (on.kind == Kind::name && points_.count(on.text) == 0 && frames_.count(on.text) != 0) {
      fail(on.span, "E-point-expected", "'" + on.text + "' is a body; a force acts at a point",
           "write: on " + on.text + " at POINT, or on " + on.text + "cm");
    }
    options.on = find_point(on);
  }
  if (from != nullptr) options.from = find_point(from->values[0]);
  options.value = vector(*s.value);
  model_.set_source(s.span, documentation_);
  model_.force(s.name.text, options);
}

void ModelBuilder::build_torque(const SyntaxStatement& s) {
  const SyntaxClause* from = find_clause(s, "from");
  TorqueOptions options{.on = find_frame(find_clause(s, "on")->values[0]),
                        .value = vector(*s.value)};
  if (from != nullptr) options.from = find_frame(from->values[0]);
  model_.set_source(s.span, documentation_);
  model_.torque(s.name.text, options);
}

void ModelBuilder::build_spring(const SyntaxStatement& s) {
  const SyntaxClause *from = find_clause(s, "from"), *to = find_clause(s, "to"),
                     *on = find_clause(s, "on");
  SpringOptions ends;
  if (from != nullptr) ends.from = find_point(from->values[0]);
  if (to != nullptr) ends.to = find_point(to->values[0]);
  if (on != nullptr) ends.on = scalar(on->values[0]);
  const bool spring = s.kind == StatementKind::spring;
  const Quantity coefficient = scalar(find_clause(s, spring ? "stiffness" : "rate")->values[0]);
  const SyntaxClause* rest = find_clause(s, "rest");
  const Quantity length = rest == nullptr ? Quantity() : scalar(rest->values[0]);
  model_.set_source(s.span, documentation_);
  if (spring) {
    model_.spring(s.name.text, {.from = ends.from,
                                .to = ends.to,
                                .on = ends.on,
                                .stiffness = coefficient,
                                .rest = length});
  } else {
    model_.damper(s.name.text,
                  {.from = ends.from, .to = ends.to, .on = ends.on, .rate = coefficient});
  }
}

// ---- Constraints

void ModelBuilder::build_constraints() {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.damaged) continue;
    if (s.kind == StatementKind::roll) attempt(s.span, s.documentation, [&] { build_roll(s); });
    for (const SyntaxItem& item : s.items) {
      if (s.kind == StatementKind::constraint)
        attempt(item.span, s.documentation, [&] { build_constraint(item); });
      if (s.kind == StatementKind::lock) build_lock(item.name);
    }
  }
  for (const SyntaxName& name : locks_) build_lock(name);
  for_each(StatementKind::dependent, [&](const SyntaxStatement& s) {
    for (const SyntaxItem& item : s.items) {
      const auto u = find_scalar(item.name.text, item.name.primes);
      if (!u) fail_unknown(item.name, "speed", scalar_names());
      model_.set_source(item.name.span, documentation_);
      model_.dependent(*u);
    }
  });
}

void ModelBuilder::build_constraint(const SyntaxItem& item) {
  if (!item.target || !item.value) throw Stop();
  std::map<std::pair<const Expression*, std::size_t>, Point> nameless;
  nameless_ = &nameless;
  std::optional<Value> read;
  try {
    read = difference(*item.target, *item.value);
  } catch (...) {
    nameless_ = nullptr;
    throw;
  }
  nameless_ = nullptr;
  const Value& v = *read;
  model_.set_source(item.span, documentation_);
  if (const Quantity* q = std::get_if<Quantity>(&v))
    model_.constraint(item.name.text, *q);
  else if (const Vector* w = std::get_if<Vector>(&v))
    model_.constraint(item.name.text, *w);
  else
    fail(item.span, "E-vector-expected", "a point is set equal to something that is not a point");
  if (model_.data().constraints.back().kind == ConstraintData::Kind::configuration)
    displace_constraint(item, &nameless);
}

// Where its forces act: read once more, with what it names displaced.
void ModelBuilder::displace_constraint(
    const SyntaxItem& item, std::map<std::pair<const Expression*, std::size_t>, Point>* nameless) {
  std::vector<VirtualData> virtuals;
  virtuals_ = &virtuals;
  nameless_ = nameless;
  std::optional<Value> v;
  try {
    v = difference(*item.target, *item.value);
  } catch (...) {
    virtuals_ = nullptr;
    nameless_ = nullptr;
    throw;
  }
  virtuals_ = nullptr;
  nameless_ = nullptr;
  if (virtuals.empty()) return;
  if (const Quantity* q = std::get_if<Quantity>(&*v))
    model_.displace_constraint(*q, virtuals);
  else
    model_.displace_constraint(std::get<Vector>(*v), virtuals);
}

void ModelBuilder::build_lock(const SyntaxName& name) {
  attempt(name.span, "", [&] {
    const auto q = find_scalar(name.text, 0);
    if (!q) fail_unknown(name, "coordinate", scalar_names());
    model_.lock(*q);
  });
}

void ModelBuilder::build_roll(const SyntaxStatement& s) {
  if (s.items.empty() || !s.items[0].target) throw Stop();
  const Frame body = find_frame(*s.items[0].target);
  const Frame on = find_frame(find_clause(s, "on")->values[0]);
  const Position at = read_position(find_clause(s, "at")->values[0]);
  model_.set_source(s.span, documentation_);
  model_.roll(s.name.text, {.body = body, .on = on, .at = at});
}

// ---- Results

void ModelBuilder::build_results() {
  results_allowed_ = true;
  for_each(StatementKind::output, [&](const SyntaxStatement& s) { build_outputs(s); });
  for_each(StatementKind::plot, [&](const SyntaxStatement& s) { build_outputs(s); });
  for_each(StatementKind::event, [&](const SyntaxStatement& s) {
    const SyntaxClause* when = find_clause(s, "when");
    const Value v = difference(when->values[0], when->values[1]);
    const Quantity* q = std::get_if<Quantity>(&v);
    if (q == nullptr)
      fail(when->values[0].span, "E-scalar-expected", "an event needs a scalar condition");
    model_.set_source(s.span, documentation_);
    model_.event(s.name.text, *q, find_clause(s, "stop") != nullptr);
  });
  results_allowed_ = false;
  for_each(StatementKind::study, [&](const SyntaxStatement& s) { build_study(s); });
}

void ModelBuilder::build_outputs(const SyntaxStatement& s) {
  for (const SyntaxItem& item : s.items) {
    attempt(item.span, s.documentation, [&] {
      if (!item.target) throw Stop();
      const Value v = evaluate(*item.target);
      const std::string name = item.name.text.empty() ? written(*item.target) : item.name.text;
      const auto [first, fresh] = outputs_.emplace(name, written(*item.target));
      if (!fresh && first->second != written(*item.target))
        fail(item.span, "E-name-twice",
             "the output '" + name + "' is declared twice: " + first->second + " and " +
                 written(*item.target));
      model_.set_source(item.span, documentation_);
      const bool plot = s.kind == StatementKind::plot;
      if (const Quantity* q = std::get_if<Quantity>(&v)) return model_.output(name, *q, plot);
      if (const Vector* w = std::get_if<Vector>(&v)) return model_.output(name, *w, plot);
      fail(item.target->span, "E-output-target", "a point cannot be an output",
           "write POINT - No for its position");
    });
  }
}

double ModelBuilder::read_constant(const Expression& e, const Dimension& dimension) {
  const Quantity q = scalar(e);
  model_.set_source(e.span, documentation_);
  require_dimension(q, dimension, "study", "the value", "E-dimension-study");
  const Expr value = q.expr(*model_.data().pool);
  if (!free_symbols(value).empty())
    fail(e.span, "E-value-not-constant", "expected a number, found an expression with names");
  return visviva::evaluate(value, {}, {});
}

void ModelBuilder::build_study(const SyntaxStatement& s) {
  StudyData study;
  const auto read = [&](const char* word, const Dimension& dimension,
                        bool zero) -> std::optional<double> {
    const SyntaxClause* clause = find_clause(s, word);
    if (clause == nullptr) return std::nullopt;
    const double value = read_constant(clause->values[0], dimension);
    if (value < 0 || (value == 0 && !zero)) {
      fail(clause->values[0].span, "E-study-range",
           std::string("'") + word + "' must be positive, found " + written(clause->values[0]));
    }
    return value;
  };
  study.until = read("until", seconds, true);
  study.every = read("every", seconds, false);
  study.tolerance = read("tolerance", Dimension(), false);
  if (study.tolerance && *study.tolerance >= 1) {
    const Expression& e = find_clause(s, "tolerance")->values[0];
    fail(e.span, "E-study-range", "'tolerance' must be less than 1, found " + written(e));
  }
  study.energy = read("energy", joules, false);
  model_.study(study);
}

// ---- Tables

void ModelBuilder::define_table(const Quantity& specified, const Expression& call) {
  require_operands(call);
  const std::string& file = call.operands[0].text;
  CsvOptions csv;
  Unit unit;
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const Expression& option = call.operands[i];
    if (option.text == "unit") unit = *parse_unit(option.unit).unit;
    if (option.text != "column" || option.operands.empty()) continue;
    const Expression& which = option.operands[0];
    if (which.kind == Kind::text)
      csv.column = which.text;
    else
      csv.column = static_cast<int>(read_constant(which, Dimension()));
  }
  const std::filesystem::path path = std::filesystem::path(source_.file).parent_path() / file;
  const bool same = path.string() == file;
  CsvColumn column = read_csv_column(path.string(), csv);
  if (!column.ok()) {
    // Shown where the table is named; the place in the table is in the message.
    for (Diagnostic d : column.problems) {
      for (std::size_t i; (i = d.message.find(path.string())) != std::string::npos && !same;)
        d.message.replace(i, path.string().size(), file);
      if (d.span.line > 0)
        d.message = "line " + std::to_string(d.span.line) + " of the table: " + d.message;
      d.span = call.operands[0].span;
      diagnostics_.push_back(d);
    }
    throw Stop();
  }
  double scale = static_cast<double>(unit.num) / static_cast<double>(unit.den);
  for (int i = 0; i < unit.pi_power; ++i) scale *= 3.14159265358979323846;
  for (double& v : column.values) v *= scale;
  const auto spline =
      std::make_shared<const Spline>(std::move(column.times), std::move(column.values));
  model_.set_source(call.span, documentation_);
  model_.define(specified, spline, unit.dimension);
}

}  // namespace visviva
