#include "visviva/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace visviva {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t n>
bool contains(const std::array<Range, n>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& r) { return r.first <= c && c <= r.last; });
}

// Above ASCII everything is a letter but these: punctuation, symbols, number forms, marks, private.
constexpr std::array not_letters = {
    Range{0x80, 0xa9},       Range{0xab, 0xb4},       Range{0xb6, 0xb9},
    Range{0xbb, 0xbf},       Range{0xd7, 0xd7},       Range{0xf7, 0xf7},
    Range{0x300, 0x36f},     Range{0x483, 0x489},     Range{0x591, 0x5bf},
    Range{0x600, 0x61f},     Range{0x64b, 0x65f},     Range{0x66a, 0x66d},
    Range{0x2000, 0x20ff},   Range{0x2150, 0x2bff},   Range{0x2e00, 0x2e7f},
    Range{0x3000, 0x3004},   Range{0x3007, 0x3030},   Range{0xd800, 0xf8ff},
    Range{0xfe00, 0xfe6f},   Range{0xfeff, 0xff20},   Range{0xff3b, 0xff40},
    Range{0xff5b, 0xff65},   Range{0xffe0, 0xffff},   Range{0x1d165, 0x1d1ff},
    Range{0x1f000, 0x1faff}, Range{0xe0000, 0x10ffff}};

constexpr std::array combining = {
    Range{0x300, 0x36f},   Range{0x483, 0x487},   Range{0x591, 0x5bd},   Range{0x64b, 0x65f},
    Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff}, Range{0xfe20, 0xfe2f}};

constexpr std::array invisible = {
    Range{0x0, 0x8},       Range{0xb, 0xc},       Range{0xe, 0x1f},
    Range{0x7f, 0x9f},     Range{0x200b, 0x200f}, Range{0x2028, 0x202e},
    Range{0x2060, 0x206f}, Range{0xfeff, 0xfeff}, Range{0xfff0, 0xfffb}};

constexpr std::array wide = {Range{0x1100, 0x115f},  Range{0x2e80, 0x303e}, Range{0x3041, 0xa4cf},
                             Range{0xac00, 0xd7a3},  Range{0xf900, 0xfaff}, Range{0xfe30, 0xfe6f},
                             Range{0xff00, 0xff60},  Range{0xffe0, 0xffe6}, Range{0x1f300, 0x1faff},
                             Range{0x20000, 0x3fffd}};

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_tail(std::string_view text, std::size_t offset) {
  return offset < text.size() && (static_cast<std::uint8_t>(text[offset]) & 0xc0) == 0x80;
}

}  // namespace

Character decode_utf8(std::string_view text, std::size_t offset) {
  const auto lead = static_cast<std::uint8_t>(text[offset]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return {};
  char32_t code = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_tail(text, offset + i)) return {};
    code = (code << 6) | (static_cast<std::uint8_t>(text[offset + i]) & 0x3fu);
  }
  // Neither longer than needed, nor half of a surrogate pair, nor beyond the last code.
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, size};
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = decode_utf8(text, i).size;
    if (size == 0) return i;
    i += size;
  }
  return std::string_view::npos;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<std::uint8_t>(c) & 0xc0) != 0x80;
  }));
}

std::size_t offset_of_character(std::string_view text, std::size_t index) {
  std::size_t offset = 0;
  while (offset < text.size() && index > 0) {
    ++offset;
    while (is_tail(text, offset)) ++offset;
    --index;
  }
  return offset;
}

bool is_letter(char32_t c) { return c < 0x80 ? is_ascii_letter(c) : !contains(not_letters, c); }

bool is_name_character(char32_t c) {
  return is_letter(c) || c == '_' || (c >= '0' && c <= '9') || contains(combining, c);
}

bool is_control(char32_t c) { return c != '\t' && contains(invisible, c); }

int display_width(char32_t c) {
  if (contains(combining, c) || is_control(c)) return 0;
  return contains(wide, c) ? 2 : 1;
}

std::string describe_character(char32_t c, std::string_view bytes) {
  if (!is_control(c) && c != 0xa0 && display_width(c) > 0) return "'" + std::string(bytes) + "'";
  std::array<char, 16> code{};
  std::snprintf(code.data(), code.size(), "U+%04X", static_cast<unsigned>(c));
  return code.data();
}

}  // namespace visviva
