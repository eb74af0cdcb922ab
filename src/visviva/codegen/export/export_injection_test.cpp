// Whatever names and texts a model holds, exported files compile, run and give the same numbers: every
// hostile text has a word in it that none of the languages can read as code.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/export_names.h"

namespace visviva {
namespace {

constexpr int file_count = 24;
constexpr unsigned seed = 20;

// Parts of texts that end comments and strings, continue or begin lines, or are words of a language.
constexpr std::string_view pieces_text =
    "*/|/*|//|\"|\"\"\"|'|''|'''|\\|\\\n|\n|\r|\r\n|\t|\f\v|\x01|\x7f|%{\n|\n%}\n|#{\n|"
    "\n#}\n|...\n|\?\?/\n|\?\?/|*\?\?/|#|%|@|$|`|{}|{0}|%s%n|\\u002a/|\\N{BULLET}|);|]);|"
    "NAME_|NAME_x|\xCE\xB8|\xC3\x9F|\xF0\x9F\x99\x82|\xff|\xC2\x85|\xC0\xAF|\xE2\x80\xA8|"
    "\xE2\x80\xAE|\xEF\xBB\xBF|\xED\xA0\x80|coding: utf-7|#error x|\nimport os\n|\nend\n|"
    "end|int|def|lambda|function|endif|struct|NaN|np|t|out|sin|x|x_|_|__| |1|M_PI|v1|"
    "local_x|model|errno|assert|printf|quit";

// Its pieces, which bars separate.
std::vector<std::string> split_pieces() {
  std::vector<std::string> list(1);
  for (const char c : pieces_text) {
    if (c == '|')
      list.emplace_back();
    else
      list.back() += c;
  }
  return list;
}

class Texts {
 public:
  explicit Texts(unsigned number) : random_(number) {}

  // A third of them is one piece alone: a keyword, say.
  std::string make() {
    std::string text = pick();
    if (random_() % 3 == 0) return text;
    for (auto n = random_() % 6; n > 0; --n) text += random_() % 4 == 0 ? any_byte() : pick();
    return text + "\n@injected@" + pick() + "@injected@\n";
  }

