#include "visviva/text/build/model_builder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "visviva/base/render.h"
#include "visviva/base/suggest.h"
#include "visviva/base/unit.h"
#include "visviva/base/utf8.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/text/syntax/limits.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

// Definitions that wait for one another; each takes room on the stack.
constexpr std::size_t most_levels = 300;

std::string with_primes(const std::string& name, int primes) {
  return name + std::string(static_cast<std::size_t>(primes), '\'');
}

void place_at(Expression& e, const SourceSpan& span) {
  e.span = span;
  for (Expression& operand : e.operands) place_at(operand, span);
}

std::string model_name(const SyntaxTree& tree) {
  for (const SyntaxStatement& s : tree.statements) {
    if (s.kind == StatementKind::model && !s.name.text.empty()) return s.name.text;
  }
  const std::string stem = std::filesystem::path(tree.file).stem().string();
  return !stem.empty() && (stem[0] < '0' || stem[0] > '9') &&
                 stem.find_first_not_of(
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
                     std::string::npos
             ? stem
             : "model";
}

}  // namespace

ModelBuilder::ModelBuilder(const SyntaxTree& tree, const SourceText& source,
                           const ReadOptions& options)
    : tree_(tree),
      source_(source),
      options_(options),
      diagnostics_(tree.diagnostics),
      model_(model_name(tree)) {}

// ---- Reporting

void ModelBuilder::fail(const SourceSpan& span, const std::string& code, const std::string& message,
                        const std::string& help) {
  report({Severity::error, code, message, help, span});
  throw Stop();
}

// One error a place: what follows from it there says nothing new.
void ModelBuilder::report(const Diagnostic& error) {
  const SourceSpan& here = error.span;
  for (const Diagnostic& d : diagnostics_) {
    if (here.line > 0 && d.severity == Severity::error && d.span.file == here.file &&
        d.span.line == here.line && d.span.column == here.column)
      return;
  }
  diagnostics_.push_back(error);
}

bool ModelBuilder::has_syntax_error(const SourceSpan& span) const {
  for (const Diagnostic& d : tree_.diagnostics) {
    if (d.severity == Severity::error && d.span.line == span.line && d.span.file == span.file &&
        d.span.column >= span.column && d.span.column <= span.column + span.length + 1)
      return true;
  }
  return false;
}

void ModelBuilder::warn(const SourceSpan& span, const std::string& code, const std::string& message,
                        const std::string& help) {
  diagnostics_.push_back({Severity::warning, code, message, help, span});
}

void ModelBuilder::fail_unknown(const SyntaxName& name, const std::string& what,
                                const std::vector<std::string>& candidates) {
  // Already complained about where it should have been declared.
  if (tree_.unread_names.count(name.text) != 0) throw Stop();
  fail(name.span, "E-name-unknown",
       "there is no " + what + " '" + with_primes(name.text, name.primes) + "'",
       did_you_mean(name.text, candidates));
}

bool ModelBuilder::attempt(const SourceSpan& span, const std::string& documentation,
                           const std::function<void()>& work) {
  documentation_ = documentation;
  model_.set_source(span, documentation);
  try {
    work();
    return true;
  } catch (const Stop&) {
  } catch (const UsageError& error) {
    const SourceSpan& here = model_.data().dimensions.here;
    report({Severity::error, error.code().empty() ? "E-name-kind" : error.code(), error.problem(),
            "", here.line > 0 ? here : span});
  }
  return false;
}

void ModelBuilder::for_each(StatementKind kind,
                            const std::function<void(const SyntaxStatement&)>& work) {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind == kind && !s.damaged) attempt(s.span, s.documentation, [&] { work(s); });
  }
}

std::string ModelBuilder::written(const Expression& e) const {
  const std::string_view line = find_line(source_.text, e.span.line);
  // Spans count characters.
  std::string text;
  int column = 0;
  for (const char c : line) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++column;
    if (column >= e.span.column && column < e.span.column + e.span.length) text += c;
  }
  return text.empty() ? print_syntax(e) : text;
}

std::vector<std::string> ModelBuilder::scalar_names() const {
  std::vector<std::string> names;
  for (const auto& s : scalars_) names.push_back(s.first);
  return names;
}

std::vector<std::string> ModelBuilder::expression_names() const {
  std::vector<std::string> names = scalar_names();
  for (const auto& p : points_) names.push_back(p.first);
  for (const auto& l : lets_) names.push_back(l.first);
  names.insert(names.end(), {"pi", "t", "No"});
  return names;
}

