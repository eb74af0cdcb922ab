#include "visviva/report/derivation/latex_lines.h"

#include <algorithm>
#include <optional>

namespace visviva {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Where the group that begins at `from` ends, one past its brace; `from` + 1 where there is none.
std::size_t group_end(const std::string& text, std::size_t from) {
  if (from >= text.size() || text[from] != '{') return std::min(from + 1, text.size());
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;  // an escaped brace, or a command
      continue;
    }
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

std::string inside(const std::string& text, std::size_t from, std::size_t to) {
  if (from >= to) return "";
  return text[from] == '{' ? text.substr(from + 1, to - from - 2) : text.substr(from, to - from);
}

std::string command_at(const std::string& text, std::size_t i) {
  std::size_t end = i + 1;
  while (end < text.size() && is_letter(text[end])) ++end;
  return text.substr(i + 1, end - i - 1);
}

class WidthReader {
 public:
  explicit WidthReader(const std::string& text) : text_(text) {}

  double read() {
    while (i_ < text_.size()) width_ += next();
    return width_;
  }

 private:
  double group() {
    while (i_ < text_.size() && text_[i_] == ' ') ++i_;
    const std::size_t end = group_end(text_, i_);
    const double w = latex_width(inside(text_, i_, end));
    i_ = end;
    return w;
  }

  double next() {
    const char c = text_[i_];
    if (c == '\\') return command();
    if (c == '^' || c == '_') {
      ++i_;
      return 0.7 * group();
    }
    if (c == '{') return group();
    ++i_;
    if (c == ' ' || (static_cast<unsigned char>(c) & 0xc0) == 0x80) return 0;
    if (c == '+' || c == '-' || c == '=') return 12.2;
    if (c == '(' || c == ')') return 4.5;
    if (c == '.' || c == ',' || c == '|') return 3;
    return c >= '0' && c <= '9' ? 5 : 5.8;
  }

  double command() {
    const std::string name = command_at(text_, i_);
    i_ += 1 + std::max<std::size_t>(name.size(), 1);
    if (name.empty()) return text_[i_ - 1] == ',' ? 1.7 : 5;
    if (name == "frac") {
      const double above = group();
      return std::max(above, group()) + 2.4;
    }
    if (name == "text") return text_width();
    if (name == "sqrt") return 8.5 + group();
    if (name == "left" || name == "right" || name == "bigl" || name == "bigr") return 1;
    if (name == "quad") return 10;
    if (name == "overset") {
      group();
      return group();
    }
    const bool is_frame = name == "dot" || name == "ddot" || name == "dddot" || name == "hat" ||
                          name == "vec" || name == "mathbf" || name == "mathrm" ||
                          name == "operatorname";
    if (is_frame) return group();
    const bool is_function =
        name.size() > 1 &&
        (name.find("sin") != std::string::npos || name.find("cos") != std::string::npos ||
         name.find("tan") != std::string::npos || name == "ln");
    return is_function ? 4.7 * static_cast<double>(name.size()) + 2 : 6.2;
  }

  // Words, blanks included.
  double text_width() {
    const std::size_t end = group_end(text_, i_);
    const double w = 4.7 * static_cast<double>(inside(text_, i_, end).size());
    i_ = end;
    return w;
  }

  const std::string& text_;
  std::size_t i_ = 0;
  double width_ = 0;
};

// Terms of a sum, each with its sign; nothing in braces or between \left and \right is looked into.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> terms;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::string name = command_at(text, i);
      depth += name == "left" ? 1 : name == "right" ? -1 : 0;
      i += std::max<std::size_t>(name.size(), 1);
      continue;
    }
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    const bool is_sign = (text[i] == '+' || text[i] == '-') && i > 0 && text[i - 1] == ' ' &&
                         i + 1 < text.size() && text[i + 1] == ' ';
    if (depth > 0 || !is_sign) continue;
    terms.push_back(text.substr(from, i - 1 - from));
    from = i;
  }
  terms.push_back(text.substr(from));
  return terms;
}

