// The examples, mutilated at random, through the whole chain of `visviva check`: nothing is thrown,
// and each mutant is either sound or has an error.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "visviva/app/cli/check_file.h"
#include "visviva/base/catalogue.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

constexpr unsigned seed = 20240611;
constexpr int mutants = 3000;

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class Mutator {
 public:
  explicit Mutator(unsigned s) : random_(s) {}

  std::string mutate(std::vector<std::string> lines) {
    const int changes = 1 + pick(3);
    for (int i = 0; i < changes && !lines.empty(); ++i) {
      std::string& line = choose(lines);
      switch (pick(6)) {
        case 0:
          lines.erase(lines.begin() + pick(lines.size()));
          break;
        case 1:
          lines.insert(lines.begin() + pick(lines.size()), std::string(line));
          break;
        case 2:
          std::swap(line, choose(lines));
          break;
        default:
          line = mutate_tokens(line, choose(lines), pick(3));
      }
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

 private:
  int pick(std::size_t n) { return static_cast<int>(random_() % std::max<std::size_t>(n, 1)); }
  std::string& choose(std::vector<std::string>& list) {
    return list[static_cast<std::size_t>(pick(list.size()))];
  }

  // Runs of letters and digits, of blanks, and single signs.
  static std::vector<std::string> split(const std::string& line) {
    const auto kind = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ? 1 : c == ' ' ? 2 : 0;
    };
    std::vector<std::string> tokens;
    for (const char c : line) {
      if (tokens.empty() || kind(c) == 0 || kind(c) != kind(tokens.back().back()))
        tokens.emplace_back();
      tokens.back() += c;
    }
    return tokens;
  }

  // Deletes, doubles or swaps a token, or takes one from another line.
  std::string mutate_tokens(const std::string& line, const std::string& other, int how) {
    std::vector<std::string> tokens = split(line), others = split(other);
    if (tokens.empty() || others.empty()) return line;
    if (how == 0)
      tokens.erase(tokens.begin() + pick(tokens.size()));
    else if (how == 1)
      choose(tokens) = choose(others);
    else
      std::swap(choose(tokens), choose(tokens));
    std::string text;
    for (const std::string& t : tokens) text += t;
    return text;
  }

  std::mt19937 random_;
};

TEST(check_fuzz, a_mutilated_example_is_sound_or_has_an_error_and_throws_nothing) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(VISVIVA_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() == ".viva") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 6u);
  Mutator mutator(seed);
  int sound = 0;
  for (int i = 0; i < mutants; ++i) {
    const fs::path& file = files[static_cast<std::size_t>(i) % files.size()];
    const std::string text = mutator.mutate(read_lines(file));
    SCOPED_TRACE("seed " + std::to_string(seed) + ", mutant " + std::to_string(i) + "\n" + text);
    try {
      const CheckedModel checked = check_text({file.string(), text});
      if (checked.motion && !checked.has_error())
        ++sound;
      else
        EXPECT_TRUE(checked.has_error());
      for (const Diagnostic& d : checked.diagnostics)
        EXPECT_NE(find_in_catalogue(d.code), nullptr) << d.code;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "threw " << error.what();
    }
  }
  // Both happen often, so that the mutants reach every stage.
  EXPECT_GT(sound, mutants / 10);
  EXPECT_LT(sound, mutants * 9 / 10);
}

}  // namespace
}  // namespace visviva