// ---- The stages

ModelReading ModelBuilder::build() {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind == StatementKind::model) model_.document(s.documentation);
    if (s.kind == StatementKind::case_) model_.add_case({s.name.text, s.documentation});
  }
  collect_names();
  apply_case();
  apply_settings();
  reserve_quaternions();
  declare_scalars();
  // What is given as a number first: it fixes the dimensions that all else is held against.
  define_scalars(false);
  set_coordinate_starts();
  define_scalars(true);
  // In the order of the text, as far as they do not need each other.
  for (const auto& [entries, name] : order_) {
    try {
      build_entry(*entries, {name, 0, entries->at(name).statement->span}, "declaration");
    } catch (const Stop&) {
    }
  }
  for_each(StatementKind::auxiliary, [&](const SyntaxStatement& s) {
    const Vector along = vector(find_clause(s, "along")->values[0]);
    const Point at = find_point(find_clause(s, "at")->values[0]);
    model_.set_source(s.span, documentation_);
    model_.auxiliary(s.name.text, along, at);
    scalars_[s.name.text] =
        Quantity(model_.data().auxiliaries.back().symbol,
                 Dimension::of(Dimension::length) / Dimension::of(Dimension::time));
  });
  build_forces();
  set_starts();
  build_constraints();
  build_results();
  check_definitions();
  check_statements();
  check_cases();
  report_unused_changes();
  // Beside errors this would only be noise.
  const bool sound =
      std::none_of(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& d) { return d.severity == Severity::error; });
  for (const auto& [name, entry] : lets_) {
    if (sound && used_lets_.count(name) == 0)
      warn(entry.item->name.span, "W-unused-name", "the `let` '" + name + "' is never used");
  }
  for (Diagnostic& d : diagnostics_) {
    if (d.span.file.compare(0, 6, "--set ") != 0) continue;
    if (d.code != "E-set-unknown") d.message = d.span.file + ": " + d.message;
    d.span = {};
  }

  ModelReading reading;
  reading.source = source_;
  reading.diagnostics = sort_diagnostics(diagnostics_, 1000);
  const bool bad = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                               [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (!bad) reading.model.emplace(std::move(model_));
  return reading;
}

void ModelBuilder::collect_names() {
  std::map<std::string, SourceSpan> frame_places, point_places, let_places;
  const auto add = [&](std::map<std::string, Entry>& entries,
                       std::map<std::string, SourceSpan>& places, const std::string& name,
                       const SourceSpan& span, const Entry& entry, const char* what) {
    if (name.empty()) return;
    if (!entries.emplace(name, entry).second) {
      diagnostics_.push_back(
          {Severity::error, "E-name-twice",
           std::string("the ") + what + " '" + name + "' is declared twice",
           "the first declaration is in line " + std::to_string(places[name].line), span});
    } else {
      places[name] = span;
      order_.emplace_back(&entries, name);
    }
  };
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.damaged) continue;
    for (const SyntaxItem& item : s.items) {
      if (!item.value) continue;
      if (s.kind == StatementKind::frame)
        add(frames_, frame_places, item.name.text, item.name.span, {&s, &item}, "frame");
      if (s.kind == StatementKind::point)
        add(points_, point_places, item.name.text, item.name.span, {&s, &item}, "point");
      if (s.kind == StatementKind::let)
        add(lets_, let_places, item.name.text, item.name.span, {&s, &item}, "let");
    }
    if (s.kind == StatementKind::particle)
      add(points_, point_places, s.name.text, s.name.span, {&s, nullptr}, "point");
    if (s.kind == StatementKind::body)
      add(points_, point_places, s.name.text + "cm", s.name.span, {&s, nullptr}, "mass center");
  }
}

void ModelBuilder::apply_case() {
  if (options_.case_name.empty()) return;
  std::vector<std::string> names;
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind != StatementKind::case_) continue;
    names.push_back(s.name.text);
    if (s.name.text != options_.case_name) continue;
    for (const SyntaxItem& item : s.items) {
      if (item.is_lock) locks_.push_back(item.name);
      if (item.is_lock || !item.target || !item.value) continue;
      changes_[with_primes(item.target->text, item.target->primes)] = {*item.value, false, false,
                                                                       item.span};
    }
    model_.set_case(s.name.text);
    return;
  }
  diagnostics_.push_back(
      {Severity::error,
       "E-case-unknown",
       "the model has no case '" + options_.case_name + "'",
       names.empty() ? "it has no cases" : did_you_mean(options_.case_name, names),
       {}});
}

