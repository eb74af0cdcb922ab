#include "visviva/base/dimension.h"

#include <gtest/gtest.h>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

const auto length = Dimension::of(Dimension::length);
const auto mass = Dimension::of(Dimension::mass);
const auto duration = Dimension::of(Dimension::time);

TEST(Dimension, is_a_pure_number_unless_told_otherwise) {
  EXPECT_TRUE(Dimension().is_dimensionless());
  EXPECT_FALSE(length.is_dimensionless());
  EXPECT_EQ(Dimension().str(), "1");
}

TEST(Dimension, multiplies_and_divides_by_adding_exponents) {
  const Dimension force = mass * length / duration.power(2);
  EXPECT_EQ(force * length, mass * length.power(2) / duration / duration);
  EXPECT_TRUE((force / force).is_dimensionless());
  EXPECT_FALSE(force == force * length);
}

TEST(Dimension, is_written_as_the_model_language_writes_units) {
  EXPECT_EQ((mass * length.power(2) / duration.power(2)).str(), "kg*m^2/s^2");
  EXPECT_EQ(duration.power(-1).str(), "1/s");
  EXPECT_EQ((length.power(3) / mass / duration.power(2)).str(), "m^3/kg/s^2");
  EXPECT_EQ(Dimension::of(Dimension::current).str(), "A");
  EXPECT_EQ(Dimension::of(Dimension::temperature, 4).str(), "K^4");
  EXPECT_EQ(Dimension::of(Dimension::amount, -1).str(), "1/mol");
  EXPECT_EQ(Dimension::of(Dimension::luminosity).str(), "cd");
}

TEST(Dimension, has_roots_down_to_twelfths) {
  EXPECT_EQ(length.power(2).power(1, 2), length);
  EXPECT_EQ(length.power(1, 3).power(3), length);
  EXPECT_EQ(length.power(1, 4) * length.power(3, 4), length);
  EXPECT_EQ(length.power(1, 2).str(), "m^(1/2)");
  EXPECT_NE(refusal([] { length.power(1, 5); }).find("'m' has no root of this order"),
            std::string::npos);
}

TEST(Dimension, any_power_of_a_pure_number_is_a_pure_number) {
  EXPECT_TRUE(Dimension().power(1, 5).is_dimensionless());
  EXPECT_TRUE(Dimension().power(123456789).is_dimensionless());
}

TEST(Dimension, refuses_exponents_that_do_not_fit) {
  const Dimension large = length.power(800);
  EXPECT_EQ(refusal([&] { (void)(large * large); }),
            "Dimension: the exponent of a unit is out of range");
  EXPECT_EQ(refusal([&] { large.power(2); }),
            "Dimension::power: the exponent of a unit is out of range");
  EXPECT_EQ(refusal([&] { length.power(1, 0); }), "Dimension::power: the exponent is out of range");
}

}  // namespace
}  // namespace visviva