// The outermost \left( ... \right) with a sum inside, opened to be broken there.
std::optional<std::string> open_bracket(const std::string& term) {
  int braces = 0, depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] != '\\') {
      braces += term[i] == '{' ? 1 : term[i] == '}' ? -1 : 0;
      continue;
    }
    const std::string name = command_at(term, i);
    if (braces == 0 && name == "left" && depth++ == 0) begin = i;
    if (braces == 0 && name == "right" && --depth == 0 && term[begin + 5] == '(') {
      const std::string inner = term.substr(begin + 6, i - begin - 6);
      if (split(inner).size() > 1 || open_bracket(inner))
        return term.substr(0, begin) + "\\bigl(" + inner + "\\bigr)" + term.substr(i + 7);
    }
    i += std::max<std::size_t>(name.size(), 1);
  }
  return {};
}

// A fraction too wide on one side, of which a sum can be broken, on one line: \frac{a + c}{b} as
// \frac{1}{b} \left(a + c\right), and \frac{a}{b + c} as a \left(b + c\right)^{-1}.
std::optional<std::string> open_fraction(const std::string& term, double width) {
  const auto can_break = [](const std::string& text) {
    return split(text).size() > 1 || open_bracket(text);
  };
  const auto bracketed = [](const std::string& text) { return "\\left(" + text + "\\right)"; };
  int braces = 0;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] != '\\') {
      braces += term[i] == '{' ? 1 : term[i] == '}' ? -1 : 0;
      continue;
    }
    const std::string name = command_at(term, i);
    if (braces == 0 && name == "frac") {
      const std::size_t middle = group_end(term, i + 5), end = group_end(term, middle);
      const std::string above = inside(term, i + 5, middle), below = inside(term, middle, end);
      const bool is_sum = split(above).size() > 1;
      const std::string head = term.substr(0, i), tail = term.substr(end);
      if (latex_width(below) > width && can_break(below))
        return head + (is_sum ? bracketed(above) : above) + " " + bracketed(below) + "^{-1}" + tail;
      if (latex_width(above) > width && can_break(above))
        return head + "\\frac{1}{" + below + "} " + (is_sum ? bracketed(above) : above) + tail;
    }
    i += std::max<std::size_t>(name.size(), 1);
  }
  return {};
}

// A root too wide, of which a sum can be broken, as a power: \sqrt{a + b} as \left(a + b\right)^{1/2}.
std::optional<std::string> open_root(const std::string& term, double width) {
  int braces = 0;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] != '\\') {
      braces += term[i] == '{' ? 1 : term[i] == '}' ? -1 : 0;
      continue;
    }
    const std::string name = command_at(term, i);
    if (braces == 0 && name == "sqrt") {
      const std::size_t end = group_end(term, i + 5);
      const std::string below = inside(term, i + 5, end);
      if (latex_width(below) > width && (split(below).size() > 1 || open_bracket(below)))
        return term.substr(0, i) + "\\left(" + below + "\\right)^{1/2}" + term.substr(end);
    }
    i += std::max<std::size_t>(name.size(), 1);
  }
  return {};
}

void add_pieces(const std::string& formula, double width, std::vector<std::string>* pieces) {
  for (const std::string& term : split(formula)) {
    std::optional<std::string> opened;
    if (latex_width(term) > width) opened = open_fraction(term, 0.8 * width);
    if (latex_width(term) > width && !opened) opened = open_root(term, 0.8 * width);
    if (latex_width(term) > width && !opened) opened = open_bracket(term);
    if (!opened) {
      pieces->push_back(term);
      continue;
    }
    // A wide factor before the bracket has a line of its own.
    const std::size_t bracket = opened->find(" \\bigl(");
    if (bracket != std::string::npos && split(*opened).size() > 1 &&
        latex_width(opened->substr(0, bracket)) > 0.5 * width) {
      pieces->push_back(opened->substr(0, bracket));
      opened = "\\times" + opened->substr(bracket);
    }
    add_pieces(*opened, width, pieces);
  }
}

}  // namespace

double latex_width(const std::string& formula) { return WidthReader(formula).read(); }

std::vector<std::string> break_latex(const std::string& formula, double width) {
  std::vector<std::string> pieces, lines;
  add_pieces(formula, width, &pieces);
  double used = 0;
  for (const std::string& piece : pieces) {
    const double w = latex_width(piece);
    if (!lines.empty() && used + w <= width) {
      lines.back() += " " + piece;
      used += w;
    } else {
      lines.push_back(piece);
      used = w + 10;  // lines after the first are indented
    }
  }
  return lines;
}

}  // namespace visviva
