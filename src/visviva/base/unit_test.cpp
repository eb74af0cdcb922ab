#include "visviva/base/unit.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace visviva {
namespace {

const auto a_length = Dimension::of(Dimension::length);
const auto a_mass = Dimension::of(Dimension::mass);
const auto a_time = Dimension::of(Dimension::time);

Unit read(std::string_view text) {
  const UnitReading reading = parse_unit(text);
  EXPECT_TRUE(reading.unit.has_value()) << text << ": " << reading.problem.message;
  return reading.unit.value_or(Unit{});
}

std::string printed(std::string_view text) { return print_dimension(read(text).dimension); }

TEST(Unit, has_an_exact_scale) {
  EXPECT_EQ(read("mm"), (Unit{1, 1000, 0, a_length}));
  EXPECT_EQ(read("gram"), (Unit{1, 1000, 0, a_mass}));
  EXPECT_EQ(read("kg"), (Unit{1, 1, 0, a_mass}));
  EXPECT_EQ(read("h"), (Unit{3600, 1, 0, a_time}));
  EXPECT_EQ(read("km/h"), (Unit{5, 18, 0, a_length / a_time}));
  EXPECT_EQ(read("um^2"), (Unit{1, 1000000000000, 0, a_length.power(2)}));
}

TEST(Unit, keeps_pi_apart_from_the_fraction) {
  EXPECT_EQ(read("deg"), (Unit{1, 180, 1, {}}));
  EXPECT_EQ(read("rev/min"), (Unit{1, 30, 1, a_time.power(-1)}));
  EXPECT_EQ(read("rad/deg"), (Unit{180, 1, -1, {}}));
}

TEST(Unit, is_a_product_quotient_or_power_without_blanks) {
  EXPECT_EQ(read("m^3/kg/s^2").dimension, a_length.power(3) / a_mass / a_time.power(2));
  EXPECT_EQ(read("s^-1").dimension, a_time.power(-1));
  EXPECT_EQ(read("1/s").dimension, a_time.power(-1));
  EXPECT_EQ(read("1"), Unit{});
  EXPECT_EQ(read("N*m").dimension, read("J").dimension);
  EXPECT_FALSE(parse_unit("kg m").unit.has_value());
  EXPECT_FALSE(parse_unit("").unit.has_value());
  EXPECT_FALSE(parse_unit("kg*").unit.has_value());
}

TEST(Unit, takes_only_sensible_prefixes) {
  for (const char* good : {"mm", "km", "ms", "us", "\u00b5s", "\u03bcm", "kN", "MPa", "GPa", "mrad",
                           "kHz", "mgram", "mA"}) {
    EXPECT_TRUE(find_unit(good).has_value()) << good;
  }
  for (const char* bad : {"kmin", "mdeg", "kkg", "krev", "mh", "g", "mg", "kgram", "x", ""}) {
    EXPECT_FALSE(find_unit(bad).has_value()) << bad;
  }
}

TEST(Unit, prefixes_never_make_one_name_mean_two_units) {
  std::vector<std::string> names;
  for (const UnitEntry& entry : unit_table()) {
    names.push_back(entry.name);
    for (const std::string& prefix : entry.prefixes) names.push_back(prefix + entry.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Unit, problems_say_where_and_what_was_meant) {
  const UnitProblem unknown = parse_unit("N*grm").problem;
  EXPECT_EQ(unknown.code, "E-unit-unknown");
  EXPECT_EQ(unknown.offset, 2u);
  EXPECT_EQ(unknown.length, 3u);
  EXPECT_EQ(unknown.help, "did you mean 'gram'?");
  EXPECT_EQ(parse_unit("\u03bcm/kgg").problem.offset, 3u);
  EXPECT_EQ(parse_unit("m^x").problem.code, "E-unit-power");
  EXPECT_EQ(parse_unit("g").problem.help.substr(0, 25), "gram is written 'gram', b");
}

TEST(Unit, refuses_what_does_not_fit) {
  for (const char* text : {"nm^3", "m^61", "m^60*m", "m^-60/m", "deg^61", "m^99999999999"}) {
    EXPECT_EQ(parse_unit(text).problem.code, "E-unit-range") << text;
  }
  EXPECT_EQ(parse_unit(std::string(1000, 'm')).problem.code, "E-unit-range");
  std::string product = "m";
  for (int i = 0; i < 90; ++i) product += "*m";
  EXPECT_EQ(parse_unit(product).problem.code, "E-unit-range");
}

TEST(Unit, names_in_a_text_come_with_their_places) {
  const auto names = unit_names("N*m^2/s");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[1].name, "m");
  EXPECT_EQ(names[1].offset, 2u);
  EXPECT_EQ(names[2].offset, 6u);
}

TEST(Dimension, is_printed_as_a_mechanician_writes_it) {
  EXPECT_EQ(printed("kg*m/s^2"), "N");
  EXPECT_EQ(printed("J"), "N*m");
  EXPECT_EQ(printed("N/m"), "N/m");
  EXPECT_EQ(printed("N*s/m"), "N*s/m");
  EXPECT_EQ(printed("N*m*s"), "N*m*s");
  EXPECT_EQ(printed("W"), "W");
  EXPECT_EQ(printed("Pa"), "Pa");
  EXPECT_EQ(printed("kg*m^2"), "kg*m^2");
  EXPECT_EQ(printed("m/s^2"), "m/s^2");
  EXPECT_EQ(printed("Hz"), "1/s");
  EXPECT_EQ(printed("deg"), "1");
  EXPECT_EQ(printed("N/m^3"), "N/m^3");
  EXPECT_EQ(printed("N*m/A"), "N*m/A");
  EXPECT_EQ(printed("m/N"), "m/N");
  EXPECT_EQ(printed("m^3/kg/s^2"), "m^3/kg/s^2");
  EXPECT_EQ(printed("kg*m/s"), "kg*m/s");
  EXPECT_EQ(printed("kg^2"), "kg^2");
  EXPECT_EQ(printed("W/m^2/K^4"), "N/m/s/K^4");
}

TEST(Dimension, what_is_printed_can_be_read_back) {
  for (int l = -3; l <= 3; ++l) {
    for (int m = -2; m <= 2; ++m) {
      for (int t = -4; t <= 4; ++t) {
        const Dimension d = Dimension::of(Dimension::length, l) *
                            Dimension::of(Dimension::mass, m) * Dimension::of(Dimension::time, t);
        EXPECT_EQ(read(print_dimension(d)).dimension, d) << print_dimension(d);
      }
    }
  }
}

TEST(Dimension, is_described_by_a_noun_where_there_is_one) {
  EXPECT_EQ(describe_dimension(a_length), "a length (m)");
  EXPECT_EQ(describe_dimension({}), "a pure number");
  EXPECT_EQ(describe_dimension(a_mass.power(2)), "kg^2");
  EXPECT_EQ(describe_dimension(a_length.power(1, 2)), "m^(1/2)");
}

}  // namespace
}  // namespace visviva
