// ScalarTable: the scalars of a model's text by name, and where each was declared.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "visviva/text/build/model_draft.h"

namespace visviva {

class ScalarTable {
 public:
  explicit ScalarTable(ModelDraft& draft) : draft_(draft) {}

  /// Declares a scalar that `make` adds to the model. A second one of its name is an error.
  void declare(const SyntaxItem& item, const SyntaxStatement& statement,
               const std::function<Quantity(const std::string&)>& make);
  /// Takes the name without giving it a quantity: a `let`, which may be no scalar at all.
  void reserve(const SyntaxItem& item, const SyntaxStatement& statement);
  /// Adds a scalar whose statement was read elsewhere.
  void add(const std::string& name, const Quantity& scalar) { scalars_[name] = scalar; }

  /// The name stays taken, but is no scalar's.
  void remove(const std::string& name) { scalars_.erase(name); }

  bool has(const std::string& name) const { return scalars_.count(name) != 0; }
  /// False for a second declaration of the same name, which has been complained about.
  bool is_declared_by(const SyntaxItem& item) const;
  /// The scalar of this name, or its rate for each prime; nothing when there is no such name.
  std::optional<Quantity> find(const std::string& name, int primes = 0);
  const Quantity& at(const std::string& name) const { return scalars_.at(name); }
  std::vector<std::string> names() const;

 private:
  ModelDraft& draft_;
  std::map<std::string, Quantity> scalars_;
  std::map<std::string, SourceSpan> places_;
};

}  // namespace visviva
