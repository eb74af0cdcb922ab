// What the library says when it refuses something: for tests of error messages.
#pragma once

#include <string>

#include "visviva/base/error.h"

namespace visviva {

/// What a UsageError says; empty when none is thrown.
template <class Function>
std::string refusal(const Function& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

/// True when `text` contains all of these.
template <class... Parts>
bool says(const std::string& text, const Parts&... parts) {
  return (... && (text.find(parts) != std::string::npos));
}

}  // namespace visviva
