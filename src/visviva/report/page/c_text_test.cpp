// Copied C: a compiler takes it without a warning, and it computes what the interpreter does.
#include "visviva/report/page/c_text.h"
#include "visviva/equations/methods/derive.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "visviva/codegen/export/exported_paths_test.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/report/derivation/derivation.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr double tolerance = 1e-9;  // of the sums' size: simplified forms round differently

bool has_compiler() { return std::system("cc --version > /dev/null 2>&1") == 0; }

// Expressions as the function `name` of C: x in, y out.
std::string write_function(const std::string& name, const std::vector<Expr>& exprs,
                           std::size_t inline_length) {
  const PrintedForms written = print_forms(exprs, {.inline_length = inline_length});
  const CNames names(written, symbol_names(exprs), {"x", "y"});
  std::vector<CAssignment> assignments;
  for (std::size_t i = 0; i < exprs.size(); ++i)
    assignments.push_back({fmt::format("{}[{}]", names.target("y"), i), {exprs[i]}});
  std::string text = fmt::format("void {}(const double *x, double *y)\n{{\n    (void)x;\n", name);
  const std::vector<std::string> symbols = symbol_names(exprs);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    text += fmt::format("const double {} = x[{}];\n", names(symbols[i]), i);
  return text + write_c_assignments(written, names, assignments) + "}\n";
}

class CompiledC {
 public:
  explicit CompiledC(const std::string& source) {
    std::ofstream(folder_ / "f.c") << "#include <math.h>\n" << source;
    const std::string command =
        "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -O0 -shared -fPIC -o " + (folder_ / "f.so") +
        " " + (folder_ / "f.c") + " -lm 2> " + (folder_ / "errors");
    if (std::system(command.c_str()) == 0) library_ = dlopen((folder_ / "f.so").c_str(), RTLD_NOW);
    std::ifstream file(folder_ / "errors");
    errors.assign(std::istreambuf_iterator<char>(file), {});
  }
  ~CompiledC() {
    if (library_ != nullptr) dlclose(library_);
  }
  CompiledC(const CompiledC&) = delete;
  CompiledC& operator=(const CompiledC&) = delete;

  bool is_good() const { return library_ != nullptr; }
  std::vector<double> call(const std::string& name, const std::vector<double>& x,
                           std::size_t count) const {
    std::vector<double> y(count);
    using Function = void (*)(const double*, double*);
    reinterpret_cast<Function>(dlsym(library_, name.c_str()))(x.data(), y.data());
    return y;
  }
  std::string errors;

 private:
  paths::ScratchFolder folder_;
  void* library_ = nullptr;
};

// Euler parameters of length 1: printing relies on it.
void normalize(const ModelData& model, const std::vector<Expr>& symbols, std::vector<double>* x) {
  std::vector<std::vector<Expr>> groups;
  for (const auto& q : model.quaternions) {
    groups.emplace_back();
    for (const int i : q) groups.back().push_back(model.coordinates[static_cast<std::size_t>(i)].q);
  }
  for (const FrameData& f : model.frames)
    if (f.hidden.size() == 4) groups.push_back(f.hidden);
  for (const auto& group : groups) {
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      for (std::size_t i = 0; i < group.size(); ++i)
        if (symbols[k].ref() == group[i].ref()) (*x)[k] = i == 0 ? 0.1 : i == 3 ? 0.7 : 0.5;
    }
  }
}

void expect_same(const CompiledC& c, const std::string& name, const std::vector<Expr>& exprs,
                 const ModelData* model = nullptr) {
  const std::vector<Expr> symbols = free_symbols(exprs);
  std::vector<double> x;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    x.push_back(0.3 + 0.17 * static_cast<double>(i % 7));
  if (model != nullptr) normalize(*model, symbols, &x);
  const std::vector<double> expected = Evaluator(symbols, exprs)(x);
  const std::vector<double> found = c.call(name, x, exprs.size());
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    if (!std::isfinite(expected[i])) continue;
    EXPECT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << name << " " << i;
  }
}

