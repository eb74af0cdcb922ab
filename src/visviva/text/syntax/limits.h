// How much of anything a model's text may hold.
#pragma once

#include <cstddef>

namespace visviva {

inline constexpr std::size_t largest_file = 16'000'000;  ///< bytes
inline constexpr int deepest_nesting = 200;  ///< brackets, signs and powers inside one another
inline constexpr int most_definition_levels = 300;  ///< definitions that wait for one another
inline constexpr int deepest_include = 20;          ///< files that include one another
inline constexpr std::size_t most_files = 1000;     ///< of one model
inline constexpr std::size_t longest_name = 255;    ///< characters
inline constexpr std::size_t most_problems = 1000;  ///< kept; the first hundred are shown

}  // namespace visviva
