// LaTeX, for the inside of a formula. Names are escaped: no name can end a group or start a
// command.
#include "visviva/base/words.h"
#include "visviva/symbolic/form/name_parts.h"
#include "visviva/symbolic/form/notation.h"
#include "visviva/symbolic/print/latex_characters.h"

namespace visviva {
namespace {

bool is_plain_word(std::string_view text) {
  for (const char c : text) {
    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) return false;
  }
  return text.size() == 1;
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string letter(std::string_view base) {
  if (const std::string_view greek = greek_name(base); !greek.empty())
    return "\\" + std::string(greek);
  if (is_plain_word(base) || is_number(base)) return std::string(base);
  return "\\mathrm{" + escape_latex_formula(base) + "}";
}

// Axes stay in italics: I_{xx}.
std::string latex_index(std::string_view subscript) {
  const bool axes = subscript.find_first_not_of("xyz") == std::string_view::npos;
  return axes ? std::string(subscript) : letter(subscript);
}

std::string latex_with_dots(const std::string& base, int primes) {
  switch (primes) {
    case 0:
      return base;
    case 1:
      return "\\dot{" + base + "}";
    case 2:
      return "\\ddot{" + base + "}";
    case 3:
      return "\\dddot{" + base + "}";
    default:
      return "\\overset{(" + std::to_string(primes) + ")}{" + base + "}";
  }
}

std::string command(Op op) {
  switch (op) {
    case Op::log:
      return "\\ln";
    case Op::asin:
      return "\\arcsin";
    case Op::acos:
      return "\\arccos";
    case Op::atan:
      return "\\arctan";
    case Op::sign:
      return "\\operatorname{sgn}";
    case Op::step:
      return "\\operatorname{step}";
    case Op::atan2:
      return "\\operatorname{atan2}";
    default:
      return "\\" + std::string(function_name(op));
  }
}

bool starts_with_digit(const std::string& text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

class LatexWriter final : public NotationWriter {
 public:
  std::string number(const DecimalText& decimal) const override {
    if (decimal.exponent == 0) return decimal.digits;
    const std::string power = "10^{" + std::to_string(decimal.exponent) + "}";
    return decimal.digits == "1" ? power : decimal.digits + " \\cdot " + power;
  }
  std::string name(std::string_view name) const override {
    const NameParts parts = split_name(name);
    if (parts.unit_vector)
      return "\\hat{\\mathbf{" + escape_latex_formula(parts.base) + "}}_{" + parts.subscript + "}";
    const std::string base = latex_with_dots(letter(parts.base), parts.primes);
    return parts.subscript.empty() ? base : base + "_{" + latex_index(parts.subscript) + "}";
  }
  std::string pi() const override { return "\\pi"; }
  std::string sum(const std::vector<SignedText>& terms) const override {
    return language_writer().sum(terms);
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) {
      if (!text.empty()) text += starts_with_digit(factor) ? " \\cdot " : " ";
      text += factor;
    }
    return text;
  }
  std::string fraction(const std::string& above, const std::string& below) const override {
    return "\\frac{" + above + "}{" + below + "}";
  }
  bool stacks_fractions() const override { return true; }
  std::string power(const std::string& base, const std::string& exponent) const override {
    return base + "^{" + exponent + "}";
  }
  Piece call(const CallText& call) const override {
    const std::string& first = call.operands.front();
    if (call.op == Op::sqrt) return {"\\sqrt{" + first + "}", Binding::atom};
    if (call.op == Op::abs) return {"\\left|" + first + "\\right|", Binding::atom};
    if (call.op == Op::exp) return {"e^{" + first + "}", Binding::power};
    const std::string head =
        command(call.op) + (call.exponent.empty() ? "" : "^{" + call.exponent + "}");
    if (call.operand_is_name) return {head + " " + first, Binding::power};
    return {head + group(join_words(call.operands)), Binding::power};
  }
  Piece function(const FunctionText& f) const override {
    const std::string place = group(join_words(f.arguments));
    if (!f.over.empty()) {
      std::string integral = "\\int " + function({f.name, f.by, {}, {}, true}).text;
      for (const std::string& x : f.over) integral += " \\, d " + name(x);
      return {group(integral) + place, Binding::atom};
    }
    if (f.by.empty()) return {name(f.name) + (f.arguments.empty() ? "" : place), Binding::atom};
    const std::string d = f.arguments.size() == 1 ? "d" : "\\partial";
    const std::string order = f.by.size() == 1 ? "" : "^{" + std::to_string(f.by.size()) + "}";
    std::string below;
    for (std::size_t i = 0; i < f.by.size();) {
      std::size_t n = i;
      while (n < f.by.size() && f.by[n] == f.by[i]) ++n;
      const std::string power = n - i == 1 ? "" : "^{" + std::to_string(n - i) + "}";
      below += (below.empty() ? "" : " \\, ") + d + " " + name(f.by[i]) + power;
      i = n;
    }
    const std::string slope = fraction(d + order + " " + name(f.name), below);
    return {f.is_at_parameters ? slope : slope + place, Binding::product};
  }
  bool takes_exponent(Op op) const override {
    switch (op) {
      case Op::sin:
      case Op::cos:
      case Op::tan:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh:
        return true;
      default:
        return false;
    }
  }
  std::string group(const std::string& text) const override {
    return "\\left(" + text + "\\right)";
  }
  std::string where(const std::string& expression, const std::vector<std::string>& names,
                    const std::vector<std::string>& definitions) const override {
    std::string text = expression + " \\quad\\text{where}\\quad ";
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += (i > 0 ? ", \\; " : "") + names[i] + " = " + definitions[i];
    }
    return text;
  }
};

}  // namespace

const NotationWriter& latex_writer() {
  static const LatexWriter writer;
  return writer;
}

}  // namespace visviva