 private:
  std::string pick() { return pieces_[random_() % pieces_.size()]; }
  std::string any_byte() { return std::string(1, static_cast<char>(random_() % 256)); }
  std::mt19937 random_;
  std::vector<std::string> pieces_ = split_pieces();
};

// q' = u, (a + b) u' = F + T(t) - a q, energy a u + T; every name and text is hostile.
ExportedSystem make_system(int number) {
  Texts texts(seed + static_cast<unsigned>(number));
  Identifiers names;
  ExportedSystem s;
  s.name = texts.make();
  s.identifier = "model_" + std::to_string(number) + "_" + make_file_identifier(s.name);
  s.identifier.resize(std::min<std::size_t>(s.identifier.size(), 48));
  s.documentation = texts.make();
  s.case_name = texts.make();
  s.method = "kane";
  const auto add = [&](std::vector<ExportedVariable>* list, double value) {
    const std::string name = texts.make();
    list->push_back({name, names.add(name), texts.make(), texts.make(), value});
  };
  add(&s.states, 0.5);
  add(&s.states, -0.25);
  add(&s.inputs, 3.0);
  add(&s.parameters, 1.5);
  add(&s.parameters, 2.5);
  s.derived.push_back({texts.make(), texts.make(), texts.make()});
  s.tables.push_back(
      {texts.make(), std::make_shared<const Spline>(std::vector<double>{0, 1, 2, 3},
                                                    std::vector<double>{0, 1, 2, 3})});
  s.samples.push_back({names.add(texts.make()), 0, 0});
  s.configuration_count = s.speed_count = 1;
  for (auto* list : {&s.row_names, &s.position_names, &s.unknown_names, &s.missing})
    list->push_back(texts.make());
  s.energies_missing = {EnergiesMissing::Kind::model_is_wrong, {.message = texts.make()}};
  s.energies_condition = texts.make();

  ExprPool pool;
  const Expr t = pool.symbol("t"), q = pool.symbol("q"), u = pool.symbol("u"), F = pool.symbol("F"),
             T = pool.symbol("T"), a = pool.symbol("a"), b = pool.symbol("b");
  s.equations.targets = {{"q_rates", 0}, {"M", 0, 0}, {"f", 0}};
  s.equations.program =
      make_program({t, q, u, F, T}, {a, b}, {u, a + b, F + T - a * q}, {.fuse = false});
  return s;
}

constexpr double expected_rates[] = {-0.25, (3.0 + 0.5 - 1.5 * 0.5) / 4.0};  // at t = 0.5

class Files {
 public:
  Files() {
    std::string name = (std::filesystem::temp_directory_path() / "visviva_texts_XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
    for (int i = 0; i < file_count; ++i) {
      const ExportedSystem s = make_system(i);
      identifiers_.push_back(s.identifier);
      for (const auto language :
           {ExportLanguage::c, ExportLanguage::python, ExportLanguage::matlab})
        std::ofstream(folder_ / (s.identifier + "." + export_suffix(language)), std::ios::binary)
            << write_export(s, language);
    }
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  const std::vector<std::string>& identifiers() const { return identifiers_; }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  int run(const std::string& command) const {
    return std::system(("cd '" + folder_.string() + "' && " + command).c_str());
  }

  // Two numbers for each file.
  void check_answers(const std::string& command) const {
    ASSERT_EQ(run(command + " > answers"), 0);
    std::ifstream answers(folder_ / "answers");
    for (const std::string& name : identifiers_) {
      for (const double expected : expected_rates) {
        double found = std::nan("");
        answers >> found;
        EXPECT_NEAR(found, expected, 1e-12) << name;  // rounding
      }
    }
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> identifiers_;
};

bool has(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

class ExportInjection : public testing::Test {
 protected:
  ExportInjection() { RecordProperty("seed", static_cast<int>(seed)); }
  Files files_;
};

TEST_F(ExportInjection, hostile_texts_stay_texts_in_c) {
  std::string caller = "#include <stdio.h>\n", body;
  for (const std::string& name : files_.identifiers()) {
    caller += "#include \"" + name + ".c\"\n";
    body += "  " + name + "_rates(0.5, " + name + "_start_state, " + name + "_default_inputs, " +
            name + "_default_parameters, x);\n  printf(\"%.17g %.17g\\n\", x[0], x[1]);\n";
  }
  files_.write("all.c", caller + "int main(void) {\n  double x[2];\n" + body + "  return 0;\n}\n");
  for (const std::string compiler : {"gcc", "clang"}) {
    if (!has(compiler + " --version")) {
      std::cout << "skipped: " << compiler << ", which is not here (Debian: " << compiler << ")\n";
      continue;
    }
    ASSERT_EQ(files_.run(compiler + " -std=c99 -pedantic -Wall -Wextra -Werror all.c -o all -lm"),
              0);
    files_.check_answers("./all");
  }
}

TEST_F(ExportInjection, hostile_texts_stay_texts_in_python) {
  if (!has(VISVIVA_PYTHON " -c 'import numpy'"))
    GTEST_SKIP() << "there is no NumPy here (Debian: python3-numpy)";
  std::string driver;
  for (const std::string& name : files_.identifiers())
    driver += "import " + name + " as m\nprint(*m.rates(0.5, m.START_STATE))\n";
  files_.write("driver.py", driver);
  files_.check_answers(VISVIVA_PYTHON " -B -W error driver.py");
}

TEST_F(ExportInjection, hostile_texts_stay_texts_in_matlab) {
  if (!has("octave-cli --version")) GTEST_SKIP() << "there is no Octave here (Debian: octave)";
  std::string driver;
  for (const std::string& name : files_.identifiers())
    driver += "m = " + name +
              "();\nprintf('%.17g ', m.rates(0.5, m.start_state, m.default_inputs, "
              "m.default_parameters));\n";
  files_.write("driver.m", driver);
  files_.check_answers("octave-cli --no-init-file --quiet driver.m");
}

}  // namespace
}  // namespace visviva
