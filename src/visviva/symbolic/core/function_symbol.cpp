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

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// "d(X, theta)", "integral(d(X, theta), y)", "corners(X, theta, 2)", "X"
void read_head(std::string_view head, FunctionSymbol* result) {
  if (head.empty() || head.back() != ')') {
    result->name = std::string(head);
    return;
  }
  const std::size_t open = head.find('(');
  const std::string_view word = head.substr(0, open);
  std::string_view inside = head.substr(open + 1, head.size() - open - 2);
  std::size_t end = inside.rfind(')');
  end = end == std::string_view::npos ? inside.find(", ") : end + 1;
  read_head(inside.substr(0, end), result);
  const std::vector<std::string> names = split_names(inside.substr(end + 2));
  if (word == "corners") {
    result->corner = {place_of(result->parameters, names[0]), std::stoi(names[1])};
    return;
  }
  for (const std::string& name : names)
    (word == "d" ? result->by : result->over).push_back(place_of(result->parameters, name));
}

}  // namespace

FunctionSymbol FunctionSymbol::derivative(std::size_t parameter) const {
  FunctionSymbol result = *this;
  const auto held = std::find(result.over.begin(), result.over.end(), parameter);
  if (held != result.over.end())
    result.over.erase(held);
  else
    result.by.insert(std::upper_bound(result.by.begin(), result.by.end(), parameter), parameter);
  return result;
}

FunctionSymbol FunctionSymbol::integral(std::size_t parameter) const {
  FunctionSymbol result = *this;
  const auto held = std::find(result.by.begin(), result.by.end(), parameter);
  if (held != result.by.end())
    result.by.erase(held);
  else
    result.over.insert(std::upper_bound(result.over.begin(), result.over.end(), parameter),
                       parameter);
  return result;
}

std::string FunctionSymbol::head() const {
  if (corner)
    return "corners(" + name + ", " + parameters[corner->parameter] + ", " +
           std::to_string(corner->bit) + ")";
  std::string text = name;
  const auto wrap = [&](const char* word, const std::vector<std::size_t>& list) {
    if (list.empty()) return;
    text = word + ("(" + text);
    for (const std::size_t i : list) text += ", " + parameters[i];
    text += ")";
  };
  wrap("d", by);
  wrap("integral", over);
  return text;
}

std::string FunctionSymbol::text() const { return head() + "(" + join_words(parameters) + ")"; }

FunctionSymbol read_function_symbol(std::string_view text) {
  FunctionSymbol result;
  const std::size_t open = text.rfind('(');
  result.parameters = split_names(text.substr(open + 1, text.size() - open - 2));
  read_head(text.substr(0, open), &result);
  return result;
}

}  // namespace visviva
