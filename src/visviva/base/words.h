// Words put together for people: lists and counts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace visviva {

/// Words with something between: "a, b, c".
std::string join_words(const std::vector<std::string>& words, const std::string& between = ", ");
/// The items of a list, each as `write` tells it: join_each(numbers, number_text).
template <class List, class Write>
std::string join_each(const List& list, const Write& write, const std::string& between = ", ") {
  std::vector<std::string> words;
  for (const auto& item : list) words.emplace_back(write(item));
  return join_words(words, between);
}
/// Words as a sentence lists them: "a, b and c".
std::string list_words(const std::vector<std::string>& words);
/// Words as a sentence lists too many, "a, b and 7 more": the first `most` of many; all where one
/// alone would be left.
std::string list_some_words(const std::vector<std::string>& words, std::size_t most);
/// A count and its noun, "1 body", "3 bodies"; the plural is the noun with an s unless it is given.
std::string counted(std::size_t count, const std::string& noun, const std::string& plural = "");

}  // namespace visviva
