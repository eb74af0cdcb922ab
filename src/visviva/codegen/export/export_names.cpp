#include "visviva/codegen/export/export_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "visviva/base/utf8.h"

namespace visviva {
namespace {

constexpr std::size_t longest_identifier = 48;

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Keywords, what generated functions call or declare, and macros of <math.h>.
const std::set<std::string_view>& reserved_words() {
  static const std::set<std::string_view> words = {
      // C and C++
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "class", "compl", "concept", "const", "constexpr", "const_cast",
      "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
      "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
      "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
      "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
      "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
      "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using",
      "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "near", "far", "complex",
      "imaginary", "linux", "unix", "i386",
      // <math.h>
      "NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "HUGE", "MAXFLOAT", "DOMAIN", "SING",
      "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS", "X_TLOSS", "math_errhandling", "signgam",
      "isfinite", "isnan", "isinf", "sqrt", "fabs", "sin", "cos", "tan", "asin", "acos", "atan",
      "atan2", "sinh", "cosh", "tanh", "exp", "log", "pow",
      // Python
      "False", "None", "True", "as", "assert", "async", "await", "def", "del", "elif", "except",
      "finally", "from", "global", "import", "in", "is", "lambda", "match", "nonlocal", "pass",
      "raise", "type", "with", "yield", "np", "print", "range", "len", "abs", "min", "max",
      // MATLAB and Octave
      "arguments", "classdef", "elseif", "end", "end_try_catch", "end_unwind_protect",
      "endarguments", "endclassdef", "endenumeration", "endevents", "endfor", "endfunction",
      "endif", "endmethods", "endparfor", "endproperties", "endspmd", "endswitch", "endwhile",
      "enumeration", "events", "function", "methods", "otherwise", "parfor", "persistent",
      "properties", "spmd", "until", "unwind_protect", "unwind_protect_cleanup", "zeros", "ones",
      "power", "sign", "inf", "nan", "Inf", "NaN", "pi", "real_or_nan",
      // ours
      "t", "state", "inputs", "parameters", "out", "work", "step_of", "least", "greatest",
      "table_value", "shape", "model"};
  return words;
}

// What else a MATLAB file calls by name, and what a Python module imports: a file of that name would be
// called or imported instead.
const std::set<std::string_view>& called_words() {
  static const std::set<std::string_view> words = {
      "all",  "any",   "chol", "diag", "eps",  "eye",   "find", "isreal", "native2unicode",
      "norm", "numel", "pinv", "size", "tril", "uint8", "numpy"};
  return words;
}

bool is_temporary(std::string_view s) {
  return s.size() > 1 && s[0] == 'v' && std::all_of(s.begin() + 1, s.end(), is_digit);
}

bool is_reserved(const std::string& s) {
  return reserved_words().count(s) != 0 || is_temporary(s) || s.rfind("M_", 0) == 0 ||
         s.rfind("FP_", 0) == 0 || s.rfind("MATH_", 0) == 0;
}

std::string_view greek_name(char32_t c) {
  static constexpr std::array<std::string_view, 25> names = {
      "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
      "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
      "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
  if (c >= 0x3b1 && c <= 0x3c9) return names[c - 0x3b1];
  return {};
}

std::string capital(std::string_view name) {
  std::string s(name);
  if (!s.empty()) s[0] = static_cast<char>(s[0] - 'a' + 'A');
  return s;
}

std::string ascii_form(char32_t c) {
  if (c == U'\'') return "_d";
  if (c < 0x80 && (is_ascii_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c))))
    return std::string(1, static_cast<char>(c));
  if (c < 0x80 && (c == U'_' || c == U'.' || c == U' ')) return "_";
  if (const std::string_view name = greek_name(c); !name.empty()) return std::string(name);
  if (const std::string_view name = greek_name(c + 0x20); c >= 0x391 && !name.empty())
    return capital(name);
  return fmt::format("u{:04x}", static_cast<std::uint32_t>(c));
}

// Characters that can be seen, one after the other; blanks of any kind are one blank, and what is no
// UTF-8 is a question mark.
template <class Use>
void for_each_character(std::string_view text, Use use) {
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    if (c.size == 0) {
      use(U'?', std::string_view("?"));
      ++i;
      continue;
    }
    const bool is_blank = c.code == U'\t' || c.code == U'\n' || c.code == U'\r' || c.code == 0x85 ||
                          c.code == 0x2028 || c.code == 0x2029;
    if (is_blank)
      use(U' ', std::string_view(" "));
    else if (!is_control(c.code) && c.code >= 0x20 && !(c.code >= 0x7f && c.code < 0xa0))
      use(c.code, text.substr(i, c.size));
    i += c.size;
  }
}

// No two neighbours may mean something: the end or the begin of a comment, a trigraph.
std::string harmless(std::string_view text) {
  std::string safe;
  for_each_character(text, [&](char32_t, std::string_view bytes) {
    const char last = safe.empty() ? ' ' : safe.back(), next = bytes[0];
    if ((last == '*' && next == '/') || (last == '/' && next == '*') ||
        (last == '?' && next == '?'))
      safe += ' ';
    safe += bytes;
  });
  return safe;
}

}  // namespace

std::string make_identifier(std::string_view name) {
  std::string s;
  for_each_character(name, [&](char32_t c, std::string_view) { s += ascii_form(c); });
  if (s.size() > longest_identifier) s.resize(longest_identifier);
  // Functions inside of a MATLAB file begin like this.
  const bool is_taken = s.starts_with("local_");
  if (s.empty() || s[0] == '_')
    s = "x" + s;
  else if (!is_ascii_letter(s[0]) || is_taken)
    s = "x_" + s;
  return is_reserved(s) ? s + "_" : s;
}

std::string make_file_identifier(std::string_view name) {
  if (name.empty()) return "mechanism";
  const std::string s = make_identifier(name);
  return called_words().count(s) != 0 ? s + "_" : s;
}

std::string Identifiers::add(std::string_view name) {
  const std::string wanted = make_identifier(name);
  std::string found = wanted;
  for (int i = 2; !taken_.insert(found).second; ++i) found = fmt::format("{}_{}", wanted, i);
  return found;
}

std::string comment_text(std::string_view text) { return "\"" + harmless(text) + "\""; }

std::string comment_name(std::string_view name) {
  std::string safe = harmless(name);
  std::replace(safe.begin(), safe.end(), '\\', '|');
  return safe;
}

std::string c_string(std::string_view text) {
  std::string s = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // Octal codes have three digits and no more; '?' could begin a trigraph.
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\' || c == '?')
      s += fmt::format("\\{:03o}", byte);
    else
      s += c;
  }
  return s + "\"";
}

std::string python_string(std::string_view text) {
  std::string s = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    if (c.size == 1 && c.code >= 0x20 && c.code < 0x7f && c.code != U'"' && c.code != U'\\')
      s += text[i];
    else
      s += fmt::format("\\U{:08x}", c.size == 0 ? 0xfffdu : static_cast<std::uint32_t>(c.code));
    i += std::max<std::size_t>(c.size, 1);
  }
  return s + "\"";
}

std::string matlab_string(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
  });
  std::string s;
  if (is_plain) {
    for (const char c : text) s += c == '\'' ? std::string("''") : std::string(1, c);
    return "'" + s + "'";
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = decode_utf8(text, i).size;
    for (const char c : size == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(i, size))
      s += fmt::format("{}{}", s.empty() ? "" : " ", static_cast<unsigned char>(c));
    i += std::max<std::size_t>(size, 1);
  }
  return "native2unicode(uint8([" + s + "]), 'UTF-8')";
}

}  // namespace visviva
