#include "visviva/symbolic/print/combination.h"

namespace visviva {
namespace {

WrittenCoefficient read_coefficient(const std::string& text) {
  if (split_terms(text).size() > 1) return {{false, text}, true};
  const bool negative = text[0] == '-';
  const std::string size = text.substr(negative ? 1 : 0);
  return {{negative, size}, false, size == "1"};
}

}  // namespace

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

std::string write_combination(const std::vector<WrittenCoefficient>& coefficients,
                              const std::vector<std::string>& names, const NotationWriter& writer) {
  std::vector<SignedText> terms;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const WrittenCoefficient& c = coefficients[i];
    const std::string text = c.is_sum ? writer.group(c.text.text) : c.text.text;
    terms.push_back({c.text.negative, c.is_one ? names[i] : writer.product({text, names[i]})});
  }
  return writer.sum(terms);
}

std::string write_combination(const std::vector<std::string>& coefficients,
                              const std::vector<std::string>& names, Notation notation) {
  // A space ends the argument of a function: cos(theta) times phi''.
  const std::string gap = notation == Notation::latex ? "\\, " : "";
  std::vector<WrittenCoefficient> kept;
  std::vector<std::string> kept_names;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == "0") continue;
    kept.push_back(read_coefficient(coefficients[i]));
    kept_names.push_back(kept.back().is_one ? names[i] : gap + names[i]);
  }
  return kept.empty() ? "0" : write_combination(kept, kept_names, notation_writer(notation));
}

}  // namespace visviva
