#include "visviva/base/base64.h"

namespace visviva {

std::string encode_base64(const unsigned char* bytes, std::size_t count) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t present = count - i < 3 ? count - i : 3;
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < present ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= present ? letters[group >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

}  // namespace visviva
