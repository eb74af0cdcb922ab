// PrintOptions: in which notation expressions are printed, and when they are cut into pieces.
#pragma once

#include <cstddef>
#include <string>

#include "visviva/symbolic/form/notation.h"

namespace visviva {

/// How expressions are printed.
struct PrintOptions {
  Notation notation = Notation::language;
  /// An expression that can be written in so many characters (of the model language) needs no
  /// intermediates.
  std::size_t inline_length = 400;
  /// In larger ones, what occurs more than once gets a name from this size (in nodes) on, ...
  std::size_t shared_size = 8;
  /// ... and anything beyond this size. Total text is linear in the nodes, whatever the options.
  std::size_t line_size = 40;
  /// Names of intermediates: prefix and a number; numbers that would give a symbol's name are left
  /// out.
  std::string prefix = "z";
  /// Work spent on simplification, for all expressions together; beyond it they are printed as
  /// built.
  std::size_t work = 12'000'000;
};

}  // namespace visviva
