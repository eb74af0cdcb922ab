// Words put together for people: lists and counts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace visviva {

/// "a, b, c"
std::string join_words(const std::vector<std::string>& words, const std::string& between = ", ");
/// "a, b and c"
std::string list_words(const std::vector<std::string>& words);
/// "a, b and 7 more": the first `most` of many; all where one alone would be left.
std::string list_some_words(const std::vector<std::string>& words, std::size_t most);
/// "1 body", "3 bodies"; the plural is the noun with an s unless it is given.
std::string counted(std::size_t count, const std::string& noun, const std::string& plural = "");

}  // namespace visviva
