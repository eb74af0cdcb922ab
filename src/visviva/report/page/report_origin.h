// ReportOrigin: what a page says about where it came from.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/source_text.h"

namespace visviva {

/// What the model was read from and how the report was made.
struct ReportOrigin {
  SourceText source{};
  std::vector<TextSpan> colours{};  ///< of the source
  std::string version{}, command{};
  std::vector<std::string> remarks{};  ///< warnings and the like, for the reader
};

}  // namespace visviva
