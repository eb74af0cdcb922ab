// Frames, points, particles and bodies of a model's text, built when something asks for them.
#include "visviva/text/build/model_builder.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

template <class Entries>
std::vector<std::string> keys(const Entries& entries, const char* always) {
  std::vector<std::string> names = {always};
  for (const auto& entry : entries) names.push_back(entry.first);
  return names;
}

SyntaxName name_of(const Expression& e) { return {e.kind == Kind::name ? e.text : "", 0, e.span}; }

Axis to_axis(const std::string& letter) {
  return letter == "x" ? Axis::x : letter == "y" ? Axis::y : Axis::z;
}

bool is_axis_letter(const Expression& e) {
  return e.kind == Kind::name && e.primes == 0 && (e.text == "x" || e.text == "y" || e.text == "z");
}

}  // namespace

void ModelBuilder::build_entry(std::map<std::string, Entry>& entries, const SyntaxName& name,
                               const char* what) {
  Entry& entry = entries.at(name.text);
  if (entry.state == Entry::done) return;
  if (entry.state == Entry::failed) throw Stop();
  if (entry.state == Entry::busy) {
    fail(name.span, "E-definition-cycle",
         std::string("the ") + what + " '" + name.text +
             "' is defined by itself, perhaps through others",
         &entries == &frames_
             ? "a spin is given along the axes of other frames; for body axes use a quaternion"
             : "");
  }
  if (level_ >= 300) {
    fail(name.span, "E-nesting-deep",
         std::string("the ") + what + " '" + name.text +
             "' is reached through too many declarations below it",
         "declare things before what is defined by them");
  }
  ++level_;
  entry.state = Entry::busy;
  const std::string outer = documentation_;
  const bool allowed = results_allowed_;
  results_allowed_ = false;
  const bool good = attempt(entry.statement->span, entry.statement->documentation, [&] {
    if (&entries == &frames_)
      build_frame(entry);
    else if (&entries == &points_)
      build_point(entry);
    else
      let_values_.emplace(name.text, evaluate(*entry.item->value));
  });
  documentation_ = outer;
  results_allowed_ = allowed;
  --level_;
  entry.state = good ? Entry::done : Entry::failed;
  if (!good) throw Stop();
}

Frame ModelBuilder::find_frame(const SyntaxName& name) {
  if (name.text == "N") return model_.newtonian();
  if (frames_.count(name.text) == 0) {
    const bool point = points_.count(name.text) != 0 || name.text == "No";
    if (point || scalars_.count(name.text) != 0)
      fail(name.span, "E-name-kind",
           "'" + name.text + "' is a " + (point ? "point" : "scalar") +
               "; expected a frame or a body");
    fail_unknown(name, "frame or body", keys(frames_, "N"));
  }
  build_entry(frames_, name, "frame");
  return *model_.find_frame(name.text);
}

Frame ModelBuilder::find_frame(const Expression& e) {
  if (e.kind != Kind::name || e.primes != 0)
    fail(e.span, "E-name-kind", "expected the name of a frame or body");
  return find_frame(name_of(e));
}

Point ModelBuilder::find_point(const SyntaxName& name) {
  if (name.text == "No") return model_.newtonian().origin();
  if (points_.count(name.text) == 0) {
    if (points_.count(name.text + "cm") != 0) {
      fail(name.span, "E-point-expected", "'" + name.text + "' is a body; expected a point",
           "its mass center is " + name.text + "cm");
    }
    const bool frame = frames_.count(name.text) != 0 || name.text == "N";
    if (frame || scalars_.count(name.text) != 0)
      fail(name.span, "E-point-expected",
           "'" + name.text + "' is a " + (frame ? "frame" : "scalar") + "; expected a point");
    fail_unknown(name, "point or particle", keys(points_, "No"));
  }
  build_entry(points_, name, "point");
  return *model_.find_point(name.text);
}

Point ModelBuilder::find_point(const Expression& e) {
  if (e.kind != Kind::name || e.primes != 0)
    fail(e.span, "E-point-expected", "expected the name of a point or particle");
  return find_point(name_of(e));
}

Position ModelBuilder::read_position(const Expression& e) {
  const Expression* outer = point_wanted_;
  point_wanted_ = e.kind == Kind::sum ? &e.operands[0] : &e;
  const Value v = evaluate(e);
  point_wanted_ = outer;
  if (const Position* p = std::get_if<Position>(&v)) return *p;
  fail(e.span, "E-point-expected",
       std::string("expected a position: a point, or a point plus vectors; found ") +
           (std::holds_alternative<Vector>(v) ? "a vector" : "a scalar"),
       "start from a point such as No");
}

// ---- Frames

void ModelBuilder::build_frame(const Entry& entry) {
  const Expression& value = *entry.item->value;
  const bool known = value.text == "rotate" || value.text == "quaternion" ||
                     value.text == "rodrigues" || value.text == "spin";
  if (value.kind != Kind::call || !known)
    fail(value.span, "E-frame-value", "expected rotate, quaternion, rodrigues or spin");
  const Orientation o = read_orientation(value);
  model_.set_source(entry.item->span, documentation_);
  try {
    model_.frame(entry.item->name.text, o);
  } catch (const UsageError& error) {
    fail(value.span, error.code().empty() ? "E-frame-value" : error.code(), error.problem());
  }
}

