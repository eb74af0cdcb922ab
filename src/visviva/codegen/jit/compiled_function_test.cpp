// Compiled functions agree with the expressions they come from, one state at a time, in batches and
// from several threads.
#include "visviva/codegen/jit/compiled_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva {
namespace {

// Between two ways of rounding the same few hundred operations of moderate condition; program_test
// has the strict bounds.
constexpr double rounding = 1e-11;

std::vector<CompileOptions> all_backends() {
  return {{}, {.avoid_avx512 = true}, {.interpret = true}};
}

struct Sample {
  explicit Sample(std::uint64_t seed) : random(seed), x(trees::make_symbols(pool)) {
    for (int i = 0; i < 5; ++i) outputs.push_back(trees::build(random.make(4), pool));
    outputs.push_back(x[2] * x[3]);  // of parameters alone
  }
  trees::RandomTrees random;
  ExprPool pool;
  std::vector<Expr> x, outputs;
};

TEST(CompiledFunction, agrees_with_the_expressions_on_every_backend) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Sample s(seed);
    const Evaluator evaluator(s.x, s.outputs);
    for (const CompileOptions& options : all_backends()) {
      const CompiledFunction f({s.x[0], s.x[1]}, {s.x[2], s.x[3]}, s.outputs, options);
      SCOPED_TRACE("seed " + std::to_string(seed) + " on " + f.backend());
      for (int state = 0; state < 4; ++state) {
        std::vector<double> v;
        for (int i = 0; i < 4; ++i) v.push_back(s.random.uniform(-1.5, 1.5));
        const std::vector<double> expected = evaluator(v), found = f({v[0], v[1]}, {v[2], v[3]});
        for (std::size_t k = 0; k < expected.size(); ++k)
          EXPECT_NEAR(found[k], expected[k], rounding * (1 + std::abs(expected[k])));
      }
    }
    if (HasFailure()) break;
  }
}

TEST(CompiledFunction, a_batch_gives_what_single_calls_give) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Sample s(seed);
    for (const CompileOptions& options : all_backends()) {
      const CompiledFunction f({s.x[0], s.x[1]}, {s.x[2], s.x[3]}, s.outputs, options);
      const std::vector<double> prepared = f.prepare({0.7, -1.1});
      for (const std::size_t count : {0u, 1u, 3u, 4u, 7u, 8u, 9u, 31u}) {
        const std::size_t stride = count + 3;
        std::vector<double> inputs(2 * stride, 99.0), outputs(s.outputs.size() * stride, -77.0);
        for (std::size_t k = 0; k < count; ++k) {
          inputs[k] = s.random.uniform(-1.5, 1.5);
          inputs[stride + k] = s.random.uniform(-1.5, 1.5);
        }
        f.evaluate_batch(inputs.data(), count, stride, prepared.data(), outputs.data());
        for (std::size_t k = 0; k < count; ++k) {
          const double state[] = {inputs[k], inputs[stride + k]};
          std::vector<double> expected(s.outputs.size());
          f(state, prepared.data(), expected.data());
          for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(outputs[i * stride + k], expected[i],
                        rounding * (1 + std::abs(expected[i])))
                << f.backend() << ", seed " << seed << ", state " << k << " of " << count;
        }
        // Nothing is written past the states.
        for (std::size_t i = 0; i < s.outputs.size(); ++i) {
          for (std::size_t k = count; k < stride; ++k) EXPECT_EQ(outputs[i * stride + k], -77.0);
        }
      }
    }
    if (HasFailure()) break;
  }
}

TEST(CompiledFunction, parameters_change_without_compiling_again) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), a = pool.symbol("a"), b = pool.symbol("b");
  for (const CompileOptions& options : all_backends()) {
    const CompiledFunction f({x}, {a, b}, {exp(a * b) * x + a}, options);
    EXPECT_NEAR(f({3.0}, {0.0, 5.0})[0], 3.0, 1e-15);
    EXPECT_NEAR(f({3.0}, {2.0, 0.5})[0], 3.0 * std::exp(1.0) + 2.0, 1e-14);
    EXPECT_EQ(f.program().function_count(), 0u) << "exp(a b) is of parameters alone";
  }
}

TEST(CompiledFunction, may_lack_inputs_parameters_or_outputs) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  for (const CompileOptions& options : all_backends()) {
    const CompiledFunction nothing({}, {}, {}, options);
    EXPECT_TRUE(nothing({}, {}).empty());
    nothing.evaluate_batch(nullptr, 5, 5, nullptr, nullptr);
    const CompiledFunction number({}, {}, {pool.number(2.5), pool.zero()}, options);
    EXPECT_EQ(number({}, {}), (std::vector<double>{2.5, 0.0}));
    std::vector<double> many(10);
    number.evaluate_batch(nullptr, 5, 5, nullptr, many.data());
    EXPECT_EQ(many, (std::vector<double>{2.5, 2.5, 2.5, 2.5, 2.5, 0, 0, 0, 0, 0}));
    const CompiledFunction same({x}, {}, {x, x}, options);
    EXPECT_EQ(same({1.5}, {}), (std::vector<double>{1.5, 1.5}));
  }
}

TEST(CompiledFunction, refuses_lists_of_the_wrong_length) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), a = pool.symbol("a");
  const CompiledFunction f({x}, {a}, {a * x}, {.interpret = true});
  EXPECT_THROW(f({1.0, 2.0}, {1.0}), UsageError);
  EXPECT_THROW(f.prepare({}), UsageError);
  double out[2];
  EXPECT_THROW(f.evaluate_batch(out, 2, 1, out, out), UsageError);
  EXPECT_EQ(f.backend().rfind("interpreter: ", 0), 0u);
}

TEST(CompiledFunction, threads_do_not_disturb_one_another) {
  Sample s(11);
  for (const CompileOptions& options : all_backends()) {
    const CompiledFunction f({s.x[0], s.x[1]}, {s.x[2], s.x[3]}, s.outputs, options);
    const std::vector<double> prepared = f.prepare({0.4, 0.9});
    const auto work = [&](double shift) {
      std::vector<double> all, state(2), out(f.output_count()), in(2 * 16), many(out.size() * 16);
      for (std::size_t k = 0; k < 16; ++k) {
        state = {shift + 0.05 * static_cast<double>(k), 0.3};
        in[k] = state[0];
        in[16 + k] = state[1];
        f(state.data(), prepared.data(), out.data());
        all.insert(all.end(), out.begin(), out.end());
      }
      f.evaluate_batch(in.data(), 16, 16, prepared.data(), many.data());
      all.insert(all.end(), many.begin(), many.end());
      return all;
    };
    std::vector<std::vector<double>> found(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < found.size(); ++i) {
      threads.emplace_back([&, i] {
        for (int again = 0; again < 50; ++again) found[i] = work(0.1 * static_cast<double>(i));
      });
    }
    for (std::thread& t : threads) t.join();
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i], work(0.1 * static_cast<double>(i))) << f.backend();
  }
}

}  // namespace
}  // namespace visviva
