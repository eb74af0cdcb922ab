// SourceText: the text of a model and the name of its file, as diagnostics point into it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace visviva {

/// A text and its name.
struct SourceText {
  std::string file;                 ///< as the user named it; may be empty
  std::string text;                 ///< UTF-8; lines end in LF, CRLF or CR
  std::vector<SourceText> parts{};  ///< the texts that it includes
  int line = 0;                     ///< of a part: where the text around it includes it
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
/// The same in the part of this file, however deep; in the text itself when no part is called so.
std::string_view find_line(const SourceText& source, std::string_view file, int line);

/// A text with its parts written out where they are included: the same model in one text.
SourceText join_parts(const SourceText& source);

}  // namespace visviva
