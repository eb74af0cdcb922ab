#include "visviva/base/result_table.h"

#include <gtest/gtest.h>

#include <set>

#include "visviva/base/unit.h"

namespace visviva {
namespace {

struct Numbers {
  double K = 6.5, K0 = 1, K1 = 2, K2 = 3.5, U = 10, sigma = 20, sigma_R = 40,
         P_nonconservative = 100;
};
constexpr double Z = 1000;

double value_of(const char* name) {
  return compute_result(*find_energy_result(name), Numbers(), Z);
}

TEST(result_table, energies_are_the_sums_that_the_theory_defines) {
  EXPECT_EQ(value_of("E_Z"), 3.5 + 10 + 1000);
  EXPECT_EQ(value_of("E"), 3.5 + 10);
  EXPECT_EQ(value_of("H"), 3.5 - 1 + 10);
  EXPECT_EQ(value_of("C"), 6.5 + 10);
  EXPECT_EQ(value_of("Z"), 1000);
  EXPECT_EQ(value_of("P_nonconservative"), 100);
}

TEST(result_table, what_is_integrated_is_told_by_its_rate) {
  EXPECT_EQ(add_terms_of(Numbers(), find_energy_result("Z")->rate), 40 - 100);
  EXPECT_EQ(add_terms_of(Numbers(), find_result_call("action()")->call->rate), 6.5 - 10);
  EXPECT_EQ(find_result_call("work(spring)")->call->rate_name, "power");
  EXPECT_TRUE(find_result_call("generalized_work(spring)")->is_integral());
  EXPECT_FALSE(find_result_call("power(spring)")->is_integral());
}

TEST(result_table, definitions_are_written_as_they_are_read) {
  EXPECT_EQ(write_terms(find_energy_result("E_Z")->definition), "K2 + U + Z");
  EXPECT_EQ(write_terms(find_energy_result("H")->definition), "K2 - K0 + U");
  EXPECT_EQ(write_terms(find_energy_result("Z")->rate), "sigma_R - P_nonconservative");
}

TEST(result_table, calls_are_taken_apart) {
  const auto reaction = find_result_call("reaction(ball).x");
  ASSERT_TRUE(reaction);
  EXPECT_TRUE(reaction->is("reaction"));
  EXPECT_EQ(reaction->subject, "ball");
  EXPECT_EQ(find_result_call("action()")->subject, "");
  EXPECT_FALSE(find_result_call("sin(x)"));
  EXPECT_FALSE(find_result_call("K2"));
  EXPECT_FALSE(find_result_call("power"));
}

TEST(result_table, names_differ_and_units_are_those_of_the_dimensions) {
  std::set<std::string_view> names;
  for (const EnergyResult& r : energy_results()) {
    EXPECT_TRUE(names.insert(r.name).second) << r.name;
    EXPECT_EQ(parse_unit(unit_name(r.unit)).unit->dimension, dimension_of(r.unit)) << r.name;
    if (!r.definition.empty()) {
      EXPECT_FALSE(r.definition[0].is_negative) << r.name;
    }
  }
  for (const ResultCall& c : result_calls()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_EQ(parse_unit(unit_name(c.unit)).unit->dimension, dimension_of(c.unit)) << c.name;
  }
  for (const EnergyResult& r : energies_in_joules()) EXPECT_EQ(unit_name(r.unit), "J") << r.name;
  EXPECT_EQ(energies_in_joules().size(), 10u);
}

}  // namespace
}  // namespace visviva