void ModelBuilder::apply_settings() {
  for (const auto& [name, text] : options_.settings) {
    ExpressionReading reading = parse_expression({"--set", text});
    if (!reading.expression) {
      const std::string why =
          reading.diagnostics.empty() ? "" : ": " + reading.diagnostics.front().message;
      diagnostics_.push_back({Severity::error,
                              "E-set-form",
                              "--set " + name + "=" + text + " cannot be read" + why,
                              "write a number and its unit, such as --set \"L=0.7 m\"",
                              {}});
      continue;
    }
    // It stands in no line of the model.
    place_at(*reading.expression, {"--set " + name, 0, 0, 0});
    changes_[name] = {*reading.expression, true, false, reading.expression->span};
  }
}

void ModelBuilder::reserve_quaternions() {
  std::set<std::string> coordinates;
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind != StatementKind::coordinate) continue;
    for (const SyntaxItem& item : s.items) coordinates.insert(item.name.text);
  }
  std::map<std::string, std::string> owners;
  for (auto& [name, entry] : frames_) {
    const std::string& frame = name;
    const Expression& call = *entry.item->value;
    if (call.kind != Kind::call || call.text != "quaternion" || call.operands.size() != 5) continue;
    const bool good = attempt(call.span, "", [&] {
      std::array<std::string, 4> names;
      for (std::size_t i = 0; i < 4; ++i) {
        const Expression& e = call.operands[i + 1];
        if (e.kind != Kind::name || e.primes != 0 || coordinates.count(e.text) == 0)
          fail(e.span, "E-quaternion-coordinates",
               "expected a coordinate, found '" + written(e) + "'",
               "declare four coordinates for the quaternion");
        const auto [owner, fresh] = owners.emplace(e.text, frame);
        if (!fresh)
          fail(e.span, "E-quaternion-coordinates",
               "'" + e.text + "' belongs to the quaternion of '" + owner->second + "' already",
               "each quaternion has four coordinates of its own");
        names[i] = e.text;
      }
      model_.reserve_quaternion(names);
    });
    if (!good) entry.state = Entry::failed;
  }
}

void ModelBuilder::declare_scalars() {
  const auto declare = [&](const SyntaxItem& item, const SyntaxStatement& s,
                           const std::function<Quantity(const std::string&)>& make) {
    const std::string& name = item.name.text;
    if (name.empty() || item.name.primes > 0) return;
    attempt(item.name.span, s.documentation, [&] {
      if (const auto first = scalar_places_.find(name); first != scalar_places_.end())
        fail(item.name.span, "E-name-twice", "the scalar '" + name + "' is declared twice",
             "the first declaration is in line " + std::to_string(first->second.line));
      scalar_places_[name] = item.name.span;
      scalars_[name] = make(name);
    });
  };
  for (const SyntaxStatement& s : tree_.statements) {
    for (const SyntaxItem& item : s.items) {
      if (s.kind == StatementKind::let && points_.count(item.name.text) != 0)
        report({Severity::error, "E-name-twice",
                "'" + item.name.text + "' is a point and a `let`: which is meant cannot be told",
                "rename one of them", item.name.span});
      switch (s.kind) {
        case StatementKind::let:
          // Shares the namespace of scalars; its value is found when it is asked for.
          declare(item, s, [&](const std::string&) { return Quantity(); });
          if (is_declared_by(item)) scalars_.erase(item.name.text);
          break;
        case StatementKind::parameter:
          declare(item, s, [&](const std::string& n) { return model_.parameter(n); });
          break;
        case StatementKind::specified:
          declare(item, s, [&](const std::string& n) { return model_.specified(n); });
          break;
        case StatementKind::input:
          declare(item, s, [&](const std::string& n) { return model_.input(n); });
          break;
        case StatementKind::coordinate:
          declare(item, s, [&](const std::string& n) { return model_.coordinate(n); });
          break;
        case StatementKind::speed:
          declare(item, s, [&](const std::string& n) { return model_.speed(n); });
          break;
        case StatementKind::unknown:
          declare(item, s, [&](const std::string& n) { return model_.unknown(n); });
          break;
        default:
          break;
      }
    }
  }
}

