// CatalogueEntry: a code that a diagnostic can carry, explained.
#pragma once

#include <string_view>

namespace visviva {

struct CatalogueEntry {
  std::string_view code;   ///< E-..., an error; W-..., a warning; N-..., a note
  std::string_view title;  ///< one line
  std::string_view explanation;
  std::string_view wrong;  ///< an example; statements, or a command
  std::string_view right;
};

}  // namespace visviva
