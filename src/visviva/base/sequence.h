// Sequences: what the standard library leaves to be written out each time.
#pragma once

#include <cstddef>
#include <vector>

namespace visviva {

/// The elements of `more` behind those of `list`.
template <typename T>
void append(std::vector<T>* list, const std::vector<T>& more) {
  list->insert(list->end(), more.begin(), more.end());
}

/// A place in a sequence as the int that model lists use.
constexpr int to_int(std::size_t place) { return static_cast<int>(place); }

}  // namespace visviva
