#include "visviva/text/build/scalar_reader.h"

#include <algorithm>
#include <array>
#include <set>

namespace visviva {
namespace {

std::set<std::string> coordinate_names(const SyntaxTree& tree) {
  std::set<std::string> names;
  for (const SyntaxStatement& s : tree.statements) {
    if (s.kind != StatementKind::coordinate) continue;
    for (const SyntaxItem& item : s.items) names.insert(item.name.text);
  }
  return names;
}

bool is_quaternion(const Expression& e) {
  return e.kind == Expression::Kind::call && e.text == "quaternion" && e.operands.size() == 5;
}

}  // namespace

// ---- Declarations

void ScalarReader::reserve_quaternions() {
  for (auto& [frame, declaration] : names_.frames()) {
    const Expression& call = *declaration.item->value;
    if (!is_quaternion(call)) continue;
    const bool good =
        draft_.attempt(call.span, "", [&, &name = frame] { reserve_quaternion(name, call); });
    if (!good) declaration.state = Declaration::State::failed;
  }
}

void ScalarReader::reserve_quaternion(const std::string& frame, const Expression& call) {
  const std::set<std::string> coordinates = coordinate_names(draft_.tree());
  std::array<std::string, 4> names;
  for (std::size_t i = 0; i < 4; ++i) {
    const Expression& e = call.operands[i + 1];
    if (e.kind != Expression::Kind::name || e.primes != 0 || coordinates.count(e.text) == 0)
      draft_.fail(e.span, "E-quaternion-coordinates",
                  "expected a coordinate, found '" + draft_.written(e) + "'",
                  "declare four coordinates for the quaternion");
    const auto [owner, fresh] = quaternion_frames_.emplace(e.text, frame);
    if (!fresh)
      draft_.fail(e.span, "E-quaternion-coordinates",
                  "'" + e.text + "' belongs to the quaternion of '" + owner->second + "' already",
                  "each quaternion has four coordinates of its own");
    names[i] = e.text;
  }
  draft_.model().reserve_quaternion(names);
}

void ScalarReader::declare() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    for (const SyntaxItem& item : s.items) declare(item, s);
  }
}

void ScalarReader::declare(const SyntaxItem& item, const SyntaxStatement& s) {
  Model& model = draft_.model();
  ScalarTable& scalars = names_.scalars();
  switch (s.kind) {
    case StatementKind::let:
      if (names_.has_point(item.name.text))
        draft_.report(
            {Severity::error, "E-name-twice",
             "'" + item.name.text + "' is a point and a `let`: which is meant cannot be told",
             "rename one of them", item.name.span});
      return scalars.reserve(item, s);
    case StatementKind::function:
      return declare_function(item, s);
    case StatementKind::parameter:
      return scalars.declare(item, s, [&](const std::string& n) { return model.parameter(n); });
    case StatementKind::specified:
      return scalars.declare(item, s, [&](const std::string& n) { return model.specified(n); });
    case StatementKind::count:
      return scalars.declare(item, s, [&](const std::string&) {
        if (!item.value || item.value->kind != Expression::Kind::number) throw GivenUp();
        return Quantity(std::stod(item.value->text));
      });
    case StatementKind::state:
      return declare_state(item, s);
    case StatementKind::input:
      return scalars.declare(item, s, [&](const std::string& n) { return model.input(n); });
    case StatementKind::coordinate:
      return scalars.declare(item, s, [&](const std::string& n) { return model.coordinate(n); });
    case StatementKind::speed:
      return scalars.declare(item, s, [&](const std::string& n) { return model.speed(n); });
    case StatementKind::unknown:
      return scalars.declare(item, s, [&](const std::string& n) { return model.unknown(n); });
    default:
      return;
  }
}

// `state e' = r - theta` alone declares e, too: it starts at 0.
void ScalarReader::declare_state(const SyntaxItem& item, const SyntaxStatement& s) {
  const auto declares = [&](const SyntaxItem& other) {
    return other.name.text == item.name.text && other.name.primes == 0;
  };
  if (item.name.primes > 0 && std::any_of(s.items.begin(), s.items.end(), declares)) return;
  SyntaxItem declared = item;
  declared.name.primes = 0;
  names_.scalars().declare(
      declared, s, [&](const std::string& n) { return draft_.model().state(n, item.is_held); });
}

