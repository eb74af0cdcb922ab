#include "visviva/report/derivation/printed.h"

#include "visviva/base/error.h"

namespace visviva {

Printed::Printed(const std::vector<Expr>& exprs, const PrintOptions& options)
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

const std::string& Printed::operator()(const Expr& expr) const {
  const auto found = texts_.find(expr.ref());
  if (found == texts_.end()) throw UsageError("Printed", "an expression that was not printed");
  return found->second;
}

std::vector<std::string> split_terms(const std::string& text, int max_depth) {
  std::vector<std::string> terms;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && (i + 1 < text.size()) && (text[i + 1] == '{' || text[i + 1] == '}')) {
      ++i;  // an escaped brace of LaTeX
      continue;
    }
    if (text.compare(i, 5, "\\left") == 0) ++depth;
    if (text.compare(i, 6, "\\right") == 0) --depth;
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    // Signs between terms stand between blanks.
    const bool is_sign = (c == '+' || c == '-') && i > 0 && text[i - 1] == ' ' &&
                         i + 1 < text.size() && text[i + 1] == ' ';
    if (depth <= max_depth && is_sign) {
      terms.push_back(text.substr(from, i - 1 - from));
      from = i;
    }
  }
  terms.push_back(text.substr(from));
  return terms;
}

std::string write_combination(const std::vector<std::string>& coefficients,
                              const std::vector<std::string>& names, Notation notation) {
  const NotationWriter& writer = notation_writer(notation);
  // A space ends the argument of a function: cos(theta) times phi''.
  const std::string gap = notation == Notation::latex ? "\\, " : "";
  std::vector<SignedText> terms;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    std::string text = coefficients[i];
    if (text == "0") continue;
    bool negative = false;
    if (split_terms(text).size() > 1) {
      text = writer.group(text);
    } else if (text[0] == '-') {
      negative = true;
      text = text.substr(1);
    }
    terms.push_back({negative, text == "1" ? names[i] : writer.product({text, gap + names[i]})});
  }
  return terms.empty() ? "0" : writer.sum(terms);
}

}  // namespace visviva
