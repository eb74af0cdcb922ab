#include "visviva/base/suggest.h"

#include <algorithm>

#include "visviva/base/utf8.h"

namespace visviva {
namespace {

constexpr std::size_t longest_compared = 64;  // names longer than this are nobody's misspelling

std::u32string characters_of(std::string_view text) {
  std::u32string all;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    all += c.code;
    i += std::max<std::size_t>(c.size, 1);
  }
  return all;
}

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return all;
}

// One change in a short word, two from five characters, three from nine.
int allowed_changes(std::size_t length) {
  if (length <= 1) return 0;
  return length < 5 ? 1 : length < 9 ? 2 : 3;
}

}  // namespace

int edit_distance(std::string_view a_text, std::string_view b_text) {
  if (a_text != b_text && lower(a_text) == lower(b_text)) return 1;
  const std::u32string a = characters_of(a_text), b = characters_of(b_text);
  // Rows of the table d[i][j]: the changes from the first i characters of a to the first j of b.
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({replaced, d[i - 1][j] + 1, d[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::optional<std::string> find_nearest(std::string_view name,
                                        const std::vector<std::string>& candidates) {
  if (name.size() > longest_compared) return {};
  const std::size_t length = count_characters(name);
  int best = allowed_changes(length) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t other = count_characters(candidate);
    if (candidate == name || candidate.size() > longest_compared) continue;
    if (static_cast<int>(std::max(length, other) - std::min(length, other)) >= best) continue;
    const int distance = edit_distance(name, candidate);
    // A change to every character is no resemblance, unless only the case differs.
    const bool alike =
        distance < static_cast<int>(std::max(length, other)) || lower(name) == lower(candidate);
    if (distance < best && alike) {
      best = distance;
      nearest = candidate;
    }
  }
  // A single letter resembles only its other case.
  if (!nearest && length == 1) {
    const auto same = std::find_if(candidates.begin(), candidates.end(), [name](const auto& c) {
      return c != name && lower(c) == lower(name);
    });
    if (same != candidates.end()) nearest = *same;
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto nearest = find_nearest(name, candidates);
  return nearest ? "did you mean '" + *nearest + "'?" : "";
}

}  // namespace visviva
