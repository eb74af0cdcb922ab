// The model language's own syntax: what is written here can be read back.
#include "visviva/base/words.h"
#include "visviva/symbolic/form/notation.h"

namespace visviva {
namespace {

class LanguageWriter final : public NotationWriter {
 public:
  std::string number(const DecimalText& decimal) const override {
    return decimal.exponent == 0 ? decimal.digits
                                 : decimal.digits + "e" + std::to_string(decimal.exponent);
  }
  std::string name(std::string_view name) const override { return std::string(name); }
  std::string pi() const override { return "pi"; }
  std::string sum(const std::vector<SignedText>& terms) const override {
    std::string text = terms.front().negative ? "-" : "";
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) text += terms[i].negative ? " - " : " + ";
      text += terms[i].text;
    }
    return text;
  }
  std::string product(const std::vector<std::string>& factors) const override {
    return join_words(factors, "*");
  }
  std::string fraction(const std::string& above, const std::string& below) const override {
    return above + "/" + below;
  }
  bool stacks_fractions() const override { return false; }
  std::string power(const std::string& base, const std::string& exponent) const override {
    return base + "^" + exponent;
  }
  Piece call(const CallText& call) const override {
    return {std::string(function_name(call.op)) + "(" + join_words(call.operands, ", ") + ")",
            Binding::atom};
  }
  Piece function(const FunctionText& f) const override {
    std::string head = f.name;
    if (!f.by.empty()) head = "d(" + head + ", " + join_words(f.by) + ")";
    if (!f.over.empty()) head = "integral(" + head + ", " + join_words(f.over) + ")";
    const bool is_short = f.is_at_parameters && head != f.name;
    return {is_short ? head : head + group(join_words(f.arguments)), Binding::atom};
  }
  bool takes_exponent(Op) const override { return false; }
  std::string group(const std::string& text) const override { return "(" + text + ")"; }
  std::string where(const std::string& expression, const std::vector<std::string>& names,
                    const std::vector<std::string>& definitions) const override {
    std::string text = expression + " where ";
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += (i > 0 ? ", " : "") + names[i] + " = " + definitions[i];
    }
    return text;
  }
};

}  // namespace

const NotationWriter& language_writer() {
  static const LanguageWriter writer;
  return writer;
}

const NotationWriter& notation_writer(Notation notation) {
  switch (notation) {
    case Notation::latex:
      return latex_writer();
    case Notation::mathml:
      return mathml_writer();
    default:
      return language_writer();
  }
}

}  // namespace visviva
