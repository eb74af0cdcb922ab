// Source: where a declaration came from and what its author said about it.
#pragma once

#include <string>

#include "visviva/base/error.h"

namespace visviva {

struct Source {
  SourceSpan span{};
  std::string documentation{};
};

}  // namespace visviva
