#include "visviva/equations/small_motion/time_functions.h"

#include <algorithm>

#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

namespace {

// The derivatives of each specified function, one function after the other: a definition may hold
// others and their derivatives, which are taken of what these are in t.
class InTime {
 public:
  explicit InTime(const ModelData& model) : model_(model), by_t_(*model.pool, table_rates(model)) {}

  std::vector<std::pair<Expr, Expr>> run() {
    done_.resize(model_.specified.size(), false);
    for (std::size_t i = 0; i < model_.specified.size(); ++i) visit(i);
    return std::move(replacements_);
  }

 private:
  static std::vector<std::pair<Expr, Expr>> table_rates(const ModelData& model) {
    std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
    for (const SpecifiedData& s : model.specified) {
      if (s.table == nullptr) continue;
      for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
        rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
    }
    return rates;
  }

  void visit(std::size_t i) {
    if (done_[i]) return;
    done_[i] = true;
    const SpecifiedData& s = model_.specified[i];
    if (s.table != nullptr || !s.definition) return;
    for (const Expr& symbol : free_symbols(*s.definition)) {
      const SymbolRole* role = model_.role(symbol);
      if (role != nullptr && (role->role == Role::specified || role->role == Role::specified_rate))
        visit(static_cast<std::size_t>(role->index));
    }
    Expr d = replacements_.empty() ? *s.definition : substitute(*s.definition, replacements_);
    for (const Expr& symbol : s.derivatives) {
      replacements_.emplace_back(symbol, d);
      d = by_t_(d);
    }
  }

  const ModelData& model_;
  Tangent by_t_;
  std::vector<bool> done_;
  std::vector<std::pair<Expr, Expr>> replacements_;
};

}  // namespace

TimeFunctions::TimeFunctions(const ModelData& model, const StartState& state)
    : replacements_(InTime(model).run()) {
  std::vector<Expr> definitions;
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
      symbols_.push_back(s.derivatives[k]);
      definitions.push_back(in_time(s.derivatives[k]));
      tables_.emplace_back();
      if (s.table != nullptr) tables_.back() = {s.table.get(), static_cast<int>(k)};
    }
  }
  const std::vector<Expr> inside = free_symbols(definitions);
  for (const Expr& s : inside) {
    Source source;
    const auto own = std::find(symbols_.begin(), symbols_.end(), s);
    if (own != symbols_.end()) source.table = tables_[own - symbols_.begin()];
    source.is_time = s == model.time;
    if (!source.is_time && !source.table) source.constant = state.value(s);
    sources_.push_back(source);
  }
  if (!definitions.empty()) evaluator_.emplace(inside, definitions);
}

Expr TimeFunctions::in_time(const Expr& expr) const {
  if (replacements_.empty()) return expr;
  return substitute(expr, replacements_);
}

std::vector<double> TimeFunctions::operator()(double t) const {
  if (!evaluator_) return {};
  std::vector<double> numbers;
  for (const Source& s : sources_)
    numbers.push_back(s.is_time ? t
                      : s.table ? s.table->spline->value(t, s.table->derivative)
                                : s.constant);
  return (*evaluator_)(numbers);
}

}  // namespace visviva
