#include "visviva/text/build/scalar_table.h"

namespace visviva {

void ScalarTable::declare(const SyntaxItem& item, const SyntaxStatement& statement,
                          const std::function<Quantity(const std::string&)>& make) {
  const std::string& name = item.name.text;
  if (name.empty() || item.name.primes > 0) return;
  draft_.attempt(item.name.span, statement.documentation, [&] {
    if (const auto first = places_.find(name); first != places_.end())
      draft_.fail(item.name.span, "E-name-twice", "the scalar '" + name + "' is declared twice",
                  "the first declaration is in " + line_of(first->second, item.name.span));
    places_[name] = item.name.span;
    scalars_[name] = make(name);
  });
}

void ScalarTable::reserve(const SyntaxItem& item, const SyntaxStatement& statement) {
  declare(item, statement, [](const std::string&) { return Quantity(); });
  if (is_declared_by(item)) scalars_.erase(item.name.text);
}

bool ScalarTable::is_declared_by(const SyntaxItem& item) const {
  const auto place = places_.find(item.name.text);
  return place != places_.end() && has(item.name.text) &&
         place->second.file == item.name.span.file && place->second.line == item.name.span.line &&
         place->second.column == item.name.span.column;
}

std::optional<Quantity> ScalarTable::find(const std::string& name, int primes) {
  const auto found = scalars_.find(name);
  if (found == scalars_.end()) return std::nullopt;
  Quantity q = found->second;
  for (int i = 0; i < primes; ++i) q = draft_.model().rate(q);
  return q;
}

std::vector<std::string> ScalarTable::names() const {
  std::vector<std::string> names;
  for (const auto& s : scalars_) names.push_back(s.first);
  return names;
}

}  // namespace visviva
