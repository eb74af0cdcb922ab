// Whatever the text, the parser answers with a tree and diagnostics, never with a crash or an
// exception.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "visviva/base/render.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

constexpr unsigned seed = 20240607;

std::vector<std::string> read_models() {
  std::vector<std::string> texts;
  const std::filesystem::path source = VISVIVA_SOURCE_DIR;
  for (const auto& folder : {source / "examples", source / "src/visviva/text/cases"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".viva") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream text;
      text << file.rdbuf();
      texts.push_back(text.str());
    }
  }
  std::sort(texts.begin(), texts.end());  // the folder's order is not the same everywhere
  return texts;
}

// Reads and renders; what is reported must lie inside the text.
void read_anything(const std::string& text) {
  const SyntaxTree tree = parse_syntax({"fuzz", text});
  const auto lines =
      std::count(text.begin(), text.end(), '\n') + std::count(text.begin(), text.end(), '\r') + 1;
  for (const Diagnostic& d : tree.diagnostics) {
    ASSERT_GE(d.span.line, 1) << d.code;
    ASSERT_LE(d.span.line, lines) << d.code;
    ASSERT_GE(d.span.column, 1) << d.code;
  }
  if (tree.diagnostics.size() < 5) render_diagnostics(tree.diagnostics, {"", text});
}

TEST(parser_fuzz, survives_every_model_cut_anywhere) {
  std::mt19937 random(seed);
  for (const std::string& text : read_models()) {
    const std::size_t step = 1 + text.size() / 60;
    for (std::size_t end = 0; end < text.size(); end += 1 + random() % step)
      read_anything(text.substr(0, end));
  }
}

TEST(parser_fuzz, survives_models_with_changed_characters) {
  std::mt19937 random(seed);
  const std::string signs = "()[],=+-*/^.:'\"# \n\r\tame019_\x80\xff";
  for (const std::string& original : read_models()) {
    for (int round = 0; round < 30 && !original.empty(); ++round) {
      std::string text = original;
      for (int change = 0; change < 5; ++change) {
        const std::size_t place = random() % text.size();
        const char sign = signs[random() % signs.size()];
        if (random() % 3 == 0)
          text.insert(place, 1, sign);
        else if (random() % 2 == 0)
          text[place] = sign;
        else
          text.erase(place, random() % 8);
        if (text.empty()) break;
      }
      read_anything(text);
    }
  }
}

TEST(parser_fuzz, survives_random_bytes_and_random_words) {
  std::mt19937 random(seed);
  const std::vector<std::string> words = {
      "model",  "body", "case", "=",       "(",    ")",        ",",      "2",    " m/s",   "kg",
      "\n",     " ",    "'",    "A.x",     "at",   "shape",    "sphere", "\"",   ":",      "^",
      "-",      "1e",   "[",    "]",       "on",   "velocity", "table",  "unit", "column", "lock",
      "spring", "from", "to",   "inertia", "when", "#",        "\u03b8", "0"};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes, phrase;
    for (int i = 0; i < 40; ++i) {
      bytes += static_cast<char>(random() % 256);
      phrase += words[random() % words.size()];
      if (random() % 2 == 0) phrase += " ";
    }
    read_anything(bytes);
    read_anything(phrase);
  }
}

TEST(parser_fuzz, survives_monotonous_texts_without_delay) {
  for (const char* piece : {"(", "[", "a,\n", "a(", "-", "2^", "\"", "a.", "1 m*", "'", ",",
                            "a =", "\n", "parameter a,\n", "case a:", "a\xcc\x81"}) {
    std::string text = "let a = ";
    while (text.size() < 300000) text += piece;
    read_anything(text);
  }
}

}  // namespace
}  // namespace visviva
