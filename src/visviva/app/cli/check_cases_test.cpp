// Runs the data files in cases/ through the whole chain of `visviva check`: NAME.viva is a model,
// NAME.expected lists what is said about it, one line each: code, line:column, message. A first
// line
// `#! --case NAME --set A=1 m --set B=2 --express P - Q in A` gives options. VISVIVA_REGENERATE=1 writes the
// expectations anew, to be read in the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "visviva/app/cli/check_file.h"
#include "visviva/base/catalogue.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

const fs::path source_dir = VISVIVA_SOURCE_DIR;
const fs::path case_dir = source_dir / "src/visviva/app/cli/cases";

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

// What stands after `#!` in the first line.
ReadOptions read_options(const std::string& text) {
  ReadOptions options;
  if (text.compare(0, 2, "#!") != 0) return options;
  std::string line = text.substr(2, text.find('\n') - 2);
  for (std::size_t at = line.find("--"); at != std::string::npos;) {
    const std::size_t next = line.find(" --", at);
    const std::string one = line.substr(at, next == std::string::npos ? next : next - at);
    const std::size_t blank = one.find(' ');
    const std::string word = one.substr(0, blank), rest = one.substr(blank + 1);
    if (word == "--case") options.case_name = rest;
    if (word == "--express") options.expressions.push_back(rest);
    if (word == "--set")
      options.settings.emplace_back(rest.substr(0, rest.find('=')),
                                    rest.substr(rest.find('=') + 1));
    at = next == std::string::npos ? next : next + 1;
  }
  return options;
}

std::string summarize(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    text += d.code + " " + std::to_string(d.span.line) + ":" + std::to_string(d.span.column) + " " +
            d.message + "\n";
  }
  return text;
}

CheckedModel check_case(const fs::path& file) {
  CheckedModel checked = check_file(file.string(), read_options(read_file(file)));
  judge_claims(&checked, false);
  return checked;
}

TEST(check_cases, say_what_their_expectations_say) {
  const auto files = list_files(case_dir, ".viva");
  ASSERT_GT(files.size(), 80u);
  for (const fs::path& file : files) {
    std::string found;
    try {
      found = summarize(check_case(file).diagnostics);
    } catch (const std::exception& error) {
      ADD_FAILURE() << file.filename() << " throws: " << error.what();
      continue;
    }
    fs::path expected = file;
    expected.replace_extension(".expected");
    if (std::getenv("VISVIVA_REGENERATE") != nullptr) std::ofstream(expected) << found;
    EXPECT_EQ(found, read_file(expected)) << file.filename();
  }
}

TEST(check_cases, carry_codes_of_the_catalogue_with_the_right_severity) {
  for (const fs::path& file : list_files(case_dir, ".viva")) {
    for (const Diagnostic& d : check_case(file).diagnostics) {
      EXPECT_NE(find_in_catalogue(d.code), nullptr) << file.filename() << ": " << d.code;
      EXPECT_EQ(d.severity == Severity::error, d.code[0] == 'E')
          << file.filename() << ": " << d.code;
      EXPECT_FALSE(d.message.empty()) << file.filename() << ": " << d.code;
    }
  }
}

// Codes in quotes in the sources of the library and the program, tests and catalogue left out.
std::set<std::string> find_emitted_codes() {
  const std::regex code("\"([EW]-[a-z0-9-]+)\"");
  std::set<std::string> codes;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir / "src/visviva")) {
    const std::string name = entry.path().filename().string();
    const std::string extension = entry.path().extension().string();
    if ((extension != ".cpp" && extension != ".h") || name.compare(0, 10, "catalogue_") == 0 ||
        name.find("_test.") != std::string::npos)
      continue;
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), code), end; it != end; ++it)
      codes.insert((*it)[1]);
  }
  return codes;
}

TEST(catalogue, lists_exactly_the_codes_that_the_sources_emit) {
  std::set<std::string> listed;
  for (const CatalogueEntry& entry : full_catalogue()) listed.insert(std::string(entry.code));
  EXPECT_EQ(find_emitted_codes(), listed);
}

// What the two folders of cases cannot provoke, and why.
const std::set<std::string> without_case = {
    "E-file-large",       // a file of that size
    "E-file-missing",     // no file at all: main_test.py
    "E-file-unreadable",  // a folder
    "E-along-nothing",    // need a file to follow: along_test.py
    "E-along-time",
    "E-field-constraint",   // needs equations: field_test.py
    "E-state-not-finite",   // needs equations
    "E-unknown-nonlinear",  // needs equations
    "E-unknown-remains",    // needs equations
    "E-value-missing",      // needs a simulation
    "E-function-undefined", "E-variation-form",       "E-variation-name",
    "E-variation-ends",     "E-variation-constraint", "E-variation-force",
    "E-variation-jump",     "E-variation-run",  // need numbers: variation_test.py
    "E-quaternion-unused",  // only in C++: the language declares a quaternion by its frame
};

TEST(catalogue, every_code_has_a_case) {
  std::set<std::string> seen = without_case;
  for (const fs::path& folder : {case_dir, source_dir / "src/visviva/text/cases"}) {
    for (const fs::path& file : list_files(folder, ".expected")) {
      std::istringstream lines(read_file(file));
      for (std::string line; std::getline(lines, line);)
        seen.insert(line.substr(0, line.find(' ')));
    }
  }
  for (const CatalogueEntry& entry : full_catalogue())
    EXPECT_EQ(seen.count(std::string(entry.code)), 1u) << entry.code;
}

TEST(check_cases, the_examples_have_no_error) {
  for (const fs::path& file : list_files(source_dir / "examples", ".viva"))
    EXPECT_FALSE(check_file(file.string()).has_error()) << file.filename();
}

}  // namespace
}  // namespace visviva
