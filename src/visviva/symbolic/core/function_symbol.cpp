#include "visviva/symbolic/core/function_symbol.h"

#include <algorithm>

#include "visviva/base/words.h"

namespace visviva {
namespace {

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(", ");
    names.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 2);
  }
}

}  // namespace

FunctionSymbol FunctionSymbol::derivative(std::size_t parameter) const {
  FunctionSymbol result = *this;
  result.by.insert(std::upper_bound(result.by.begin(), result.by.end(), parameter), parameter);
  return result;
}

std::string FunctionSymbol::head() const {
  if (by.empty()) return name;
  std::string text = "d(" + name;
  for (const std::size_t i : by) text += ", " + parameters[i];
  return text + ")";
}

std::string FunctionSymbol::text() const { return head() + "(" + join_words(parameters) + ")"; }

FunctionSymbol read_function_symbol(std::string_view text) {
  FunctionSymbol result;
  const std::size_t open = text.rfind('(');
  result.parameters = split_names(text.substr(open + 1, text.size() - open - 2));
  const std::string_view head = text.substr(0, open);
  if (head.empty() || head.back() != ')') {
    result.name = std::string(head);
    return result;
  }
  std::vector<std::string> names = split_names(head.substr(2, head.size() - 3));
  result.name = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto place = std::find(result.parameters.begin(), result.parameters.end(), names[i]);
    result.by.push_back(static_cast<std::size_t>(place - result.parameters.begin()));
  }
  return result;
}

}  // namespace visviva
