#include "visviva/symbolic/print/printed_texts.h"

#include "visviva/base/error.h"

namespace visviva {

PrintedTexts::PrintedTexts(const std::vector<Expr>& exprs, const PrintOptions& options)
    : notation_(options.notation) {
  std::vector<Expr> distinct;
  for (const Expr& e : exprs) {
    if (texts_.emplace(e.ref(), "").second) distinct.push_back(e);
  }
  PrintedSystem system = print_system(distinct, options);
  intermediates_ = std::move(system.intermediates);
  for (std::size_t i = 0; i < distinct.size(); ++i)
    texts_[distinct[i].ref()] = std::move(system.expressions[i]);
}

const std::string& PrintedTexts::operator()(const Expr& expr) const {
  const auto found = texts_.find(expr.ref());
  if (found == texts_.end()) throw UsageError("PrintedTexts", "an expression that was not printed");
  return found->second;
}

}  // namespace visviva