TEST(c_text, names_that_c_has_taken_or_cannot_hold_stay_apart) {
  if (!has_compiler()) GTEST_SKIP() << "there is no C compiler here (Debian: gcc)";
  ExprPool pool;
  // Two that look alike in ASCII, keywords, functions, the targets' own names, and one intermediate's.
  std::vector<Expr> s;
  for (const char* name : {"double", "sin", "x", "y", "z1", "q'", "q_d", "θ", "theta", "漢字",
                           "fmin", "M_PI", "*/ #error", "a b", "_t", "1st"})
    s.push_back(pool.symbol(name));
  Expr sum = pool.zero(), product = pool.one();
  for (std::size_t i = 0; i < s.size(); ++i) {
    sum += s[i] * sin(s[(i + 3) % s.size()]) / (1 + s[i] * s[i]);
    product = product * (s[i] + cos(s[(i + 1) % s.size()]));
  }
  const std::vector<Expr> exprs = {sum, product, sum * product + sqrt(1 + sum * sum)};
  for (const std::size_t inline_length : {10'000u, 20u}) {
    const CompiledC c(write_function("f", exprs, inline_length));
    ASSERT_TRUE(c.is_good()) << c.errors;
    expect_same(c, "f", exprs);
  }
}

TEST(c_text, every_function_of_the_language_is_one_of_c) {
  if (!has_compiler()) GTEST_SKIP() << "there is no C compiler here (Debian: gcc)";
  ExprPool pool;
  const Expr a = pool.symbol("a"), b = pool.symbol("b");
  const std::vector<Expr> exprs = {sqrt(a) + exp(b) + log(a),
                                   tan(a) - asin(a / 3) + acos(b / 3) - atan(a),
                                   sinh(a) * cosh(b) - tanh(a),
                                   abs(a - b) * sign(b - a) + sign(a),
                                   step(a - b) + 2 * step(b - a),
                                   min(a, b) - 3 * max(a, b),
                                   atan2(a, b),
                                   pow(a, b),
                                   pow(a, -3) + pow(b, 5) / 7,
                                   pool.rational(1, 3) * a + pool.pi() * b,
                                   -a - (b - a * b),
                                   pool.number(1e-30) * a + pool.number(6.02e23) * b};
  const CompiledC c(write_function("f", exprs, 400));
  ASSERT_TRUE(c.is_good()) << c.errors;
  expect_same(c, "f", exprs);
}

TEST(c_text, equations_of_random_mechanisms_come_out_the_same) {
  if (!has_compiler()) GTEST_SKIP() << "there is no C compiler here (Debian: gcc)";
  struct Mechanism {
    std::string name;
    std::vector<Expr> exprs;
    const ModelData* model;
    Equations equations;  // they and the embedded ones hold what the expressions are made of
    EmbeddedEquations embedded;
  };
  std::vector<Mechanism> all;
  std::vector<std::unique_ptr<mechanisms::RandomMechanism>> mechanisms;
  std::string source;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    mechanisms.push_back(std::make_unique<mechanisms::RandomMechanism>(seed));
    const Equations equations = derive(analyze_motion(mechanisms.back()->model));
    EmbeddedEquations embedded;
    std::vector<Expr> exprs;
    try {
      embedded = embed_constraints(equations);
      exprs = embedded.forcing;
      for (const auto& row : embedded.mass_matrix)
        exprs.insert(exprs.end(), row.begin(), row.end());
    } catch (const UsageError&) {  // no regular set of dependent speeds at this start
      continue;
    }
    if (exprs.empty()) continue;
    const std::string name = fmt::format("mechanism{}", seed);
    source += write_function(name, exprs, 200);
    all.push_back({name, std::move(exprs), &mechanisms.back()->model.data(), equations, embedded});
  }
  ASSERT_GT(all.size(), 15u);
  const CompiledC c(source);
  ASSERT_TRUE(c.is_good()) << c.errors;
  for (const Mechanism& m : all) expect_same(c, m.name, m.exprs, m.model);
}

}  // namespace
}  // namespace visviva