Orientation ModelBuilder::read_orientation(const Expression& call) {
  require_operands(call);
  const Frame parent = find_frame(call.operands[0]);
  const auto operand = [&](std::size_t i) { return scalar(call.operands[i]); };
  try {
    if (call.text == "rotate") return read_rotation(call, parent);
    if (call.text == "spin") return spin(parent, vector(call.operands[1]));
    if (call.text == "rodrigues") return rodrigues(parent, {operand(1), operand(2), operand(3)});
    for (std::size_t i = 1; call.text == "quaternion" && i < 5; ++i)
      require_dimension(operand(i), Dimension(), "quaternion", "an Euler parameter",
                        "E-dimension-angle");
    if (call.text == "quaternion")
      return quaternion(parent, {operand(1), operand(2), operand(3), operand(4)});
  } catch (const UsageError& error) {
    fail(call.span, error.code().empty() ? "E-frame-value" : error.code(), error.problem());
  }
  fail(call.span, "E-frame-value", "expected rotate, quaternion, rodrigues or spin");
}

Orientation ModelBuilder::read_rotation(const Expression& call, const Frame& parent) {
  const Expression& how = call.operands[1];
  if (call.operands.size() == 3) {
    // A bare x, y, z is an axis here.
    const Quantity angle = scalar(call.operands[2]);
    model_.set_source(call.operands[2].span, documentation_);
    if (is_axis_letter(how)) return rotate(parent, to_axis(how.text), angle);
    return rotate(parent, vector(how), angle);
  }
  const std::array<Quantity, 3> angles = {scalar(call.operands[2]), scalar(call.operands[3]),
                                          scalar(call.operands[4])};
  const bool space = how.kind == Kind::phrase;
  const std::string& sequence = space ? how.operands[0].text : how.text;
  return space ? rotate_space(parent, sequence, angles) : rotate(parent, sequence, angles);
}

// ---- Points and bodies

void ModelBuilder::build_point(const Entry& entry) {
  const SyntaxStatement& s = *entry.statement;
  try {
    if (s.kind == StatementKind::point) {
      const Position p = read_position(*entry.item->value);
      model_.set_source(entry.item->span, documentation_);
      model_.point(entry.item->name.text, p);
    } else if (s.kind == StatementKind::particle) {
      const Position p = read_position(find_clause(s, "at")->values[0]);
      const Quantity mass = scalar(find_clause(s, "mass")->values[0]);
      model_.set_source(s.span, documentation_);
      model_.particle(s.name.text, {.at = p, .mass = mass});
    } else {
      build_body(s);
    }
  } catch (const UsageError& error) {
    fail(entry.item != nullptr ? entry.item->span : s.span,
         error.code().empty() ? "E-point-expected" : error.code(), error.problem());
  }
}

void ModelBuilder::build_body(const SyntaxStatement& s) {
  if (frames_.count(s.name.text) == 0) {
    fail(s.name.span, "E-body-frame",
         "there is no frame '" + s.name.text + "' for the body to move with",
         "declare it: frame " + s.name.text + " = rotate(N, z, ...)");
  }
  const Frame frame = find_frame(s.name);
  const Position at = read_position(find_clause(s, "at")->values[0]);
  BodyOptions options{.at = at, .mass = scalar(find_clause(s, "mass")->values[0])};
  if (const SyntaxClause* inertia = find_clause(s, "inertia")) {
    std::vector<Quantity> I;
    for (const Expression& e : inertia->values) I.push_back(scalar(e));
    if (I.size() < 3) throw Stop();
    options.inertia = {I[0], I[1], I[2]};
    if (I.size() == 6) {
      options.inertia.xy = I[3];
      options.inertia.yz = I[4];
      options.inertia.zx = I[5];
    }
  }
  for (const SyntaxClause& clause : s.clauses) {
    if (find_solid(clause.word) != nullptr) options.solid = read_solid(clause);
    if (clause.word == "shape" && !clause.clauses.empty())
      options.solid = read_solid(clause.clauses[0]);
  }
  model_.set_source(s.span, documentation_);
  model_.body(frame, options);
}

Solid ModelBuilder::read_solid(const SyntaxClause& clause) {
  const auto size = [&](const char* word) {
    const SyntaxClause* c = find_clause(clause, word);
    return c == nullptr ? Quantity() : scalar(c->values[0]);
  };
  const SyntaxClause* along = find_clause(clause, "along");
  const Axis axis = along == nullptr ? Axis::z : to_axis(along->values[0].text);
  if (clause.word == "sphere") return sphere(size("radius"));
  if (clause.word == "shell") return shell(size("radius"));
  if (clause.word == "rod") return rod(size("length"), axis);
  if (clause.word == "cylinder") return cylinder(size("radius"), size("length"), axis);
  if (clause.word == "disc") return disc(size("radius"), axis);
  if (clause.values.size() < 3) throw Stop();
  return box(scalar(clause.values[0]), scalar(clause.values[1]), scalar(clause.values[2]));
}

}  // namespace visviva
