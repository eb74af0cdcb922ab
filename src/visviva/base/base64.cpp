#include "visviva/base/base64.h"

#include <string_view>

namespace visviva {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::vector<unsigned char> decode_base64(const std::string& text) {
  std::vector<unsigned char> bytes;
  unsigned group = 0, bits = 0;
  for (const char c : text) {
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) continue;
    group = group << 6 | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<unsigned char>(group >> bits & 255u));
  }
  return bytes;
}

std::string encode_base64(const unsigned char* bytes, std::size_t count) {
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
