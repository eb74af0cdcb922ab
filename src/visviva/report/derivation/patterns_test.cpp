#include "visviva/report/derivation/patterns.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

std::string write(const std::vector<WrittenEquation>& equations) {
  std::string text;
  for (const WrittenEquation& e : equations) text += e.left + " = " + e.right + "\n";
  return text;
}

TEST(patterns, terms_that_follow_a_rule_are_one_sum) {
  EXPECT_EQ(fold_sum("9/2*m*L^2*q1'' + 7/2*m*L^2*cos(q1 - q2)*q2'' + 5/2*m*L^2*cos(q1 - q3)*q3''"
                     " + 3/2*m*L^2*cos(q1 - q4)*q4'' + 1/2*m*L^2*cos(q1 - q5)*q5'' + g"),
            "9/2*m*L^2*q1'' + sum(k = 2 ... 5: (11/2 - k)*m*L^2*cos(q1 - q[k])*q[k]'') + g");
  EXPECT_EQ(fold_sum("-a1 - a2 - a3 - a4"), "sum(k = 1 ... 4: -a[k])");
  EXPECT_EQ(fold_sum("a4 + a3 + a2 + a1"), "sum(k = 4 ... 1: a[k])");
}

TEST(patterns, what_follows_none_stays) {
  for (const char* sum :
       {"a1 + a2 + a3", "a1 + a2 + a4 + a5", "a1 + b2 + a3 + b4", "a + a + a + a",
        "a1 + a2 + 2*a3 + a4", "a1 + a2 - a3 + a4", "1e-05*a1 + 0.123456789*a2 + c + d"})
    EXPECT_EQ(fold_sum(sum), sum);
}

TEST(patterns, an_index_has_a_letter_that_is_no_name) {
  EXPECT_EQ(fold_sum("k*a1 + k*a2 + k*a3 + k*a4"), "sum(j = 1 ... 4: k*a[j])");
}

TEST(patterns, equations_go_in_steps_of_several) {
  std::vector<WrittenEquation> equations = {{"z1", "g"}};
  for (int k = 1; k < 6; ++k) {
    const std::string n = std::to_string(k);
    equations.push_back(
        {"z" + std::to_string(2 * k), "z" + std::to_string(2 * k - 1) + "*cos(q" + n + ")"});
    equations.push_back({"z" + std::to_string(2 * k + 1),
                         "z" + std::to_string(2 * k) + " + " + std::to_string(3 * k) + "*L"});
  }
  EXPECT_EQ(
      write(fold_equations(equations)),
      "z1 = g\nz[2*k] = z[2*k - 1]*cos(q[k])\nz[2*k + 1] = z[2*k] + (3*k)*L   for k = 1 ... 5\n");
}

}  // namespace
}  // namespace visviva