std::optional<Expression> ModelBuilder::find_change(const std::string& name) {
  const auto change = changes_.find(name);
  if (change == changes_.end()) return std::nullopt;
  change->second.used = true;
  return change->second.value;
}

// A value, where a bare number from the command line takes the dimension that is wanted.
Quantity ModelBuilder::changed_value(const Expression& value, const Dimension& dimension) {
  const Quantity q = scalar(value);
  const bool bare = value.span.file.compare(0, 6, "--set ") == 0 &&
                    free_symbols(q.expr(*model_.data().pool)).empty() &&
                    q.dimension().is_dimensionless();
  return bare ? Quantity(q.expr(*model_.data().pool), dimension) : q;
}

// False for a second declaration of the same name, which has been complained about.
bool ModelBuilder::is_declared_by(const SyntaxItem& item) const {
  const auto place = scalar_places_.find(item.name.text);
  return place != scalar_places_.end() && scalars_.count(item.name.text) != 0 &&
         place->second.line == item.name.span.line && place->second.column == item.name.span.column;
}

void ModelBuilder::define_scalars(bool speeds) {
  for (const SyntaxStatement& s : tree_.statements) {
    const bool definition = speeds ? s.kind == StatementKind::speed
                                   : s.kind == StatementKind::parameter ||
                                         s.kind == StatementKind::specified ||
                                         s.kind == StatementKind::input;
    if (!definition) continue;
    for (const SyntaxItem& item : s.items) {
      if (is_declared_by(item))
        attempt(item.span, s.documentation, [&] { define_scalar(s, item); });
    }
  }
}

void ModelBuilder::define_scalar(const SyntaxStatement& s, const SyntaxItem& item) {
  const std::string& name = item.name.text;
  const Quantity symbol = scalars_.at(name);
  const auto define = [&](const Expression& value) {
    if (value.kind == Kind::call && value.text == "table") {
      if (s.kind != StatementKind::specified) throw Stop();
      return define_table(symbol, value);
    }
    const Quantity q = changed_value(value, symbol.dimension());
    model_.set_source(value.span, documentation_);
    model_.define(symbol, q);
  };
  // The text's own value comes first even when it is changed: it says what dimension is meant.
  const std::optional<Expression> change =
      s.kind == StatementKind::speed ? std::nullopt : find_change(name);
  if (item.value) define(*item.value);
  if (change) attempt(change->span, s.documentation, [&] { define(*change); });
}

void ModelBuilder::require_start_once(const std::string& name, const SourceSpan& span) {
  if (!starts_given_.emplace(name, span).second)
    fail(span, "E-start-twice", "'" + name + "' has a start value already",
         "the first is in line " + std::to_string(starts_given_[name].line));
}

void ModelBuilder::set_start(const Quantity& target, const Expression& value) {
  const Quantity q = changed_value(value, target.dimension());
  model_.set_source(value.span, documentation_);
  model_.start(target, q);
}

// D_wx, D_wy, D_wz: the speeds that a quaternion frame D has unless others are given.
std::optional<Quantity> ModelBuilder::find_body_rate(const std::string& name) {
  if (name.size() < 4 || name.compare(name.size() - 3, 2, "_w") != 0) return {};
  const std::string frame = name.substr(0, name.size() - 3);
  const char axis = name.back();
  if (axis < 'x' || axis > 'z' || frames_.count(frame) == 0) return {};
  const Frame D = find_frame(SyntaxName{frame, 0, {}});
  const FrameData& data = model_.data().frames[static_cast<std::size_t>(D.index())];
  if (data.orientation.kind != Orientation::Kind::quaternion) return {};
  const Vector unit = axis == 'x' ? D.x() : axis == 'y' ? D.y() : D.z();
  return dot(angular_velocity(D, Frame(D.model(), data.parent)), unit);
}

void ModelBuilder::set_rate(const Quantity& rate, const Expression& value) {
  const Quantity q = changed_value(value, rate.dimension());
  model_.set_source(value.span, documentation_);
  model_.start_condition(rate - q);
}

