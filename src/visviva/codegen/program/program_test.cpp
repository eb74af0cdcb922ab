// Lowered programs compute what their expressions mean, to the rounding that their operations allow.
//
// The answer comes from the expressions, walked in long double by Evaluator. How far a program may
// be from it is bounded by the program itself: v_i the values, e_i bounds on their errors, u half a
// unit in the last place,
//   e_i = sum_k |dv_i/dv_k| e_k + u |v_i|,   4 u |v_i| for functions of the C library           (1)
#include "visviva/codegen/program/program.h"

#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>
#include <ctime>
#include <limits>
#include <random>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/apply_operation.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva {
namespace {

constexpr double unit = 0x1p-53;
constexpr double infinity = std::numeric_limits<double>::infinity();
// Second-order terms of (1), and that values instead of exact ones stand in it.
constexpr double safety = 1.01;

std::vector<double> run(const Program& program, const std::vector<double>& inputs,
                        const std::vector<double>& parameters) {
  std::vector<double> outputs(program.outputs.size()), values;
  run_program(program, inputs.data(), parameters.data(), outputs.data(), &values);
  return outputs;
}

// How much a function of one or two operands changes when they move within their errors.
double function_error(const Operation& o, double a, double ea, double b, double eb) {
  const auto f = [&](double x, double y) {
    return o.code == Code::sin   ? std::sin(x)
           : o.code == Code::cos ? std::cos(x)
                                 : apply_operation(o.function, x, y);
  };
  const double middle = f(a, b);
  double most = 0;
  for (const double x : {a - ea, a + ea}) {
    for (const double y : {b - eb, b + eb}) most = std::max(most, std::abs(f(x, y) - middle));
  }
  return 2 * most + 8 * unit * std::abs(middle);
}

// (1)
std::vector<double> bound_errors(const Program& program, const std::vector<double>& inputs,
                                 const std::vector<double>& parameters) {
  std::vector<double> outputs(program.outputs.size()), v;
  run_program(program, inputs.data(), parameters.data(), outputs.data(), &v);
  std::vector<double> e(v.size(), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Operation& o = program.operations[i];
    const double rounding = unit * std::abs(v[i]);
    switch (o.code) {
      case Code::constant:
        e[i] = rounding;
        break;
      case Code::input:
      case Code::parameter:
        break;
      case Code::add:
        e[i] = e[o.a] + e[o.b] + rounding;
        break;
      case Code::multiply:
        e[i] = std::abs(v[o.a]) * e[o.b] + std::abs(v[o.b]) * e[o.a] + rounding;
        break;
      case Code::divide:
        e[i] = (e[o.a] + std::abs(v[i]) * e[o.b]) / std::abs(v[o.b]) + rounding;
        break;
      case Code::multiply_add:
        e[i] = std::abs(v[o.a]) * e[o.b] + std::abs(v[o.b]) * e[o.a] + e[o.c] + rounding;
        break;
      case Code::negate:
      case Code::absolute:
        e[i] = e[o.a];
        break;
      case Code::square_root:
        e[i] = e[o.a] / (2 * v[i]) + rounding;
        break;
      case Code::sign:
      case Code::step:
        // A jump within the error: anything may come out, but for numbers without an error.
        e[i] = e[o.a] > 0 && std::abs(v[o.a]) <= e[o.a] ? infinity : 0;
        break;
      case Code::min:
      case Code::max:
        e[i] = std::max(e[o.a], e[o.b]);
        break;
      default:
        e[i] = function_error(o, v[o.a], e[o.a], operand_count(o) > 1 ? v[o.b] : 0,
                              operand_count(o) > 1 ? e[o.b] : 0);
    }
  }
  std::vector<double> bounds;
  for (const std::uint32_t i : program.outputs) bounds.push_back(safety * e[i]);
  return bounds;
}

bool has_code(const Program& program, Code code) {
  for (const Operation& o : program.operations) {
    if (o.code == code) return true;
  }
  return false;
}

TEST(Program, random_expressions_are_computed_to_the_rounding_of_their_operations) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    trees::RandomTrees random(seed, seed % 2 == 0);
    ExprPool pool;
    const std::vector<Expr> x = trees::make_symbols(pool);
    std::vector<Expr> outputs;
    for (int i = 0; i < 4; ++i) outputs.push_back(trees::build(random.make(2 + i), pool));
    outputs.push_back(-outputs[0]);
    outputs.push_back(outputs[1] - outputs[2]);
    outputs.push_back(-outputs[3] * outputs[2]);
    const Evaluator evaluator(x, outputs);
    for (int options = 0; options < 4; ++options) {
      const ProgramOptions how{(options & 1) != 0, (options & 2) != 0};
      const Program whole = make_program({x[0], x[1]}, {x[2], x[3]}, outputs, how);
      const StagedProgram staged = split_prologue(whole);
      for (int state = 0; state < 3; ++state) {
        std::vector<double> values;
        for (std::size_t i = 0; i < x.size(); ++i) values.push_back(random.uniform(-2, 2));
        const std::vector<long double> expected =
            evaluator(std::vector<long double>(values.begin(), values.end()));
        const std::vector<double> inputs = {values[0], values[1]},
                                  parameters = {values[2], values[3]};
        const std::vector<double> found = run(whole, inputs, parameters);
        const std::vector<double> bounds = bound_errors(whole, inputs, parameters);
        const std::vector<double> in_two =
            run(staged.main, inputs, run(staged.prologue, parameters, {}));
        for (std::size_t k = 0; k < outputs.size(); ++k) {
          EXPECT_EQ(found[k], in_two[k]) << "seed " << seed << " output " << k;
          if (!std::isfinite(bounds[k])) continue;
          ++compared;
          EXPECT_LE(std::abs(static_cast<double>(found[k] - expected[k])), bounds[k])
              << "seed " << seed << " output " << k << " options " << options;
          // A bound that excludes nothing would prove nothing.
          EXPECT_LT(bounds[k], 1e-6 * (1 + std::abs(found[k]))) << "seed " << seed;
        }
      }
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(compared, 20000);
}

TEST(Program, signs_cost_no_operation_where_another_can_carry_them) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
  const std::vector<Expr> terms = {sin(-x) * y - z, min(-x, -y) + z, x / (-y) + z,
                                   cos(-x) - abs(-z), -x * y - z + 1.0};
  // Squares, since an output has to have its sign.
  std::vector<Expr> outputs;
  for (const Expr& e : terms) outputs.push_back(e * e);
  const Program p = make_program({x, y, z}, {}, outputs);
  EXPECT_FALSE(has_code(p, Code::negate));
  const std::vector<double> v = run(p, {0.3, -1.25, 2.0}, {});
  const double expected[] = {std::sin(0.3) * 1.25 - 2.0, std::min(-0.3, 1.25) + 2.0,
                             0.3 / 1.25 + 2.0, std::cos(0.3) - 2.0, 0.3 * 1.25 - 2.0 + 1.0};
  for (std::size_t i = 0; i < v.size(); ++i)
    EXPECT_NEAR(v[i], expected[i] * expected[i], 1e-15 * (1 + v[i])) << i;
}

