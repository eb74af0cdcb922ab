#include "visviva/symbolic/print/latex_characters.h"

#include <fmt/format.h>

#include <array>

#include "visviva/base/utf8.h"
#include "visviva/symbolic/form/print_name.h"

namespace visviva {
namespace {

struct Sign {
  char32_t code;
  std::string_view text;
  bool is_formula;
};

constexpr std::array signs = {
    Sign{0x2013, "--", false},        Sign{0x2014, "---", false}, Sign{0x2018, "`", false},
    Sign{0x2019, "'", false},         Sign{0x201C, "``", false},  Sign{0x201D, "''", false},
    Sign{0x2026, "\\ldots{}", false}, Sign{0xA0, "~", false},     Sign{0xB0, "{}^\\circ", true},
    Sign{0xB1, "\\pm", true},         Sign{0xB2, "{}^2", true},   Sign{0xB3, "{}^3", true},
    Sign{0xB5, "\\mu", true},         Sign{0xB7, "\\cdot", true}, Sign{0xD7, "\\times", true},
    Sign{0x2212, "-", true},          Sign{0x2192, "\\to", true}, Sign{0x221A, "\\surd", true},
    Sign{0x2264, "\\le", true},       Sign{0x2265, "\\ge", true}, Sign{0x3C0, "\\pi", true},
    Sign{0x22C5, "\\cdot", true}};

// Letters that the oldest font encoding, OT1, makes of a letter and an accent.
bool has_accent(char32_t c) {
  const bool is_latin_1 = c >= 0xC0 && c <= 0xFF;
  return is_latin_1 && c != 0xD0 && c != 0xD7 && c != 0xDE && c != 0xF0 && c != 0xF7 && c != 0xFE;
}

std::string formula(std::string_view text, bool in_math) {
  return in_math ? std::string(text) + " " : "\\ensuremath{" + std::string(text) + "}";
}

std::string words(std::string_view text, bool in_math) {
  return in_math ? "\\text{" + std::string(text) + "}" : std::string(text);
}

std::string write_character(char32_t code, std::string_view bytes, bool in_math) {
  if (const std::string_view greek = greek_name(bytes); !greek.empty())
    return formula("\\" + std::string(greek), in_math);
  for (const Sign& s : signs)
    if (s.code == code) return s.is_formula ? formula(s.text, in_math) : words(s.text, in_math);
  if (has_accent(code)) return words(bytes, in_math);
  return words(fmt::format("[U+{:04X}]", static_cast<std::uint32_t>(code)), in_math);
}

std::string escape_in_text(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '{':
    case '}':
    case '_':
    case '#':
    case '$':
    case '%':
    case '&':
      return std::string("\\") + c;
    default:
      return std::string(1, static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
}

}  // namespace

std::string write_latex_characters(std::string_view text, bool in_math,
                                   std::string (*ascii)(char c)) {
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    if (c.size == 0) {  // no UTF-8
      safe += "?";
      ++i;
    } else if (c.size == 1) {
      safe += ascii(text[i]);
      ++i;
    } else {
      safe += write_character(c.code, text.substr(i, c.size), in_math);
      i += c.size;
    }
  }
  return safe;
}

std::string escape_latex_words(std::string_view text) {
  return write_latex_characters(text, false, escape_in_text);
}

}  // namespace visviva
