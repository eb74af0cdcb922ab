// The TextMate grammar, for editors: one regular expression for each kind of word.
#include <algorithm>
#include <set>
#include <vector>

#include "visviva/base/unit.h"
#include "visviva/text/grammar/grammar.h"
#include "visviva/text/grammar/grammar_write.h"

namespace visviva {
namespace {

// (a|b|c), longest first, so that a word is never taken for its beginning.
std::string alternatives(std::vector<std::string> words) {
  std::sort(words.begin(), words.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "(" : "|") + word;
  return text + ")";
}

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string make_pattern(const std::string& scope, const std::string& expression) {
  return "    { \"name\": " + quote(scope + ".viva") + ", \"match\": " + quote(expression) + " }";
}

std::vector<std::string> all_clause_words() {
  std::set<std::string> words = {"about", "space", "column", "unit"};
  for (const StatementRule& rule : statement_rules()) {
    for (const ClauseRule& clause : rule.clauses) words.insert(clause.word);
  }
  for (const SolidRule& solid : solid_rules()) words.insert(solid.sizes.begin(), solid.sizes.end());
  return {words.begin(), words.end()};
}

std::vector<std::string> all_unit_names() {
  std::vector<std::string> names;
  for (const UnitEntry& entry : unit_table()) {
    names.push_back(entry.name);
    for (const std::string& prefix : entry.prefixes) names.push_back(prefix + entry.name);
  }
  return names;
}

std::vector<std::string> reserved_names() {
  std::vector<std::string> names;
  for (const ReservedName& name : reserved_scalars()) names.push_back(name.name);
  for (const ReservedName& name : constant_names()) names.push_back(name.name);
  return names;
}

// A number, and after one blank its unit.
std::string make_number_pattern() {
  const std::string unit = alternatives(all_unit_names()) + R"((?![\w.(\['])(\^-?\d+)?)";
  return R"("match": )" +
         quote(R"((?<![\w.])(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?: ()" + unit + "(?:[*/]" + unit +
               ")*))?") +
         ",\n      \"captures\": { \"1\": { \"name\": \"constant.numeric.viva\" }, \"2\": { "
         "\"name\": "
         "\"keyword.other.unit.viva\" } }";
}

}  // namespace

std::string make_textmate_grammar() {
  const std::vector<std::string> patterns = {
      make_pattern("comment.line.number-sign", "#.*$"),
      make_pattern("string.quoted.double", R"("[^"]*"?)"),
      make_pattern("keyword.control", R"(^\s*)" + alternatives(statement_keywords()) + R"(\b)"),
      make_pattern("keyword.control", R"((?<=[:,])\s*lock\b)"),
      make_pattern("invalid.deprecated", R"(^\s*)" + alternatives(reserved_words()) + R"(\b)"),
      "    { " + make_number_pattern() + " }",
      make_pattern("support.function", R"(\b)" + alternatives(function_names()) + R"((?=\s*\())"),
      make_pattern("variable.language", R"(\b)" + alternatives(reserved_names()) + R"((?![\w.(]))"),
      make_pattern("keyword.other",
                   R"(\b)" + alternatives(all_clause_words()) + R"((?=\s+[\w("-]|\s*$))"),
      make_pattern("entity.other.attribute-name.axis", R"((?<=\w)\.[xyz]\b)"),
      make_pattern("keyword.operator", R"([-+*/^=])")};
  std::string text =
      "{\n  \"name\": \"Visviva model\",\n  \"scopeName\": \"source.viva\",\n  \"fileTypes\": "
      "[\"viva\"],\n";
  text += "  \"patterns\": [\n";
  for (std::size_t i = 0; i < patterns.size(); ++i)
    text += patterns[i] + (i + 1 < patterns.size() ? ",\n" : "\n");
  return text + "  ]\n}\n";
}

}  // namespace visviva