TEST(Program, an_output_with_a_sign_of_its_own_is_negated) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  const Program p = make_program({x}, {}, {x, -x, -exp(-x)});
  const std::vector<double> v = run(p, {0.5}, {});
  EXPECT_EQ(v[0], 0.5);
  EXPECT_EQ(v[1], -0.5);
  EXPECT_EQ(v[2], -std::exp(-0.5));
}

TEST(Program, products_that_only_a_sum_uses_are_fused_into_it) {
  ExprPool pool;
  const Expr a = pool.symbol("a"), b = pool.symbol("b"), c = pool.symbol("c"), d = pool.symbol("d"),
             e = pool.symbol("e");
  EXPECT_EQ(make_program({a, b, c, d, e}, {}, {a * b + c * d + e}).arithmetic_count(), 2u);
  EXPECT_EQ(
      make_program({a, b, c, d, e}, {}, {a * b + c * d + e}, {.fuse = false}).arithmetic_count(),
      4u);
  // One that is used elsewhere too is formed once.
  EXPECT_EQ(make_program({a, b, c, d, e}, {}, {a * b + c, a * b * d}).arithmetic_count(), 3u);
  // Fused, the product is not rounded: (1 + h)(1 - h) - 1 = -h^2.
  const double h = 0x1p-40;
  EXPECT_EQ(run(make_program({a, b, c}, {}, {a * b - c}), {1 + h, 1 - h, 1.0}, {})[0], -h * h);
}

TEST(Program, the_term_that_arrives_last_is_added_last) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
  const Program p = make_program({x, y, z}, {}, {(sqrt(x / y) + y) + z});
  const Operation& last = p.operations[p.outputs[0]];
  ASSERT_EQ(last.code, Code::add);
  const bool is_root_in_last = p.operations[last.a].code == Code::square_root ||
                               p.operations[last.b].code == Code::square_root;
  EXPECT_TRUE(is_root_in_last);
}

