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

}  // namespace visviva
