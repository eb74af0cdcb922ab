#include "visviva/text/build/read_variations.h"

#include "visviva/text/build/model_changes.h"
#include "visviva/text/syntax/check_syntax.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// Parts between commas that stand in no bracket.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

class VariationReader {
 public:
  VariationReader(ModelDraft& draft, ExpressionReader& expressions, NameTable& names)
      : draft_(draft), expressions_(expressions), names_(names) {
    for (const auto& f : names.functions()) functions_.insert(f.first);
  }

  void read(const std::string& part) {
    const std::size_t colon = part.find(':');
    const std::string name = without_blanks_around(part.substr(0, colon));
    if (colon == std::string::npos || name.empty()) return complain(part, "");
    ExpressionReading reading =
        parse_expression({"--variation", part.substr(colon + 1)}, functions_);
    if (reading.expression) {
      reading.diagnostics = check_function_places(*reading.expression);
      if (!reading.diagnostics.empty()) reading.expression.reset();
    }
    if (!reading.expression)
      return complain(part, reading.diagnostics.empty() ? "" : reading.diagnostics[0].message);
    const SourceSpan place = {"--variation " + name, 0, 0, 0};
    place_at(*reading.expression, place);
    draft_.attempt(place, "", [&] { vary({name, 0, place}, *reading.expression); });
  }

 private:
  void vary(const SyntaxName& name, const Expression& value) {
    const auto path = names_.scalars().find(name.text);
    if (!path)
      draft_.fail_unknown(name, "coordinate or specified function", names_.scalars().names());
    const Quantity eta = expressions_.read_scalar(value);
    draft_.stand_at(name.span);
    try {
      draft_.model().vary(*path, eta);
    } catch (const UsageError& refusal) {
      draft_.add({Severity::error, refusal.code(), refusal.problem(), "", name.span});
      throw GivenUp();
    }
  }

  void complain(const std::string& part, const std::string& why) {
    draft_.add({Severity::error,
                "E-variation-form",
                "--variation \"" + without_blanks_around(part) + "\" cannot be read" +
                    (why.empty() ? "" : ": " + why),
                "write NAME: EXPRESSION, such as --variation \"y: 1 m/s^2*t*(1 s - t)\"",
                {}});
  }

  ModelDraft& draft_;
  ExpressionReader& expressions_;
  NameTable& names_;
  std::set<std::string> functions_;
};

}  // namespace

void read_variations(ModelDraft& draft, ExpressionReader& expressions, NameTable& names,
                     const std::vector<std::string>& texts) {
  VariationReader reader(draft, expressions, names);
  for (const std::string& text : texts)
    for (const std::string& part : split_list(text)) reader.read(part);
}

}  // namespace visviva