void ModelBuilder::set_coordinate_starts() {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind != StatementKind::coordinate) continue;
    for (const SyntaxItem& item : s.items) {
      if (!item.value || (item.name.primes == 0 && !is_declared_by(item))) continue;
      const std::string name = with_primes(item.name.text, item.name.primes);
      attempt(item.span, s.documentation, [&] {
        require_start_once(name, item.span);
        const auto target = find_scalar(item.name.text, item.name.primes);
        if (!target) fail_unknown(item.name, "coordinate", scalar_names());
        set_start(*target, *item.value);
        if (const auto change = find_change(name))
          attempt(change->span, s.documentation, [&] { set_start(*target, *change); });
      });
    }
  }
}

void ModelBuilder::set_starts() {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind != StatementKind::start) continue;
    for (const SyntaxItem& item : s.items) {
      if (!item.target || !item.value) continue;
      attempt(item.span, s.documentation, [&] {
        const Expression& t = *item.target;
        if (t.kind == Kind::name) {
          const std::string name = with_primes(t.text, t.primes);
          require_start_once(name, item.span);
          const auto target = find_scalar(t.text, t.primes);
          const auto rate = target ? std::nullopt : find_body_rate(name);
          if (!target && !rate)
            fail_unknown({t.text, t.primes, t.span}, "coordinate, rate or speed", scalar_names());
          const auto change = find_change(name);
          if (rate) return set_rate(*rate, change ? *change : *item.value);
          set_start(*target, *item.value);
          if (change) attempt(change->span, s.documentation, [&] { set_start(*target, *change); });
          return;
        }
        const Value v = difference(t, *item.value);
        model_.set_source(item.span, documentation_);
        if (const Quantity* q = std::get_if<Quantity>(&v)) return model_.start_condition(*q);
        if (const Vector* w = std::get_if<Vector>(&v)) return model_.start_condition(*w);
        fail(t.span, "E-start-target", "expected a scalar or a vector of motion");
      });
    }
  }
  // Start values that only a case or the command line gives.
  for (auto& [name, change] : changes_) {
    if (change.used) continue;
    const std::size_t base = name.find('\'');
    const auto primes = base == std::string::npos ? 0 : static_cast<int>(name.size() - base);
    const std::string key = name.substr(0, base);
    const auto symbol = scalars_.find(key);
    if (const auto rate = symbol == scalars_.end() ? find_body_rate(name) : std::nullopt) {
      change.used = true;
      attempt(change.span, "", [&, &changed = change] { set_rate(*rate, changed.value); });
    }
    if (symbol == scalars_.end()) continue;
    const SymbolRole* role = model_.data().role(symbol->second.expr());
    if (role == nullptr || (role->role != Role::coordinate && role->role != Role::speed)) continue;
    attempt(change.span, "", [&, &changed = change] {
      const auto target = find_scalar(key, primes);
      changed.used = true;
      if (!target) return;
      set_start(*target, changed.value);
      // The later value wins over start values of speeds that are made of this rate.
      if (primes == 1) model_.forget_starts_with(*target);
    });
  }
}

void ModelBuilder::report_unused_changes() {
  for (const auto& [name, change] : changes_) {
    if (change.used) continue;
    diagnostics_.push_back({Severity::error,
                            change.from_command ? "E-set-unknown" : "E-case-change",
                            "there is nothing named '" + name + "' that can be changed",
                            did_you_mean(name, scalar_names()), change.span});
  }
}

// Statements that stand once, and names of cases.
void ModelBuilder::check_statements() {
  std::map<std::string, const SyntaxStatement*> first;
  for (const SyntaxStatement& s : tree_.statements) {
    const bool named = s.kind == StatementKind::case_;
    if (s.kind != StatementKind::model && s.kind != StatementKind::study && !named) continue;
    const std::string what = s.kind == StatementKind::model ? "`model`" : "`study`";
    const auto [place, fresh] = first.emplace(named ? "case " + s.name.text : what, &s);
    if (fresh) continue;
    const std::string help = "the first is in line " + std::to_string(place->second->keyword.line);
    if (named)
      report({Severity::error, "E-name-twice", "the case '" + s.name.text + "' is declared twice",
              help, s.name.span});
    else
      report({Severity::error, "E-statement-twice", "a second " + what + "; a model has one", help,
              s.keyword});
  }
}

// The cases that were not chosen: what they change exists and has the dimension they give it.
void ModelBuilder::check_cases() {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind != StatementKind::case_ || s.name.text == options_.case_name) continue;
    for (const SyntaxItem& item : s.items)
      attempt(item.span, s.documentation, [&] { check_case_item(item); });
  }
}

