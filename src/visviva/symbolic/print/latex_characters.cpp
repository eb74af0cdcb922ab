#include "visviva/symbolic/print/latex_characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "visviva/base/utf8.h"
#include "visviva/symbolic/form/name_parts.h"

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

// ASCII characters that mean something to LaTeX, and how they are written instead.
struct Special {
  char character;
  std::string_view in_words;
  std::string_view in_formula;
};

constexpr std::array specials = {Special{'{', "\\{", "\\{"},
                                 Special{'}', "\\}", "\\}"},
                                 Special{'_', "\\_", "\\_"},
                                 Special{'#', "\\#", "\\#"},
                                 Special{'$', "\\$", "\\$"},
                                 Special{'%', "\\%", "\\%"},
                                 Special{'&', "\\&", "\\&"},
                                 Special{'\\', "\\textbackslash{}", "\\backslash{}"},
                                 Special{'^', "\\textasciicircum{}", "\\text{\\textasciicircum}"},
                                 Special{'~', "\\textasciitilde{}", "\\text{\\textasciitilde}"},
                                 Special{'<', "\\textless{}", "<"},
                                 Special{'>', "\\textgreater{}", ">"},
                                 Special{'|', "\\textbar{}", "|"}};

std::string write_ascii(char c, bool in_math) {
  for (const Special& s : specials)
    if (s.character == c) return std::string(in_math ? s.in_formula : s.in_words);
  return std::string(1, static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
}

std::string escape_latex(std::string_view text, bool in_math) {
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    if (c.size == 0)
      safe += "?";  // no UTF-8
    else if (c.size == 1)
      safe += write_ascii(text[i], in_math);
    else
      safe += write_character(c.code, text.substr(i, c.size), in_math);
    i += std::max<std::size_t>(c.size, 1);
  }
  return safe;
}

}  // namespace

std::string escape_latex_words(std::string_view text) { return escape_latex(text, false); }

std::string escape_latex_formula(std::string_view text) { return escape_latex(text, true); }

}  // namespace visviva
