// Names of symbols taken apart for typesetting: theta1'' is theta, index 1, two dots.
#pragma once

#include <string>
#include <string_view>

namespace visviva {

/// A name in pieces.
struct NameParts {
  std::string base;       ///< without index and primes; never empty unless the name is
  std::string subscript;  ///< "" when there is none
  int primes = 0;
  bool unit_vector = false;  ///< A.x: base A, index x
};

/// The pieces of a name.
NameParts split_name(std::string_view name);

/// The name of a Greek letter without its backslash for "theta" or for the letter itself; "" for
/// anything else.
std::string_view greek_name(std::string_view base);
/// The letter for "theta" (or for the letter itself), in UTF-8; "" for anything else.
std::string_view greek_letter(std::string_view base);

}  // namespace visviva
