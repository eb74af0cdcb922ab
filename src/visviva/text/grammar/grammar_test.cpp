#include "visviva/text/grammar/grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "visviva/base/catalogue.h"
#include "visviva/base/result_table.h"
#include "visviva/text/grammar/grammar_write.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

const std::string source_dir = VISVIVA_SOURCE_DIR;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Compares a committed file with what is generated; writes it when asked to.
void check_generated(const std::string& path, const std::string& generated) {
  if (std::getenv("VISVIVA_REGENERATE") != nullptr)
    std::ofstream(source_dir + "/" + path, std::ios::binary) << generated;
  EXPECT_TRUE(read_file(source_dir + "/" + path) == generated)
      << path
      << " differs from the grammar in src/visviva/text. Write it again with: make language";
}

bool has_code(const std::string& text, std::string_view code) {
  const auto diagnostics = parse_syntax({"example", text}).diagnostics;
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [code](const Diagnostic& d) { return d.code == code; });
}

TEST(grammar, generated_files_are_up_to_date) {
  check_generated("editors/vscode/syntaxes/viva.tmLanguage.json", make_textmate_grammar());
  const std::string reference = read_file(source_dir + "/docs/language.md");
  check_generated("docs/language.md", fill_reference_tables(reference));
  for (const char* table :
       {"statements", "clauses", "solids", "functions", "scalars", "words", "units", "codes"}) {
    EXPECT_NE(reference.find(std::string("<!-- table ") + table + " -->"), std::string::npos)
        << table;
  }
}

TEST(grammar, every_example_of_a_statement_is_read_without_a_word) {
  for (const StatementRule& rule : statement_rules()) {
    const SyntaxTree tree = parse_syntax({"example", rule.example});
    EXPECT_TRUE(tree.diagnostics.empty()) << rule.example << ": " << tree.diagnostics[0].message;
    for (const SyntaxStatement& statement : tree.statements) {
      if (rule.kind == StatementKind::for_) continue;  // it is what it repeats
      EXPECT_EQ(statement.kind, rule.kind);
    }
    EXPECT_FALSE(rule.meaning.empty());
    EXPECT_EQ(rule.syntax.substr(0, rule.keyword.size()), rule.keyword);
  }
}

TEST(grammar, has_every_statement_and_no_word_twice) {
  EXPECT_EQ(statement_rules().size(), static_cast<std::size_t>(StatementKind::case_) + 1);
  for (const auto& words : {statement_keywords(), function_names(), reserved_words()}) {
    EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size());
  }
  for (const std::string& word : reserved_words()) EXPECT_EQ(find_statement(word), nullptr) << word;
}

// What no short text can show.
bool needs_a_file(std::string_view code) {
  return code.substr(0, 7) == "E-file-" || code.find("-robot-") != code.npos ||
         code.find("-picture-file") != code.npos || code == "E-include-twice" ||
         code == "E-include-file" || code == "E-name-long" || code == "E-nesting-deep";
}

TEST(grammar, functions_of_outputs_are_the_calls_of_the_table_of_results) {
  std::set<std::string> functions, calls;
  for (const FunctionRule& rule : function_rules())
    if (rule.place == FunctionPlace::output) functions.insert(rule.name);
  for (const ResultCall& call : result_calls()) calls.emplace(call.name);
  calls.emplace("jacobian");  // known without a solution: its columns are partial velocities
  EXPECT_EQ(functions, calls);
}

TEST(grammar, wrong_examples_of_the_catalogue_are_wrong_and_right_ones_right) {
  for (const CatalogueEntry& entry : catalogue(CatalogueStage::text)) {
    if (needs_a_file(entry.code)) continue;
    EXPECT_TRUE(has_code(std::string(entry.wrong), entry.code)) << entry.code;
    const SyntaxTree tree = parse_syntax({"example", std::string(entry.right)});
    EXPECT_TRUE(tree.diagnostics.empty()) << entry.code << ": " << tree.diagnostics[0].message;
  }
}

TEST(grammar, examples_about_meaning_are_at_least_read_without_a_word) {
  for (const CatalogueEntry& entry : catalogue(CatalogueStage::model)) {
    if (entry.code == "E-quaternion-unused") continue;  // only a program can do it
    for (const std::string_view example : {entry.wrong, entry.right}) {
      const SyntaxTree tree = parse_syntax({"example", std::string(example)});
      EXPECT_TRUE(tree.diagnostics.empty()) << entry.code << ": " << tree.diagnostics[0].message;
    }
  }
}

}  // namespace
}  // namespace visviva
