// Runs the data files in cases/: NAME.viva is a text, NAME.expected lists what is said about it,
// one line each: code, line:column, message. VISVIVA_REGENERATE=1 writes the expectations anew, to
// be read in the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "visviva/base/catalogue.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

const fs::path source_dir = VISVIVA_SOURCE_DIR;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> list_files(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string summarize(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    text += d.code + " " + std::to_string(d.span.line) + ":" + std::to_string(d.span.column) + " " +
            d.message + "\n";
  }
  return text;
}

TEST(syntax_cases, say_what_their_expectations_say) {
  const auto files = list_files(source_dir / "src/visviva/text/cases", ".viva");
  ASSERT_GT(files.size(), 45u);
  for (const fs::path& file : files) {
    const SyntaxTree tree = parse_syntax({file.filename().string(), read_file(file)});
    const std::string found = summarize(tree.diagnostics);
    fs::path expected = file;
    expected.replace_extension(".expected");
    if (std::getenv("VISVIVA_REGENERATE") != nullptr) std::ofstream(expected) << found;
    EXPECT_EQ(found, read_file(expected)) << file.filename();
  }
}

TEST(syntax_cases, carry_codes_of_the_catalogue_with_the_right_severity) {
  for (const fs::path& file : list_files(source_dir / "src/visviva/text/cases", ".viva")) {
    for (const Diagnostic& d :
         parse_syntax({file.filename().string(), read_file(file)}).diagnostics) {
      EXPECT_NE(find_in_catalogue(d.code), nullptr) << d.code;
      EXPECT_EQ(d.severity == Severity::error, d.code[0] == 'E') << d.code;
      EXPECT_GE(d.span.line, 1) << d.code;
      EXPECT_GE(d.span.column, 1) << d.code;
      EXPECT_GE(d.span.length, 1) << d.code;
    }
  }
}

TEST(syntax_cases, every_example_model_is_read_without_a_word) {
  const auto files = list_files(source_dir / "examples", ".viva");
  ASSERT_GE(files.size(), 6u);
  for (const fs::path& file : files) {
    const SyntaxTree tree = parse_syntax({file.filename().string(), read_file(file)});
    EXPECT_EQ(summarize(tree.diagnostics), "") << file.filename();
    EXPECT_GE(tree.statements.size(), 9u) << file.filename();
  }
}

}  // namespace
}  // namespace visviva
