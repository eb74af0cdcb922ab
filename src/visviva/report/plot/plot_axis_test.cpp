// Tests of plot_axis: ticks that people would choose, and labels that say exactly where they stand.
#include "visviva/report/plot/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "visviva/base/error.h"

namespace visviva {
namespace {

std::vector<std::string> labels(const std::vector<PlotTick>& ticks) {
  std::vector<std::string> all;
  for (const PlotTick& tick : ticks) all.push_back(tick.label);
  return all;
}

using Labels = std::vector<std::string>;

TEST(PlotAxis, ticks_stand_at_steps_of_1_2_or_5) {
  EXPECT_EQ(labels(make_ticks(0, 10, 5)), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(make_ticks(-0.31, 0.3, 5)), (Labels{"-0.2", "0", "0.2"}));
  EXPECT_EQ(labels(make_ticks(0, 1, 2)), (Labels{"0", "0.5", "1"}));
  EXPECT_EQ(labels(make_ticks(0.1, 0.3, 2)), (Labels{"0.1", "0.2", "0.3"}));
  EXPECT_EQ(labels(make_ticks(1e6, 3e6, 2)), (Labels{"1e6", "2e6", "3e6"}));
  EXPECT_EQ(labels(make_ticks(1000.0, 1000.2, 2)), (Labels{"1000", "1000.1", "1000.2"}));
}

TEST(PlotAxis, a_label_reads_back_to_the_place_of_its_tick) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1.0, 1.0), power(-12.0, 12.0);
  for (int i = 0; i < 2000; ++i) {
    const double from = place(random) * std::pow(10.0, power(random));
    const double length = std::abs(from) * std::pow(10.0, std::abs(place(random)) * 4 - 3) + 1e-300;
    const std::vector<PlotTick> ticks = make_ticks(from, from + length, 5);
    ASSERT_GE(ticks.size(), 2U) << from << " " << length;
    ASSERT_LE(ticks.size(), 7U) << from << " " << length;
    const double step = ticks[1].value - ticks[0].value;
    for (const PlotTick& tick : ticks)
      EXPECT_NEAR(std::stod(tick.label), tick.value, 1e-6 * step) << tick.label;
  }
}

TEST(PlotAxis, a_range_that_is_none_is_refused) {
  EXPECT_THROW(make_ticks(1, 1, 5), UsageError);
  EXPECT_THROW(make_ticks(0, HUGE_VAL, 5), UsageError);
  EXPECT_THROW(make_ticks(0, NAN, 5), UsageError);
}

TEST(PlotAxis, a_linear_axis_holds_its_range_and_little_more) {
  const PlotAxis axis = make_linear_axis(-0.52, 0.49, 0.0);
  EXPECT_LE(axis.from, -0.52);
  EXPECT_GE(axis.until, 0.49);
  EXPECT_LT(axis.until - axis.from, 1.3 * (0.49 + 0.52));
  EXPECT_DOUBLE_EQ(axis.place(axis.from), 0.0);
  EXPECT_DOUBLE_EQ(axis.place(axis.until), 1.0);
}

TEST(PlotAxis, rounding_errors_of_a_constant_do_not_fill_an_axis) {
  const PlotAxis axis = make_linear_axis(3.0, 3.0 + 1e-13, 0.0);
  EXPECT_GE(axis.until - axis.from, 1e-6 * 3.0);
  const PlotAxis wide = make_linear_axis(3.0, 3.0 + 1e-13, 0.1);
  EXPECT_GE(wide.until - wide.from, 0.1);
}

TEST(PlotAxis, zero_throughout_is_shown_on_1_either_side_unless_a_length_is_worth_showing) {
  const PlotAxis zero = make_linear_axis(0.0, -0.0, 0.0);
  EXPECT_EQ(zero.from, -1.0);
  EXPECT_EQ(zero.until, 1.0);
  EXPECT_EQ(labels(zero.ticks), (Labels{"-1", "-0.5", "0", "0.5", "1"}));
  const PlotAxis known = make_linear_axis(0.0, 0.0, 0.02);
  EXPECT_DOUBLE_EQ(known.from, -0.01);
  EXPECT_DOUBLE_EQ(known.until, 0.01);
}

TEST(PlotAxis, an_axis_that_ends_at_zero_ends_at_0_and_not_at_minus_0) {
  EXPECT_FALSE(std::signbit(make_linear_axis(-3.0, -0.0, 0.0).until));
  EXPECT_FALSE(std::signbit(make_linear_axis(-3.0, -1e-12, 0.0).until));
  EXPECT_FALSE(std::signbit(make_linear_axis(-0.0, 2.0, 0.0).from));
}

TEST(PlotAxis, a_log_axis_has_whole_decades_and_zeros_at_its_bottom) {
  const PlotAxis axis = make_log_axis(3e-9, 2e-7, true);
  EXPECT_DOUBLE_EQ(axis.from, 1e-10);
  EXPECT_DOUBLE_EQ(axis.until, 1e-6);
  EXPECT_EQ(labels(axis.ticks), (Labels{"1e-10", "1e-9", "1e-8", "1e-7", "1e-6"}));
  EXPECT_NEAR(axis.place(1e-8), 0.5, 1e-12);
  EXPECT_EQ(axis.place(0.0), 0.0);
  EXPECT_EQ(axis.place(1e-30), 0.0);
}

TEST(PlotAxis, a_log_axis_of_many_decades_labels_some_and_shows_no_more_than_18) {
  const PlotAxis axis = make_log_axis(1e-300, 1.0, false);
  EXPECT_DOUBLE_EQ(axis.from, 1e-18);
  EXPECT_EQ(axis.ticks.size(), 19U);
  EXPECT_EQ(axis.ticks.back().label, "1e0");
  EXPECT_EQ(axis.ticks[17].label, "");
}

TEST(PlotAxis, numbers_are_written_as_people_do) {
  EXPECT_EQ(number_label(0.25, 3), "0.25");
  EXPECT_EQ(number_label(-3.0, 1), "-3");
  EXPECT_EQ(number_label(1000.0, 1), "1000");
  EXPECT_EQ(number_label(2.5e6, 2), "2.5e6");
  EXPECT_EQ(number_label(1e-9, 3), "1e-9");
  EXPECT_EQ(number_label(-0.0, 3), "0");
}

}  // namespace
}  // namespace visviva
