#include "visviva/base/source_text.h"

namespace visviva {

std::string_view find_line(std::string_view text, int line) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  for (int n = 1;; ++n) {
    const std::size_t end = text.find_first_of("\r\n");
    if (n >= line) return n == line ? text.substr(0, end) : std::string_view();
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
  }
}

namespace {

const std::string* find_part(const SourceText& source, std::string_view file) {
  for (const SourceText& part : source.parts) {
    if (part.file == file) return &part.text;
    if (const std::string* text = find_part(part, file)) return text;
  }
  return nullptr;
}

// Adds the lines of a text, and those of its parts after the lines that include them, which become
// comments; so does the title of a part.
void add_lines(const SourceText& source, bool is_part, std::string* out) {
  std::string_view text = source.text;
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view words = text.substr(0, end);
    const bool is_title = is_part && words.substr(0, 6) == "model ";
    bool includes = false;
    for (const SourceText& part : source.parts) includes = includes || part.line == line;
    *out += (is_title || includes ? "# " : "") + std::string(words) + "\n";
    for (const SourceText& part : source.parts)
      if (part.line == line) add_lines(part, true, out);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
  }
}

}  // namespace

std::string_view find_line(const SourceText& source, std::string_view file, int line) {
  const std::string* part = find_part(source, file);
  return find_line(part != nullptr && file != source.file ? *part : source.text, line);
}

SourceText join_parts(const SourceText& source) {
  if (source.parts.empty()) return source;
  SourceText joined{source.file, ""};
  add_lines(source, false, &joined.text);
  return joined;
}

}  // namespace visviva
