// What the library says when it refuses something: for tests of error messages.
#pragma once

#include <gtest/gtest.h>

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

/// Expects a UsageError that names the function and says these words.
template <class Function>
void expect_refusal(const Function& f, const std::string& function, const std::string& words) {
  const std::string text = refusal(f);
  EXPECT_TRUE(says(text, function, words)) << text;
}

}  // namespace visviva
