#include "visviva/report/page/c_text.h"

#include "visviva/base/error.h"
#include "visviva/base/words.h"
#include "visviva/codegen/export/export_names.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

class CWriter final : public NotationWriter {
 public:
  explicit CWriter(const CNames& names) : names_(names) {}

  // Never an integer: 1/3 is zero in C.
  std::string number(const DecimalText& decimal) const override {
    const bool has_point = decimal.digits.find('.') != std::string::npos;
    if (decimal.exponent != 0) return decimal.digits + "e" + std::to_string(decimal.exponent);
    return decimal.digits + (has_point ? "" : ".0");
  }
  std::string name(std::string_view name) const override { return names_(std::string(name)); }
  std::string pi() const override { return "3.14159265358979323846"; }  // M_PI is not C99
  std::string sum(const std::vector<SignedText>& terms) const override {
    return language_writer().sum(terms);
  }
  std::string product(const std::vector<std::string>& factors) const override {
    return language_writer().product(factors);
  }
  std::string fraction(const std::string& above, const std::string& below) const override {
    return language_writer().fraction(above, below);
  }
  bool stacks_fractions() const override { return false; }
  std::string power(const std::string& base, const std::string& exponent) const override {
    return "pow(" + base + ", " + exponent + ")";
  }
  Piece call(const CallText& call) const override {
    const std::string& a = call.operands.front();
    switch (call.op) {
      case Op::sign:
        return {"((" + a + " > 0.0) - (" + a + " < 0.0))"};
      case Op::step:
        return {"(" + a + " >= 0.0 ? 1.0 : 0.0)"};
      case Op::abs:
        return {"fabs(" + a + ")"};
      case Op::min:
      case Op::max:
        return {(call.op == Op::min ? "fmin(" : "fmax(") + a + ", " + call.operands[1] + ")"};
      default:
        return language_writer().call(call);
    }
  }
  // A C function that whoever takes the text supplies; derivatives are called d_X_theta.
  Piece function(const FunctionText& f) const override {
    std::string called = f.by.empty() ? f.name : "d_" + f.name;
    for (const std::string& by : f.by) called += "_" + by;
    return {called + "(" + join_words(f.arguments) + ")", Binding::atom};
  }
  bool takes_exponent(Op) const override { return false; }
  std::string group(const std::string& text) const override { return "(" + text + ")"; }
  std::string where(const std::string& expression, const std::vector<std::string>&,
                    const std::vector<std::string>&) const override {
    return expression;
  }

 private:
  const CNames& names_;
};

// Long sums on several lines.
std::string broken(const std::string& head, const std::vector<PrintedTerm>& terms) {
  constexpr std::size_t width = 100;
  std::string text = head;
  std::size_t used = head.size();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string sign = i == 0              ? (terms[i].negative ? "-" : "")
                             : terms[i].negative ? "- "
                                                 : "+ ";
    const std::string piece = sign + terms[i].text;
    if (i > 0 && used + 1 + piece.size() > width) {
      text += "\n    ";
      used = 4;
    } else if (i > 0) {
      text += " ";
      ++used;
    }
    text += piece;
    used += piece.size();
  }
  return text + ";\n";
}

std::string given_comment(const std::vector<Expr>& values, const CNames& names) {
  std::string text = "/* C99, <math.h>. Given:";
  std::size_t used = text.size();
  for (const Expr& s : free_symbols(values)) {
    const std::string name = s.home().symbol_name(s.ref());
    const std::string& identifier = names(name);
    const std::string piece =
        identifier == name ? name : identifier + " (" + comment_name(name) + ")";
    if (used + piece.size() > 96) {
      text += "\n  ";
      used = 2;
    }
    text += " " + piece + ",";
    used += piece.size() + 2;
  }
  if (text.back() == ',')
    text.back() = '.';
  else
    text += " nothing.";
  return text + " */\n";
}

}  // namespace

CNames::CNames(const PrintedForms& written, const std::vector<std::string>& symbols,
               const std::vector<std::string>& targets) {
  Identifiers identifiers;
  for (const char* called : {"fmin", "fmax"}) identifiers.add(called);
  for (const std::string& t : targets) targets_.emplace(t, identifiers.add(t));
  const auto add = [&](const std::string& name) {
    if (!identifiers_.contains(name)) identifiers_.emplace(name, identifiers.add(name));
  };
  for (const std::string& name : symbols) add(name);
  for (std::size_t k = 0; k < written.intermediate_count(); ++k) add(written.intermediate_name(k));
}

std::vector<std::string> symbol_names(const std::vector<Expr>& exprs) {
  std::vector<std::string> names;
  for (const Expr& s : free_symbols(exprs)) names.push_back(s.home().symbol_name(s.ref()));
  return names;
}

const std::string& CNames::operator()(const std::string& symbol) const {
  const auto found = identifiers_.find(symbol);
  if (found == identifiers_.end()) throw UsageError("CNames", "no identifier for '" + symbol + "'");
  return found->second;
}

const std::string& CNames::target(const std::string& name) const {
  const auto found = targets_.find(name);
  if (found == targets_.end()) throw UsageError("CNames", "no target '" + name + "'");
  return found->second;
}

std::string write_c_assignments(const PrintedForms& written, const CNames& names,
                                const std::vector<CAssignment>& assignments) {
  const CWriter writer(names);
  std::vector<Expr> values;
  for (const CAssignment& a : assignments)
    values.insert(values.end(), a.values.begin(), a.values.end());
  std::string text = given_comment(values, names);
  for (const std::size_t k : written.intermediates_of(values))
    text += broken("const double " + names(written.intermediate_name(k)) + " = ",
                   written.intermediate_terms(k, writer));
  for (const CAssignment& a : assignments) {
    std::vector<PrintedTerm> terms;
    for (const Expr& value : a.values)
      for (PrintedTerm& t : written.terms(value, writer)) terms.push_back(std::move(t));
    if (terms.empty()) terms.push_back({false, writer.number({"0"}), {}});
    text += broken((a.declares ? "const double " : "") + a.target + " = ", terms);
  }
  return text;
}

}  // namespace visviva
