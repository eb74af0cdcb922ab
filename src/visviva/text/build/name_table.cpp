#include "visviva/text/build/name_table.h"

#include "visviva/text/build/scoped_value.h"
#include "visviva/text/syntax/limits.h"

namespace visviva {
namespace {

using State = Declaration::State;

const char* kind_word(Declaration::Kind kind) {
  return kind == Declaration::Kind::frame   ? "frame"
         : kind == Declaration::Kind::point ? "point"
                                            : "let";
}

std::vector<std::string> keys(const NameTable::Declarations& declarations, const char* always) {
  std::vector<std::string> names = {always};
  for (const auto& d : declarations) names.push_back(d.first);
  return names;
}

bool is_bare_name(const Expression& e) { return e.kind == Expression::Kind::name && e.primes == 0; }

}  // namespace

// ---- Collecting

NameTable::NameTable(ModelDraft& draft) : draft_(draft), scalars_(draft), fields_(draft.tree()) {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.damaged) continue;
    for (const SyntaxItem& item : s.items) {
      if (!item.value) continue;
      if (s.kind == StatementKind::frame)
        collect(frames_, item.name, {Declaration::Kind::frame, &s, &item}, "frame");
      if (s.kind == StatementKind::point)
        collect(points_, item.name, {Declaration::Kind::point, &s, &item}, "point");
      if (s.kind == StatementKind::let)
        collect(lets_, item.name, {Declaration::Kind::let, &s, &item}, "let");
    }
    const Declaration object{Declaration::Kind::point, &s, nullptr};
    if (s.kind == StatementKind::particle) collect(points_, s.name, object, "point");
    if (s.kind == StatementKind::body)
      collect(points_, {s.name.text + "cm", 0, s.name.span}, object, "mass center");
  }
}

void NameTable::collect(Declarations& declarations, const SyntaxName& name,
                        const Declaration& declaration, const char* what) {
  if (name.text.empty()) return;
  const auto [place, fresh] = declarations.emplace(name.text, declaration);
  Declaration& first = place->second;
  if (fresh) return order_.emplace_back(name.text, &first), void();
  const SourceSpan& span =
      first.item != nullptr ? first.item->name.span : first.statement->name.span;
  draft_.add({Severity::error, "E-name-twice",
              std::string("the ") + what + " '" + name.text + "' is declared twice",
              "the first declaration is in " + line_of(span, name.span), name.span});
}

// ---- Making

void NameTable::make_all() {
  for (const auto& [name, declaration] : order_) {
    try {
      make(*declaration, {name, 0, declaration->statement->span});
    } catch (const GivenUp&) {
    }
  }
}

void NameTable::make(Declaration& declaration, const SyntaxName& name) {
  if (declaration.state == State::done) return;
  if (declaration.state == State::failed) throw GivenUp();
  const std::string what = std::string("the ") + kind_word(declaration.kind) + " '" + name.text;
  if (declaration.state == State::busy) {
    draft_.fail(
        name.span, "E-definition-cycle", what + "' is defined by itself, perhaps through others",
        declaration.kind == Declaration::Kind::frame
            ? "a spin is given along the axes of other frames; for body axes use a quaternion"
            : "");
  }
  if (level_ >= most_definition_levels) {
    draft_.fail(name.span, "E-nesting-deep",
                what + "' is reached through too many declarations below it",
                "declare things before what is defined by them");
  }
  const ScopedValue deeper(level_, level_ + 1);
  declaration.state = State::busy;
  const SyntaxStatement& s = *declaration.statement;
  const bool good = draft_.attempt_amid(s.span, s.documentation, [&] { make_(declaration); });
  declaration.state = good ? State::done : State::failed;
  if (!good) throw GivenUp();
}

// ---- Finding

bool NameTable::is_particle(const std::string& name) const {
  const auto point = points_.find(name);
  if (point == points_.end()) return false;
  const StatementKind kind = point->second.statement->kind;
  return kind == StatementKind::particle || kind == StatementKind::body;
}

Frame NameTable::find_frame(const SyntaxName& name) {
  if (name.text == "N") return draft_.model().newtonian();
  const auto found = frames_.find(name.text);
  if (found == frames_.end()) {
    const bool point = has_point(name.text) || name.text == "No";
    if (point || scalars_.has(name.text))
      draft_.fail(name.span, "E-name-kind",
                  "'" + name.text + "' is a " + (point ? "point" : "scalar") +
                      "; expected a frame or a body");
    draft_.fail_unknown(name, "frame or body", keys(frames_, "N"));
  }
  make(found->second, name);
  return *draft_.model().find_frame(name.text);
}

Frame NameTable::find_frame(const Expression& e) {
  if (!is_bare_name(e)) draft_.fail(e.span, "E-name-kind", "expected the name of a frame or body");
  return find_frame(SyntaxName{e.text, 0, e.span});
}

Point NameTable::find_point(const SyntaxName& name) {
  if (name.text == "No") return draft_.model().newtonian().origin();
  const auto found = points_.find(name.text);
  if (found == points_.end()) {
    if (has_point(name.text + "cm")) {
      draft_.fail(name.span, "E-point-expected", "'" + name.text + "' is a body; expected a point",
                  "its mass center is " + name.text + "cm");
    }
    const bool frame = has_frame(name.text) || name.text == "N";
    if (frame || scalars_.has(name.text))
      draft_.fail(
          name.span, "E-point-expected",
          "'" + name.text + "' is a " + (frame ? "frame" : "scalar") + "; expected a point");
    draft_.fail_unknown(name, "point or particle", keys(points_, "No"));
  }
  make(found->second, name);
  return *draft_.model().find_point(name.text);
}

Point NameTable::find_point(const Expression& e) {
  if (!is_bare_name(e))
    draft_.fail(e.span, "E-point-expected", "expected the name of a point or particle");
  return find_point(SyntaxName{e.text, 0, e.span});
}

const Declaration& NameTable::find_let(const SyntaxName& name) {
  Declaration& let = lets_.at(name.text);
  make(let, name);
  let.is_used = true;
  return let;
}

std::optional<Quantity> NameTable::find_body_rate(const std::string& name) {
  if (name.size() < 4 || name.compare(name.size() - 3, 2, "_w") != 0) return {};
  const std::string frame = name.substr(0, name.size() - 3);
  const char axis = name.back();
  if (axis < 'x' || axis > 'z' || !has_frame(frame)) return {};
  const Frame D = find_frame(SyntaxName{frame, 0, {}});
  const FrameData& data = draft_.data().frames[static_cast<std::size_t>(D.index())];
  if (data.orientation.kind != Orientation::Kind::quaternion) return {};
  const Vector unit = axis == 'x' ? D.x() : axis == 'y' ? D.y() : D.z();
  return dot(angular_velocity(D, Frame(D.model(), data.parent)), unit);
}

std::vector<std::string> NameTable::names_in_expressions() const {
  std::vector<std::string> names = scalars_.names();
  for (const auto& p : points_) names.push_back(p.first);
  for (const auto& l : lets_) names.push_back(l.first);
  names.insert(names.end(), {"pi", "t", "No"});
  return names;
}

}  // namespace visviva