// A function shares its name with no scalar and no function of the language.
void ScalarReader::declare_function(const SyntaxItem& item, const SyntaxStatement& s) {
  const std::string& name = item.name.text;
  if (s.damaged) return;
  draft_.attempt(item.name.span, s.documentation, [&] {
    if (find_function(name) != nullptr)
      draft_.fail(item.name.span, "E-name-reserved", "'" + name + "' is a function of the language",
                  "choose another name");
    for (const SyntaxName& p : item.parameters) {
      const auto same = [&](const SyntaxName& other) { return other.text == p.text; };
      const auto first = std::find_if(item.parameters.begin(), item.parameters.end(), same);
      if (&*first != &p)
        draft_.fail(p.span, "E-name-twice", "the argument '" + p.text + "' stands twice");
    }
    const bool is_first = !names_.functions().contains(name);
    names_.scalars().declare(item, s, [&](const std::string&) {
      if (!item.value) {
        std::vector<std::string> parameters;
        for (const SyntaxName& p : item.parameters) parameters.push_back(p.text);
        draft_.model().function(name, parameters);
      }
      return Quantity();
    });
    if (!is_first || !names_.scalars().is_declared_by(item)) return;
    names_.scalars().remove(name);
    names_.functions().emplace(name, FunctionDeclaration{&s, &item});
  });
}

// ---- Definitions

void ScalarReader::define_given() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind == StatementKind::parameter || s.kind == StatementKind::specified ||
        s.kind == StatementKind::input || s.kind == StatementKind::state)
      define_all(s);
  }
}

void ScalarReader::define_states() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind != StatementKind::state) continue;
    for (const SyntaxItem& item : s.items) {
      const auto state = names_.scalars().find(item.name.text);
      if (item.name.primes == 0 || !item.value || !state) continue;
      draft_.attempt(item.span, s.documentation, [&] {
        const Quantity law = expressions_.read_scalar(*item.value);
        draft_.stand_at(item.value->span);
        draft_.model().define_state(*state, law);
      });
    }
    if (!s.damaged) require_laws(s);
  }
  draft_.for_each(StatementKind::sample, [&](const SyntaxStatement& s) { read_sample(s); });
}

void ScalarReader::read_sample(const SyntaxStatement& s) {
  if (!s.value) throw GivenUp();
  const Quantity period = expressions_.read_scalar(*s.value, Dimension::of(Dimension::time));
  std::vector<std::pair<Quantity, Quantity>> changes;
  for (const SyntaxItem& item : s.items) {
    if (!item.target || !item.value) throw GivenUp();
    const auto target = item.target->kind == Expression::Kind::name && item.target->primes == 0
                            ? names_.scalars().find(item.target->text)
                            : std::nullopt;
    if (!target || target->is_literal())
      draft_.fail(
          item.target->span, "E-sample-target",
          "'" + draft_.written(*item.target) + "' is nothing that samples change",
          "declare it: input " + item.target->text + ", or state " + item.target->text + " held");
    changes.emplace_back(*target, expressions_.read_scalar(*item.value, target->dimension()));
  }
  draft_.stand_at(s.span);
  draft_.model().sample(period, changes);
}

void ScalarReader::require_laws(const SyntaxStatement& s) {
  for (const SyntaxItem& item : s.items) {
    const auto is_law = [&](const SyntaxItem& other) {
      return other.name.text == item.name.text && other.name.primes == 1 && other.value;
    };
    const std::string rate = item.name.text + "'";
    if (item.is_held) continue;
    if (item.name.primes > 1 || (item.name.primes == 1 && !item.value) ||
        std::none_of(s.items.begin(), s.items.end(), is_law))
      draft_.report({Severity::error, "E-state-law",
                     "the state '" + item.name.text + "' has no law for its rate",
                     "write state " + item.name.text + " = 0, " + rate + " = ...", item.name.span});
  }
}

void ScalarReader::define_speeds() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind == StatementKind::speed) define_all(s);
  }
}

void ScalarReader::define_all(const SyntaxStatement& s) {
  for (const SyntaxItem& item : s.items) {
    if (item.name.primes == 0 && names_.scalars().is_declared_by(item))
      draft_.attempt(item.span, s.documentation, [&] { define(s, item); });
  }
}

void ScalarReader::define(const SyntaxStatement& s, const SyntaxItem& item) {
  const Quantity scalar = names_.scalars().at(item.name.text);
  // The text's own value comes first even when it is changed: it says what dimension is meant.
  const std::optional<Expression> change =
      s.kind == StatementKind::speed ? std::nullopt : changes_.take(item.name.text);
  if (item.value) define(scalar, *item.value);
  if (change) draft_.attempt(change->span, s.documentation, [&] { define(scalar, *change); });
}

void ScalarReader::define(const Quantity& scalar, const Expression& value) {
  if (tables_.is_signal(scalar, value)) return tables_.define(scalar, value);
  const Quantity q = expressions_.read_scalar(value, scalar.dimension());
  draft_.stand_at(value.span);
  const SymbolRole* role = scalar.is_literal() ? nullptr : draft_.data().role(scalar.expr());
  if (role != nullptr && role->role == Role::state) return draft_.model().start(scalar, q);
  draft_.model().define(scalar, q);
}

}  // namespace visviva
