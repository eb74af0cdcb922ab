// SourceText: the text of a model and the name of its file, as diagnostics point into it.
#pragma once

#include <string>
#include <string_view>

namespace visviva {

struct SourceText {
  std::string file;  ///< as the user named it; may be empty
  std::string text;  ///< UTF-8; lines end in LF, CRLF or CR
};

/// A line by its number from 1, without its end and without a byte order mark; empty when there is
/// none.
std::string_view find_line(std::string_view text, int line);

}  // namespace visviva
