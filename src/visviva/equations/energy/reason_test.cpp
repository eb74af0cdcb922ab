// Reasons of verdicts about energies and momenta, as data: kinds, names, expressions, conditions.
#include "visviva/equations/energy/reason.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/find_integrals.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using namespace units;
using Kind = Reason::Kind;

const Integral& find_integral(const std::vector<Integral>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Integral& i) { return i.name == name; });
  if (found == list.end()) throw std::runtime_error("no integral " + name);
  return *found;
}

const Reason* find_kind(const Reasons& reasons, Kind kind) {
  const auto found =
      std::find_if(reasons.begin(), reasons.end(), [&](const Reason& r) { return r.kind == kind; });
  return found == reasons.end() ? nullptr : &*found;
}

// m x'' = -k x - b x' on a line, and free along y.
class Slider : public testing::Test {
 protected:
  Integrals integrals(double damping) {
    const Frame N_ = model_.newtonian();
    const Quantity mass = model_.parameter("m", 2 * kg), k = model_.parameter("k", 50 * N / m);
    const Quantity b = model_.parameter("b", damping * N * s / m);
    const Quantity x = model_.coordinate("x", {.start = 0.1 * m}), y = model_.coordinate("y");
    model_.particle("Q", {.at = N_.origin() + x * N_.x() + y * N_.y(), .mass = mass});
    model_.spring("S", {.on = x, .stiffness = k, .rest = 0 * m});
    model_.damper("D", {.on = x, .rate = b});
    return find_integrals(analyze_energy(derive(analyze_motion(model_))));
  }
  Model model_{"slider"};
};

TEST_F(Slider, what_is_not_zero_carries_its_expression) {
  const Integrals found = integrals(3.0);
  const Integral& E = find_integral(found.energies, "E");
  EXPECT_EQ(E.constancy, Constancy::not_constant);
  ASSERT_EQ(E.reasons.size(), 1u);
  EXPECT_EQ(E.reasons[0].kind, Kind::is_not_zero);
  EXPECT_EQ(E.reasons[0].of, Ingredient::P_nonconservative);
  EXPECT_TRUE(E.reasons[0].expression.valid());
  EXPECT_FALSE(E.reasons[0].expression.is_zero());
}

TEST_F(Slider, a_value_that_makes_it_zero_is_the_condition) {
  const Integrals found = integrals(0.0);
  const Integral& E = find_integral(found.energies, "E");
  EXPECT_EQ(E.constancy, Constancy::constant);
  const Reason* reason = find_kind(E.reasons, Kind::vanishes_for_values);
  ASSERT_NE(reason, nullptr);
  EXPECT_EQ(reason->of, Ingredient::P_nonconservative);
  ASSERT_EQ(reason->condition.size(), 1u);
  EXPECT_EQ(reason->condition[0].first, model_.data().pool->symbol("b"));
  EXPECT_TRUE(reason->condition[0].second.is_zero());
}

TEST_F(Slider, an_ignorable_coordinate_is_named) {
  const Integrals found = integrals(3.0);
  const Integral& p = find_integral(found.momenta, "p_y");
  EXPECT_EQ(p.definition.kind, IntegralDefinition::Kind::formula);
  EXPECT_EQ(p.definition.formula, "dK/dy'");
  ASSERT_FALSE(p.reasons.empty());
  EXPECT_EQ(p.reasons[0].kind, Kind::ignorable);
  EXPECT_EQ(p.reasons[0].names, std::vector<std::string>{"y"});
}

TEST_F(Slider, what_needs_a_potential_energy_says_as_which_integral_it_is) {
  const Integrals found = integrals(3.0);
  const Integral& C = find_integral(found.energies, "mechanical_energy");
  EXPECT_TRUE(C.definition.needs_potential_energy);
  EXPECT_EQ(C.definition.formula, "K + U");
  ASSERT_FALSE(C.reasons.empty());
  EXPECT_EQ(C.reasons[0].kind, Kind::as_with_potential_energy);
  EXPECT_EQ(C.reasons[0].names, std::vector<std::string>{"C"});
  ASSERT_EQ(found.potential_energy.reasons.size(), 1u);
  EXPECT_EQ(found.potential_energy.reasons[0].kind, Kind::potential_energy_complete);
}

TEST(NotEmbedded, has_a_kind_and_what_the_arithmetic_says) {
  Model model("line");
  const Frame N_ = model.newtonian();
  const Quantity mass = model.parameter("m", 2 * kg);
  const Quantity x = model.coordinate("x", {.start = 1 * m});
  model.particle("Q", {.at = N_.origin() + x * N_.x(), .mass = mass});
  const auto good = try_analyze_energy(derive(analyze_motion(model)));
  ASSERT_TRUE(good);
  EXPECT_EQ(good->embedded.independent.size(), 1u);
  NotEmbedded why{NotEmbedded::Kind::contradictory};
  EXPECT_EQ(make_embedding_error(why).function(), "embed_constraints");
  EXPECT_NE(make_embedding_error(why).problem().find("contradict"), std::string::npos);
  why = {NotEmbedded::Kind::undefined, Undefined{Undefined::Kind::zero_divisor, "by zero"}};
  EXPECT_EQ(make_embedding_error(why).problem(), "by zero");
}

}  // namespace
}  // namespace visviva