void ModelBuilder::check_case_item(const SyntaxItem& item) {
  if (item.is_lock) {
    const auto q = find_scalar(item.name.text, 0);
    if (!q) fail_unknown(item.name, "coordinate", scalar_names());
    const SymbolRole* role = model_.data().role(q->expr());
    if (role == nullptr || role->role != Role::coordinate)
      fail(item.name.span, "E-lock-name", "only a coordinate can be locked");
    return;
  }
  if (!item.target || !item.value) return;
  const Expression& t = *item.target;
  const auto target = t.kind == Kind::name ? find_scalar(t.text, t.primes) : std::nullopt;
  if (!target) {
    fail(item.span, "E-case-change",
         "there is nothing named '" + with_primes(t.text, t.primes) + "' that can be changed",
         did_you_mean(t.text, scalar_names()));
  }
  if (item.value->kind == Kind::call && item.value->text == "table") return;
  const Quantity q = scalar(*item.value);
  model_.set_source(item.value->span, documentation_);
  require_dimension(q, target->dimension(), "case", "the value of '" + written(t) + "'",
                    "E-dimension-definition");
}

// Parameters and specified functions must not depend on themselves, nor through endless chains. No
// recursion: a chain may be as long as the text.
void ModelBuilder::check_definitions() {
  const ModelData& data = model_.data();
  const auto find =
      [&](const Expr& symbol) -> std::pair<const std::optional<Expr>*, const Source*> {
    const SymbolRole* role = data.role(symbol);
    const auto index = role == nullptr ? std::size_t{0} : static_cast<std::size_t>(role->index);
    if (role != nullptr && role->role == Role::parameter)
      return {&data.parameters[index].value, &data.parameters[index].source};
    if (role != nullptr && role->role == Role::specified)
      return {&data.specified[index].definition, &data.specified[index].source};
    return {nullptr, nullptr};
  };
  struct Visit {
    Expr symbol;
    std::vector<Expr> needs;
    std::size_t next = 0;
  };
  enum { busy = 1, done };
  std::map<Ref, int> state;
  const auto complain = [&](const Expr& symbol, const char* code, const std::string& what) {
    diagnostics_.push_back({Severity::error, code,
                            "'" + symbol.home().symbol_name(symbol.ref()) + "' " + what, "",
                            find(symbol).second->span});
  };
  std::vector<Expr> roots;
  for (const ParameterData& p : data.parameters) roots.push_back(p.symbol);
  for (const SpecifiedData& s : data.specified) roots.push_back(s.derivatives[0]);
  for (const Expr& root : roots) {
    std::vector<Visit> path;
    const auto enter = [&](const Expr& symbol) {
      const auto value = find(symbol).first;
      if (value == nullptr || state[symbol.ref()] == done) return;
      if (state[symbol.ref()] == busy)
        return complain(symbol, "E-definition-cycle", "depends on itself");
      state[symbol.ref()] = busy;
      path.push_back({symbol, *value ? free_symbols(**value) : std::vector<Expr>{}});
      if (path.size() == most_levels + 1)
        complain(symbol, "E-nesting-deep", "is reached through too many other definitions");
    };
    enter(root);
    while (!path.empty()) {
      Visit& top = path.back();
      if (top.next < top.needs.size()) {
        enter(Expr(top.needs[top.next++]));
      } else {
        state[top.symbol.ref()] = done;
        path.pop_back();
      }
    }
  }
}

// ---- Entry points

ModelReading read_model(const SourceText& source, const ReadOptions& options) {
  const SyntaxTree tree = parse_syntax(source);
  return ModelBuilder(tree, source, options).build();
}

ModelReading read_model_file(const std::string& path, const ReadOptions& options) {
  ModelReading failed;
  failed.source.file = path;
  const auto refuse = [&](const char* code, const std::string& message, const std::string& help) {
    failed.diagnostics.push_back({Severity::error, code, message, help, {path, 0, 0, 0}});
    return std::move(failed);
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return refuse("E-file-missing", "there is no file '" + path + "'", "check the path");
  if (std::filesystem::is_directory(status))
    return refuse("E-file-unreadable", "'" + path + "' is a folder", "name a model file");
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > largest_file)
    return refuse("E-file-large", "'" + path + "' is too large for a model", "");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in)
    return refuse("E-file-unreadable", "'" + path + "' cannot be read", "check its permissions");
  return read_model({path, text.str()}, options);
}

}  // namespace visviva
