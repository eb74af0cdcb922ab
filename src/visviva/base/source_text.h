// SourceText: the text of a model and the name of its file, as diagnostics point into it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace visviva {

/// A text and its name.
struct SourceText {
  std::string file;  ///< as the user named it; may be empty
  std::string text;  ///< UTF-8; lines end in LF, CRLF or CR
};

/// The kind of a part of a text, for those who colour it.
enum class TextKind {
  plain,
  keyword,  ///< the first word of a statement
  clause,   ///< a word inside it
  function,
  number,
  unit,
  text,
  comment
};

/// A part of a text, bytes begin to end. Parts come in order, without overlaps, none across the end
/// of a line.
struct TextSpan {
  std::size_t begin = 0, end = 0;
  TextKind kind = TextKind::plain;
};

/// A line by its number from 1, without its end and without a byte order mark; empty when there is
/// none.
std::string_view find_line(std::string_view text, int line);

}  // namespace visviva
