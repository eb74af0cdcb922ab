// Did you mean: the known name nearest to a misspelt one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visviva {

/// The number of insertions, deletions, replacements and swaps of neighbours that turn a into b;
/// letter case alone counts 1.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate that `name` was probably meant to be; nothing when none is near enough.
std::optional<std::string> find_nearest(std::string_view name,
                                        const std::vector<std::string>& candidates);

/// The question "did you mean 'x'?", or "" when no candidate is near enough.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace visviva