TEST(Program, what_parameters_determine_is_left_to_the_prologue) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), a = pool.symbol("a"), b = pool.symbol("b"),
             c = pool.symbol("c");
  // a b + a c + sin(b) is one number: what is left is one addition.
  const StagedProgram one =
      split_prologue(make_program({x}, {a, b, c}, {a * b + x + a * c + sin(b)}));
  EXPECT_EQ(one.main.arithmetic_count(), 1u);
  EXPECT_EQ(one.main.function_count(), 0u);
  EXPECT_EQ(one.prologue.function_count(), 1u);
  // An output that is a parameter, and one that is a number.
  const StagedProgram two =
      split_prologue(make_program({x, y}, {a, b}, {a, pool.number(2.5), x * b}));
  EXPECT_EQ(run(two.main, {3.0, 0.0}, run(two.prologue, {7.0, 5.0}, {})),
            (std::vector<double>{7.0, 2.5, 15.0}));
}

TEST(Program, jumps_and_extremes_keep_zero_and_nan) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  const Program p = make_program({x, y}, {}, {sign(x), step(x), min(x, y), max(x, y)});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run(p, {0.0, 1.0}, {}), (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(run(p, {-2.0, -3.0}, {}), (std::vector<double>{-1, 0, -3, -2}));
  for (const double v : run(p, {nan, 1.0}, {})) EXPECT_TRUE(std::isnan(v));
  const std::vector<double> second = run(p, {1.0, nan}, {});
  EXPECT_TRUE(std::isnan(second[2]) && std::isnan(second[3]));
}

TEST(Program, a_symbol_without_a_value_is_refused_by_name) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("stiffness");
  try {
    make_program({x}, {}, {x * y});
    FAIL() << "accepted";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("stiffness"), std::string::npos);
  }
  EXPECT_THROW(make_program({x}, {x}, {x}), UsageError);
  EXPECT_THROW(make_program({x * y}, {}, {x}), UsageError);
  EXPECT_TRUE(make_program({x}, {y}, {}).operations.empty());
}

// A million nodes whose values differ, each of degree below 2000.
std::vector<Expr> make_large(ExprPool& pool, const std::vector<Expr>& leaves, std::size_t nodes) {
  std::mt19937_64 random(7);
  std::vector<Expr> layer = leaves;
  const std::size_t before = pool.node_count();
  while (pool.node_count() - before < nodes) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i < layer.size(); ++i)
      next.push_back(layer[random() % layer.size()] * leaves[random() % leaves.size()] + layer[i]);
    layer = next;
  }
  return layer;
}

TEST(Program, a_million_nodes_are_lowered_within_two_seconds) {
  ExprPool pool;
  std::vector<Expr> leaves;
  for (int i = 0; i < 2000; ++i) leaves.push_back(pool.symbol("x" + std::to_string(i)));
  const std::vector<Expr> outputs = make_large(pool, leaves, 1000000);
  const std::clock_t start = std::clock();
  const Program p = make_program(leaves, {}, outputs);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(p.arithmetic_count(), 300000u);
  RecordProperty("nanoseconds_a_node", static_cast<int>(1e9 * seconds / 1e6));
  EXPECT_LT(seconds, 2.0);
}

TEST(Program, quotients_of_one_divisor_share_its_reciprocal) {
  ExprPool pool;
  const Expr a = pool.symbol("a"), b = pool.symbol("b"), c = pool.symbol("c"), d = pool.symbol("d");
  const auto count_divisions = [&](const std::vector<Expr>& outputs, std::vector<double> values) {
    const Program p = make_program({a, b, c, d}, {}, outputs);
    std::vector<double> found(outputs.size()), space;
    run_program(p, values.data(), nullptr, found.data(), &space);
    const std::vector<double> expected = Evaluator({a, b, c, d}, outputs)(values);
    for (std::size_t i = 0; i < found.size(); ++i)  // a reciprocal and a product round once more
      EXPECT_NEAR(found[i], expected[i], 4e-16 * std::abs(expected[i]));
    return std::count_if(p.operations.begin(), p.operations.end(),
                         [](const Operation& o) { return o.code == Code::divide; });
  };
  const std::vector<double> values = {1.7, -0.3, 2.9, -7.3};
  EXPECT_EQ(count_divisions({a / d, b / d, c / d, a * b / d, a * c / d, b * c / d}, values), 1);
  EXPECT_EQ(count_divisions({a / -d, -b / d, -1.0 / d, c / d, a * c / d, b * c / -d}, values), 1);
  // Few do not wait for a product after the reciprocal.
  EXPECT_EQ(count_divisions({a / d, b / d}, values), 2);
  // In a sum the product is fused.
  const Program p =
      make_program({a, b, c, d}, {}, {a / d + c, b / d, c / d, a * b / d, a * c / d, b * c / d});
  EXPECT_EQ(std::count_if(p.operations.begin(), p.operations.end(),
                          [](const Operation& o) { return o.code == Code::multiply_add; }),
            1);
}

}  // namespace
}  // namespace visviva
