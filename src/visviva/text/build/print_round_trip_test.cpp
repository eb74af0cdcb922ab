// What is printed in the model language reads back as the same expression.
#include <gtest/gtest.h>

#include "visviva/symbolic/core/random_expression.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

constexpr std::uint64_t seed = 20250611;

TEST(PrintRoundTrip, every_printed_expression_reads_back_as_itself_through_the_language) {
  RecordProperty("seed", static_cast<int>(seed));
  ExprPool pool;
  std::string names, outputs;
  for (const Expr& s : trees::make_symbols(pool)) {
    names += (names.empty() ? "parameter " : ", ") + s.home().symbol_name(s.ref()) + " = 1";
  }
  trees::RandomTrees random(seed, true);
  std::vector<Expr> exprs;
  for (int i = 0; i < 400; ++i) {
    try {
      exprs.push_back(trees::build(random.make(2 + i % 4), pool));
    } catch (const UsageError&) {
      continue;  // a constant outside a function's domain
    }
    const PrintedSystem printed = print_system({exprs.back()}, {.inline_length = 1'000'000});
    ASSERT_TRUE(printed.intermediates.empty());
    outputs += "output e" + std::to_string(exprs.size()) + " = " + printed.expressions[0] + "\n";
  }
  const ModelReading reading = read_model({"printed.viva", names + "\n" + outputs});
  ASSERT_TRUE(reading.model) << reading.diagnostics.front().message;
  const std::vector<OutputData>& read = reading.model->data().outputs;
  ASSERT_EQ(read.size(), exprs.size());
  int with_roots = 0;
  // Symbols of the same name have the same value in every pool.
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    // Fingerprints do not know that the square of a root is what stands under it, which texts make use of: then
    // it must be written the same again.
    if (read[i].scalar.fingerprint() == exprs[i].fingerprint()) continue;
    ++with_roots;
    EXPECT_EQ(print(read[i].scalar), print(exprs[i]));
  }
  EXPECT_LT(with_roots, std::ssize(exprs) / 20);
}

}  // namespace
}  // namespace visviva
