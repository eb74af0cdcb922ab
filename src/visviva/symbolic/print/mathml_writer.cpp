// Presentation MathML, one element for each piece. Names are escaped: none reaches a page as
// markup.
#include "visviva/base/escape.h"
#include "visviva/base/words.h"
#include "visviva/symbolic/form/name_parts.h"
#include "visviva/symbolic/form/notation.h"

namespace visviva {
namespace {

constexpr const char* thin_space = "<mspace width=\"0.17em\"></mspace>";

std::string element(std::string_view tag, const std::string& content) {
  return "<" + std::string(tag) + ">" + content + "</" + std::string(tag) + ">";
}

std::string identifier(std::string_view base) {
  const std::string_view greek = greek_letter(base);
  return element("mi", greek.empty() ? escape_html(base) : std::string(greek));
}

std::string mathml_index(std::string_view subscript) {
  const bool number = subscript.find_first_not_of("0123456789") == std::string_view::npos;
  return number ? element("mn", std::string(subscript)) : identifier(subscript);
}

// Not marked as accents: without a mathematical font, browsers set those onto the letter.
std::string mathml_with_dots(const std::string& base, int primes) {
  const auto accent = [&base](const char* mark) {
    return "<mover>" + base + "<mo>" + mark + "</mo></mover>";
  };
  switch (primes) {
    case 0:
      return base;
    case 1:
      return accent("&#x2D9;");
    case 2:
      return accent("&#xA8;");
    case 3:
      return accent("&#x20DB;");
    default:
      return element("mover", base + element("mtext", "(" + std::to_string(primes) + ")"));
  }
}

std::string function_text(Op op) {
  switch (op) {
    case Op::log:
      return "ln";
    case Op::asin:
      return "arcsin";
    case Op::acos:
      return "arccos";
    case Op::atan:
      return "arctan";
    case Op::sign:
      return "sgn";
    default:
      return std::string(function_name(op));
  }
}

class MathmlWriter final : public NotationWriter {
 public:
  std::string number(const DecimalText& decimal) const override {
    const std::string digits = element("mn", decimal.digits);
    if (decimal.exponent == 0) return digits;
    const bool negative = decimal.exponent < 0;
    const std::string size =
        element("mn", std::to_string(negative ? -decimal.exponent : decimal.exponent));
    const std::string exponent = negative ? element("mrow", "<mo>&#x2212;</mo>" + size) : size;
    return element("mrow",
                   digits + "<mo>&#x22C5;</mo>" + element("msup", "<mn>10</mn>" + exponent));
  }
  std::string name(std::string_view name) const override {
    const NameParts parts = split_name(name);
    if (parts.unit_vector) {
      const std::string hat =
          "<mover>" + element("mi", escape_html(parts.base)) + "<mo>^</mo></mover>";
      return element("msub", hat + mathml_index(parts.subscript));
    }
    const std::string base = mathml_with_dots(identifier(parts.base), parts.primes);
    return parts.subscript.empty() ? base : element("msub", base + mathml_index(parts.subscript));
  }
  std::string pi() const override { return "<mi>π</mi>"; }
  std::string sum(const std::vector<SignedText>& terms) const override {
    std::string text;
    for (const SignedText& term : terms) {
      if (term.negative) text += "<mo>&#x2212;</mo>";
      if (!term.negative && !text.empty()) text += "<mo>+</mo>";
      text += term.text;
    }
    return element("mrow", text);
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) {
      const bool number = factor.rfind("<mn>", 0) == 0 || factor.rfind("<mrow><mn>", 0) == 0 ||
                          factor.rfind("<msup><mn>", 0) == 0;
      if (!text.empty()) text += number ? "<mo>&#x22C5;</mo>" : "<mo>&#x2062;</mo>";
      text += factor;
    }
    return factors.size() == 1 ? text : element("mrow", text);
  }
  std::string fraction(const std::string& above, const std::string& below) const override {
    return element("mfrac", above + below);
  }
  bool stacks_fractions() const override { return true; }
  std::string power(const std::string& base, const std::string& exponent) const override {
    return element("msup", base + exponent);
  }
  Piece call(const CallText& call) const override {
    const std::string& first = call.operands.front();
    if (call.op == Op::sqrt) return {element("msqrt", first), Binding::atom};
    if (call.op == Op::abs)
      return {element("mrow", "<mo>|</mo>" + first + "<mo>|</mo>"), Binding::atom};
    if (call.op == Op::exp) return {element("msup", "<mi>e</mi>" + first), Binding::power};
    std::string head = element("mi", function_text(call.op));
    if (!call.exponent.empty()) head = element("msup", head + call.exponent);
    head += "<mo>&#x2061;</mo>";
    // Browsers set no space after a function's name.
    if (call.operand_is_name) return {element("mrow", head + thin_space + first), Binding::power};
    return {element("mrow", head + group(join_words(call.operands, "<mo>,</mo>"))), Binding::power};
  }
  Piece function(const FunctionText& f) const override {
    const std::string place = "<mo>&#x2061;</mo>" + group(join_words(f.arguments, "<mo>,</mo>"));
    if (!f.over.empty()) {
      std::string integral = "<mo>&#x222B;</mo>" + function({f.name, f.by, {}, {}, true}).text;
      for (const std::string& x : f.over) integral += thin_space + ("<mi>d</mi>" + name(x));
      return {element("mrow", group(integral) + place), Binding::atom};
    }
    if (f.by.empty() && f.arguments.empty()) return {name(f.name), Binding::atom};
    if (f.by.empty()) return {element("mrow", name(f.name) + place), Binding::atom};
    const std::string d = f.arguments.size() == 1 ? "<mi>d</mi>" : "<mo>&#x2202;</mo>";
    const auto raised = [](const std::string& base, std::size_t n) {
      return n == 1 ? base : element("msup", base + element("mn", std::to_string(n)));
    };
    std::string below;
    for (std::size_t i = 0; i < f.by.size();) {
      std::size_t n = i;
      while (n < f.by.size() && f.by[n] == f.by[i]) ++n;
      below += (below.empty() ? "" : thin_space) + d + raised(name(f.by[i]), n - i);
      i = n;
    }
    const std::string slope =
        fraction(element("mrow", raised(d, f.by.size()) + name(f.name)), element("mrow", below));
    return {f.is_at_parameters ? slope : element("mrow", slope + place), Binding::product};
  }
  bool takes_exponent(Op op) const override { return latex_writer().takes_exponent(op); }
  std::string group(const std::string& text) const override {
    return element("mrow", "<mo>(</mo>" + text + "<mo>)</mo>");
  }
  std::string where(const std::string& expression, const std::vector<std::string>& names,
                    const std::vector<std::string>& definitions) const override {
    std::string text = expression + "<mtext> where </mtext>";
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += (i > 0 ? "<mo>,</mo>" : "") + names[i] + "<mo>=</mo>" + definitions[i];
    }
    return element("mrow", text);
  }
};

}  // namespace

const NotationWriter& mathml_writer() {
  static const MathmlWriter writer;
  return writer;
}

}  // namespace visviva
