// The tables of the reference, in Markdown.
#include <vector>

#include "visviva/base/catalogue.h"
#include "visviva/base/error.h"
#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/text/grammar/grammar.h"
#include "visviva/text/grammar/grammar_write.h"

namespace visviva {
namespace {

constexpr std::string_view table_mark = "<!-- table ";
constexpr std::string_view end_mark = "<!-- end -->";

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

// Each line of a text as code, with line breaks between.
std::string code(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += (out.empty() ? "`" : "<br>`") + escape(text.substr(0, end)) + "`";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string head(const std::vector<std::string>& titles) {
  std::string line = "|";
  for (std::size_t i = 0; i < titles.size(); ++i) line += "---|";
  return row(titles) + line + "\n";
}

std::string statements_table() {
  std::string text = head({"statement", "meaning", "example"});
  for (const StatementRule& rule : statement_rules()) {
    text += row({code(rule.syntax), escape(rule.meaning), code(rule.example)});
  }
  return text;
}

std::string clauses_table() {
  std::string text = head({"statement", "clause", "", "meaning"});
  for (const StatementRule& rule : statement_rules()) {
    for (const ClauseRule& clause : rule.clauses) {
      if (clause.shape == ClauseShape::solid) continue;
      text += row({code(rule.keyword), code(clause.word), clause.required ? "required" : "",
                   escape(clause.meaning)});
    }
  }
  return text;
}

std::string solids_table() {
  std::string text = head({"solid", "meaning"});
  for (const SolidRule& solid : solid_rules())
    text += row({code(solid.word), escape(solid.meaning)});
  return text;
}

std::string place_of(FunctionPlace place) {
  switch (place) {
    case FunctionPlace::frame_value:
      return "value of a frame";
    case FunctionPlace::output:
      return "output, plot, event, claim";
    default:
      return "anywhere";
  }
}

std::string functions_table() {
  std::string text = head({"function", "arguments", "result", "meaning", "where"});
  for (const FunctionRule& f : function_rules()) {
    text +=
        row({code(f.name), escape(f.arguments), f.result, escape(f.meaning), place_of(f.place)});
  }
  return text;
}

std::string scalars_table() {
  std::string text = head({"name", "meaning"});
  for (const auto* names : {&constant_names(), &reserved_scalars()}) {
    for (const ReservedName& name : *names) text += row({code(name.name), escape(name.meaning)});
  }
  return text;
}

std::string words_line() {
  std::string text;
  for (const std::string& word : reserved_words()) text += (text.empty() ? "`" : " `") + word + "`";
  return text + "\n";
}

std::string units_table() {
  std::string text = head({"unit", "prefixes", "dimension", "meaning"});
  for (const UnitEntry& entry : unit_table()) {
    const std::string prefixes = join_words(entry.prefixes, " ");
    text += row({code(entry.name), prefixes, code(entry.unit.dimension.str()), entry.meaning});
  }
  return text;
}

std::string codes_table() {
  std::string text = head({"code", "what it says"});
  for (const CatalogueEntry& entry : full_catalogue())
    text += row({code(entry.code), escape(entry.title)});
  return text;
}

}  // namespace

std::string make_reference_table(std::string_view name) {
  if (name == "statements") return statements_table();
  if (name == "clauses") return clauses_table();
  if (name == "solids") return solids_table();
  if (name == "functions") return functions_table();
  if (name == "scalars") return scalars_table();
  if (name == "words") return words_line();
  if (name == "units") return units_table();
  if (name == "codes") return codes_table();
  throw UsageError("make_reference_table", "there is no table '" + std::string(name) + "'");
}

std::string fill_reference_tables(std::string_view document) {
  std::string out;
  while (true) {
    const std::size_t begin = document.find(table_mark);
    const std::size_t name = begin + table_mark.size();
    const std::size_t name_end =
        begin == std::string_view::npos ? begin : document.find(" -->\n", name);
    const std::size_t end =
        name_end == std::string_view::npos ? name_end : document.find(end_mark, name_end);
    if (end == std::string_view::npos) return out + std::string(document);
    out += document.substr(0, name_end + 5);
    out += make_reference_table(document.substr(name, name_end - name));
    document.remove_prefix(end);
  }
}

}  // namespace visviva
