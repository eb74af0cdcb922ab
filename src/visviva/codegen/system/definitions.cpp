#include "visviva/codegen/system/definitions.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
bool is_derived(const ParameterData& parameter) {
  return parameter.value && !parameter.value->is_constant();
}

Replacements Definitions::replacements(const std::vector<Expr>& expressions) {
  Replacements list;
  for (const Expr& symbol : free_symbols(expressions)) {
    const Expr value = of_symbol(symbol);
    if (value.ref() != symbol.ref()) list.emplace_back(symbol, value);
  }
  return list;
}

Replacements Definitions::list_all() {
  Replacements all;
  const auto add = [&](const Expr& symbol) {
    try {
      for (const auto& entry : replacements({symbol})) all.push_back(entry);
    } catch (const ModelError&) {
    }
  };
  for (const ParameterData& p : model_.parameters) {
    if (is_derived(p)) add(p.symbol);
  }
  for (const SpecifiedData& f : model_.specified) {
    for (const Expr& derivative : f.derivatives) {
      if (f.definition) add(derivative);
    }
  }
  return all;
}

Expr Definitions::of_symbol(const Expr& symbol) {
  const SymbolRole* role = model_.role(symbol);
  if (role == nullptr) return symbol;
  if (role->role == Role::parameter) return of_parameter(role->index);
  if (role->role != Role::specified && role->role != Role::specified_rate) return symbol;
  const auto& derivatives = model_.specified[role->index].derivatives;
  for (std::size_t k = 0; k < derivatives.size(); ++k) {
    if (derivatives[k].ref() == symbol.ref()) return of_specified(role->index, k);
  }
  return symbol;
}

// Itself when its value is a number or missing.
Expr Definitions::of_parameter(std::size_t i) {
  const ParameterData& p = model_.parameters[i];
  if (!is_derived(p)) return p.symbol;
  const auto known = parameters_.find(i);
  if (known != parameters_.end()) return known->second;
  parameters_.emplace(i, p.symbol);  // a circle ends here
  return parameters_[i] = resolve(*p.value);
}

// Itself when it has no definition.
Expr Definitions::of_specified(std::size_t i, std::size_t order) {
  const SpecifiedData& s = model_.specified[i];
  if (!s.definition) return s.derivatives[order];
  std::vector<Expr>& known = specified_[i];
  if (known.empty()) {
    known.push_back(s.derivatives[0]);  // a circle ends here
    const Expr value = resolve(*s.definition);
    known = {value};
  }
  while (known.size() <= order) known.push_back(differentiate_in_time(known.back()));
  return known[order];
}

// Functions without a definition, tables too, change at their derivatives.
Expr Definitions::differentiate_in_time(const Expr& e) const {
  std::vector<std::pair<Expr, Expr>> rates = {{model_.time, model_.pool->one()}};
  for (const SpecifiedData& s : model_.specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
    if (depends_on(e, s.derivatives.back()))
      throw ModelError(
          {{Severity::error, "E-value-missing", "a fourth derivative of '" + s.name + "' is needed",
            "define it by an expression of t", s.source.span}});
  }
  return Tangent(*model_.pool, rates)(e);
}

void fail_zero_divisor() {
  throw ModelError({{Severity::error,
                     "E-state-not-finite",
                     "an equation divides by what the definitions of its parameters and functions "
                     "make zero",
                     "give such a parameter a number of its own",
                     {}}});
}

}  // namespace visviva
