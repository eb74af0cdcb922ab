#include "visviva/text/build/check_statements.h"

#include "visviva/base/suggest.h"
#include "visviva/model/declare.h"
#include "visviva/text/build/start_reader.h"

namespace visviva {
namespace {

void check_locked_name(ModelDraft& draft, NameTable& names, const SyntaxName& name) {
  const auto q = names.scalars().find(name.text);
  if (!q) draft.fail_unknown(name, "coordinate", names.scalars().names());
  const SymbolRole* role = draft.data().role(q->expr());
  if (role == nullptr || role->role != Role::coordinate)
    draft.fail(name.span, "E-lock-name", "only a coordinate can be locked");
}

bool has_start_value(const ModelDraft& draft, const Quantity& target) {
  const SymbolRole* role = target.is_literal() ? nullptr : draft.data().role(target.expr());
  return role == nullptr || role->role == Role::coordinate || role->role == Role::rate ||
         role->role == Role::speed;
}

// Of parameters alone, but for functions of time, as where the case is chosen.
void require_constant(const ModelDraft& draft, const Quantity& target, const Quantity& value,
                      const std::string& what) {
  const SymbolRole* role = target.is_literal() ? nullptr : draft.data().role(target.expr());
  if (value.is_literal() || role == nullptr) return;
  if (role->role == Role::specified)
    return require_roles(draft.data(), value.expr(), known_roles, "case", what,
                         "E-specified-depends");
  const bool is_constant =
      role->role == Role::parameter || role->role == Role::input || has_start_value(draft, target);
  if (is_constant)
    require_roles(draft.data(), value.expr(), {Role::parameter}, "case", what,
                  "E-value-not-constant");
}

void check_change(ModelDraft& draft, const CaseReaders& readers, const SyntaxItem& item) {
  NameTable& names = readers.names;
  const Expression& t = *item.target;
  const bool is_name = t.kind == Expression::Kind::name;
  auto target = is_name ? names.scalars().find(t.text, t.primes) : std::nullopt;
  if (!target && is_name) target = names.find_body_rate(with_primes(t.text, t.primes));
  if (!target) {
    draft.fail(item.span, "E-case-change",
               "there is nothing named '" + with_primes(t.text, t.primes) + "' that can be changed",
               did_you_mean(t.text, names.scalars().names()));
  }
  if (readers.tables.is_signal(*target, *item.value))
    return readers.tables.check(*target, *item.value);
  const Quantity q = readers.expressions.read_scalar(
      has_start_value(draft, *target) ? without_about(*item.value) : *item.value);
  draft.stand_at(item.value->span);
  const std::string what = "the value of '" + draft.written(t) + "'";
  require_constant(draft, *target, q, what);
  require_dimension(q, target->dimension(), "case", what, "E-dimension-definition");
}

}  // namespace

void check_repeated_statements(ModelDraft& draft) {
  std::map<std::string, const SyntaxStatement*> first;
  for (const SyntaxStatement& s : draft.tree().statements) {
    const bool named = s.kind == StatementKind::case_;
    if (s.kind != StatementKind::model && s.kind != StatementKind::study && !named) continue;
    const std::string what = s.kind == StatementKind::model ? "`model`" : "`study`";
    const auto [place, fresh] = first.emplace(named ? "case " + s.name.text : what, &s);
    if (fresh) continue;
    const std::string help = "the first is in " + line_of(place->second->keyword, s.keyword);
    if (named)
      draft.report({Severity::error, "E-name-twice",
                    "the case '" + s.name.text + "' is declared twice", help, s.name.span});
    else
      draft.report({Severity::error, "E-statement-twice", "a second " + what + "; a model has one",
                    help, s.keyword});
  }
}

void check_other_cases(ModelDraft& draft, const CaseReaders& readers,
                       const std::string& chosen_case) {
  for (const SyntaxStatement& s : draft.tree().statements) {
    if (s.kind != StatementKind::case_ || s.name.text == chosen_case) continue;
    for (const SyntaxItem& item : s.items) {
      draft.attempt(item.span, s.documentation, [&] {
        if (item.is_lock) return check_locked_name(draft, readers.names, item.name);
        if (item.target && item.value) check_change(draft, readers, item);
      });
    }
  }
}

}  // namespace visviva
