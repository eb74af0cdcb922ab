#include "visviva/text/build/start_reader.h"

namespace visviva {
void StartReader::require_once(const std::string& name, const SourceSpan& span) {
  const auto [first, fresh] = given_.emplace(name, span);
  if (!fresh)
    draft_.fail(span, "E-start-twice", "'" + name + "' has a start value already",
                "the first is in " + line_of(first->second, span));
}

void StartReader::set_value(const Quantity& target, const Expression& value, bool is_change) {
  const Quantity q = expressions_.read_scalar(without_about(value), target.dimension());
  draft_.stand_at(value.span);
  draft_.model().start(target, q, {.is_guess = is_guess(value), .is_change = is_change});
}

void StartReader::set_rate(const Quantity& rate, const std::string& name, const Expression& value,
                           bool is_change) {
  const Quantity q = expressions_.read_scalar(without_about(value), rate.dimension());
  draft_.stand_at(value.span);
  draft_.model().start_condition(
      rate - q, {.is_guess = is_guess(value), .is_change = is_change, .name = name});
}

// ---- Beside coordinates

void StartReader::read_coordinates() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind != StatementKind::coordinate) continue;
    for (const SyntaxItem& item : s.items) {
      if (!item.value || (item.name.primes == 0 && !names_.scalars().is_declared_by(item)))
        continue;
      draft_.attempt(item.span, s.documentation, [&] { read_coordinate(item, s); });
    }
  }
}

void StartReader::read_coordinate(const SyntaxItem& item, const SyntaxStatement& s) {
  const std::string name = with_primes(item.name.text, item.name.primes);
  require_once(name, item.span);
  const auto target = names_.scalars().find(item.name.text, item.name.primes);
  if (!target) draft_.fail_unknown(item.name, "coordinate", names_.scalars().names());
  set_value(*target, *item.value);
  if (const auto change = changes_.take(name))
    draft_.attempt(change->span, s.documentation, [&] { set_value(*target, *change, true); });
}

// ---- `start`, and changes

void StartReader::read_starts() {
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind != StatementKind::start) continue;
    for (const SyntaxItem& item : s.items) {
      if (item.target && item.value)
        draft_.attempt(item.span, s.documentation, [&] { read_start(item, s); });
    }
  }
  for (auto& [name, change] : changes_.all()) {
    if (!change.is_used) read_change(name, change);
  }
}

void StartReader::read_start(const SyntaxItem& item, const SyntaxStatement& s) {
  if (item.target->kind == Expression::Kind::name) return read_named_start(item, s);
  read_condition(item);
}

void StartReader::read_named_start(const SyntaxItem& item, const SyntaxStatement& s) {
  const Expression& t = *item.target;
  const std::string name = with_primes(t.text, t.primes);
  require_once(name, item.span);
  if (names_.fields().find_field(t.text) != nullptr) return fields_.read_start(item);
  const auto target = names_.scalars().find(t.text, t.primes);
  const auto rate = target ? std::nullopt : names_.find_body_rate(name);
  if (!target && !rate)
    draft_.fail_unknown({t.text, t.primes, t.span}, "coordinate, rate or speed",
                        names_.scalars().names());
  const auto change = changes_.take(name);
  if (rate) return set_rate(*rate, name, change ? *change : *item.value, change.has_value());
  set_value(*target, *item.value);
  if (change)
    draft_.attempt(change->span, s.documentation, [&] { set_value(*target, *change, true); });
}

void StartReader::read_condition(const SyntaxItem& item) {
  const Value v = expressions_.read_difference(*item.target, without_about(*item.value));
  draft_.stand_at(item.span);
  const StartOptions options{.is_guess = is_guess(*item.value),
                             .name = draft_.written(*item.target)};
  if (const Quantity* q = std::get_if<Quantity>(&v))
    return draft_.model().start_condition(*q, options);
  if (const Vector* w = std::get_if<Vector>(&v)) return draft_.model().start_condition(*w, options);
  draft_.fail(item.target->span, "E-start-target", "expected a scalar or a vector of motion");
}

void StartReader::read_change(const std::string& name, Change& change) {
  const std::size_t base = name.find('\'');
  const auto primes = base == std::string::npos ? 0 : static_cast<int>(name.size() - base);
  const std::string key = name.substr(0, base);
  const auto symbol = names_.scalars().find(key);
  if (!symbol) {
    const auto rate = names_.find_body_rate(name);
    if (!rate) return;
    change.is_used = true;
    draft_.attempt(change.span, "", [&] { set_rate(*rate, name, change.value, true); });
    return;
  }
  const SymbolRole* role = draft_.data().role(symbol->expr());
  if (role == nullptr || (role->role != Role::coordinate && role->role != Role::speed)) return;
  draft_.attempt(change.span, "", [&] {
    const auto target = names_.scalars().find(key, primes);
    change.is_used = true;
    if (!target) return;
    set_value(*target, change.value, true);
  });
}

}  // namespace visviva
