// Tests of thin: no extreme is lost, the order of time is kept, and gaps stay gaps.
#include "visviva/report/plot/thin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace visviva {
namespace {

constexpr double hole = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most = 1500;

std::vector<double> make_noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& x : values) x = normal(random);
  return values;
}

bool ascends(const std::vector<std::size_t>& kept) {
  return std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>()) == kept.end();
}

TEST(Thin, ten_thousand_samples_become_at_most_1500_and_keep_their_extremes_to_the_bit) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<double> values = make_noise(10'000, seed);
    const std::vector<std::size_t> kept = thin(values, most);
    EXPECT_LE(kept.size(), most);
    EXPECT_GT(kept.size(), most / 2);
    EXPECT_TRUE(ascends(kept));
    EXPECT_EQ(kept.front(), 0U);
    EXPECT_EQ(kept.back(), values.size() - 1);
    std::vector<double> left;
    for (const std::size_t i : kept) left.push_back(values[i]);
    const auto all = std::minmax_element(values.begin(), values.end());
    const auto some = std::minmax_element(left.begin(), left.end());
    EXPECT_EQ(*all.first, *some.first) << "seed " << seed;
    EXPECT_EQ(*all.second, *some.second) << "seed " << seed;
  }
}

TEST(Thin, a_spike_of_one_sample_stays_wherever_it_is) {
  for (std::size_t at = 0; at < 10'000; at += 211) {
    std::vector<double> values(10'000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(1e-3 * double(i));
    values[at] = -5.0;
    const std::vector<std::size_t> kept = thin(values, 200);
    EXPECT_LE(kept.size(), 200U);
    EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), at)) << at;
  }
}

TEST(Thin, few_samples_all_stay) {
  EXPECT_EQ(thin({3.0, hole, 1.0}, most), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(thin({}, most).empty());
}

TEST(Thin, a_gap_stays_between_the_samples_beside_it) {
  std::vector<double> values = make_noise(10'000, 7);
  std::fill(values.begin() + 3000, values.begin() + 3500, hole);
  const std::vector<std::size_t> kept = thin(values, most);
  EXPECT_LE(kept.size(), most);
  const auto after = std::lower_bound(kept.begin(), kept.end(), std::size_t{3000});
  EXPECT_EQ(*after, 3000U);
  EXPECT_EQ(*(after - 1), 2999U);
  EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), std::size_t{3500}));
}

TEST(Thin, when_every_other_sample_is_missing_the_number_and_the_extremes_still_hold) {
  std::vector<double> values = make_noise(10'000, 11);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = hole;
  values[5001] = 77.0;
  const std::vector<std::size_t> kept = thin(values, 100);
  EXPECT_LE(kept.size(), 100U);
  EXPECT_TRUE(ascends(kept));
  EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), std::size_t{5001}));
}

}  // namespace
}  // namespace visviva
