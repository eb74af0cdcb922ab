#include "visviva/text/build/check_definitions.h"

#include <map>
#include <optional>

#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/text/syntax/limits.h"

namespace visviva {
namespace {

// Walks from every symbol to those its definition needs. No recursion: a chain may be as long as
// the text.
class DefinitionWalk {
 public:
  explicit DefinitionWalk(const ModelData& model) : model_(model) {}

  void walk_from(const Expr& root) {
    enter(root);
    while (!path_.empty()) {
      Visit& top = path_.back();
      if (top.next < top.needs.size()) {
        enter(Expr(top.needs[top.next++]));
      } else {
        state_[top.symbol.ref()] = done;
        path_.pop_back();
      }
    }
  }

  std::vector<Diagnostic> take_errors() { return std::move(errors_); }

 private:
  struct Definition {
    const std::optional<Expr>* value = nullptr;
    const Source* source = nullptr;
  };
  struct Visit {
    Expr symbol;
    std::vector<Expr> needs;
    std::size_t next = 0;
  };
  enum State { fresh, busy, done };

  Definition find_definition(const Expr& symbol) const {
    const SymbolRole* role = model_.role(symbol);
    if (role == nullptr) return {};
    const auto index = static_cast<std::size_t>(role->index);
    if (role->role == Role::parameter)
      return {&model_.parameters[index].value, &model_.parameters[index].source};
    if (role->role == Role::specified)
      return {&model_.specified[index].definition, &model_.specified[index].source};
    return {};
  }

  void enter(const Expr& symbol) {
    const auto value = find_definition(symbol).value;
    State& state = state_[symbol.ref()];
    if (value == nullptr || state == done) return;
    if (state == busy) return complain(symbol, "E-definition-cycle", "depends on itself");
    state = busy;
    path_.push_back({symbol, *value ? free_symbols(**value) : std::vector<Expr>{}});
    if (path_.size() == std::size_t{most_definition_levels} + 1)
      complain(symbol, "E-nesting-deep", "is reached through too many other definitions");
  }

  void complain(const Expr& symbol, const char* code, const std::string& what) {
    errors_.push_back({Severity::error, code,
                       "'" + symbol.home().symbol_name(symbol.ref()) + "' " + what, "",
                       find_definition(symbol).source->span});
  }

  const ModelData& model_;
  std::map<Ref, State> state_;
  std::vector<Visit> path_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::vector<Diagnostic> check_definitions(const ModelData& model) {
  DefinitionWalk walk(model);
  for (const ParameterData& p : model.parameters) walk.walk_from(p.symbol);
  for (const SpecifiedData& s : model.specified) walk.walk_from(s.derivatives[0]);
  return walk.take_errors();
}

}  // namespace visviva
