#include "visviva/base/words.h"

namespace visviva {

std::string join_words(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : between) + words[i];
  return text;
}

std::string list_words(const std::vector<std::string>& words) {
  if (words.size() < 2) return join_words(words);
  return join_words({words.begin(), words.end() - 1}) + " and " + words.back();
}

std::string list_some_words(const std::vector<std::string>& words, std::size_t most) {
  if (words.size() <= most + 1) return list_words(words);
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(most);
  return join_words({words.begin(), end}) + " and " + std::to_string(words.size() - most) + " more";
}

std::string counted(std::size_t count, const std::string& noun, const std::string& plural) {
  return std::to_string(count) + " " + (count == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

}  // namespace visviva
