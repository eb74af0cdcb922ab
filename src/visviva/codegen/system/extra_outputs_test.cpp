// Extra outputs of compiled systems: closed forms, and the same quantities declared by the model.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "visviva/base/error.h"
#include "visviva/codegen/system/compiled_system_test.h"

namespace visviva {
namespace {

using namespace units;
using Names = std::vector<std::string>;

constexpr double earth = 9.81;

CompiledSystem compile_with(const Model& model, std::vector<ExtraOutput> extra) {
  const Equations equations = derive(analyze_motion(model));
  SystemOptions options;
  options.extra_outputs = std::move(extra);
  return compile(equations, analyze_energy(equations), options);
}

std::map<std::string, double> shown_of(const CompiledSystem& system, double t,
                                       const std::vector<double>& y) {
  const std::vector<double> quadratures(system.quadrature_names().size());
  std::vector<double> values(system.output_names().size());
  system.compute_outputs({t, y.data(), nullptr}, system.prepare(system.parameters()),
                         quadratures.data(), values.data());
  std::map<std::string, double> all;
  for (std::size_t i = 0; i < values.size(); ++i) all[system.output_names()[i]] = values[i];
  return all;
}

// A trolley of 3 kg driven along x with a damped pendulum (2 kg, 0.5 m) below.
struct DampedTrolley {
  DampedTrolley() {
    model_.particle("Q", {.at = T_ - 0.5 * m * A_.y(), .mass = 2 * kg});
    model_.gravity(-earth * m / (s * s) * N_.y());
    model_.torque("D", {.on = A_, .value = -0.3 * units::N * m * s * model_.rate(q_) * A_.z()});
  }
  Expr symbol(const std::string& name) { return model_.data().pool->symbol(name); }
  ExtraOutput scalar(const std::string& name) { return {name, {symbol(name)}}; }
  ExtraOutput vector(const std::string& name) {
    return {name, {symbol(name + ".x"), symbol(name + ".y"), symbol(name + ".z")}};
  }

  Model model_{"trolley"};
  Frame N_ = model_.newtonian();
  Quantity q_ = model_.coordinate("q");
  Quantity x_ = model_.specified("x", 0.3 * m * sin(2 * rad / s * model_.time()));
  Point T_ = model_.particle("T", {.at = N_.origin() + x_ * N_.x(), .mass = 3 * kg});
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q_));
  const Names energies_ = {"K", "K0", "K1", "K2", "U", "E_Z", "H", "sigma"};
};

class DrivenPendulum : public testing::Test, protected DampedTrolley {};

TEST_F(DrivenPendulum, shows_what_a_model_that_declares_them_shows) {
  std::vector<ExtraOutput> extra = {scalar("power(D)"), scalar("power(x)"), vector("reaction(T)")};
  for (const std::string& name : energies_) extra.push_back(scalar(name));
  const CompiledSystem system = compile_with(model_, extra);
  const std::size_t states = system.state_count();

  DampedTrolley other;
  other.model_.output("power(D)", other.model_.result("power(D)"));
  other.model_.output("power(x)", other.model_.result("power(x)"));
  other.model_.output("reaction(T)", reaction(other.model_, "T"));
  for (const std::string& name : energies_) other.model_.output(name, other.model_.result(name));
  const CompiledSystem declared = compile_with(other.model_, {});
  EXPECT_EQ(system.output_names(), declared.output_names());
  EXPECT_EQ(system.quadrature_names(), Names{"Z"});
  EXPECT_EQ(states, 2u);
  for (const double t : {0.2, 1.1}) {
    const auto found = shown_of(system, t, {0.6, -0.4}),
               expected = shown_of(declared, t, {0.6, -0.4});
    for (const auto& [name, value] : expected)
      EXPECT_NEAR(found.at(name), value, long_rounding) << name;
  }
}

// Power of the damper -c q'^2; positions, and the velocity of Q as x' + 0.5 q' cos q.
TEST_F(DrivenPendulum, shows_closed_forms) {
  model_.output("own", q_);
  const Kinematics motion = analyze_motion(model_);
  const Point Q = motion.points().back();
  const Column3 p = (Q - N_.origin()).in(N_), v = motion.velocity(Q).in(N_);
  const CompiledSystem system =
      compile_with(model_, {scalar("power(D)"), {"p", {p[0], p[1], p[2]}}, {"vx", {v[0]}}});
  EXPECT_EQ(system.output_names(), (Names{"own", "power(D)", "p.x", "p.y", "p.z", "vx"}));
  EXPECT_TRUE(system.other_outputs().empty());
  const double t = 0.7, q = 0.6, u = -0.4;
  auto found = shown_of(system, t, {q, u});
  EXPECT_NEAR(found["power(D)"], -0.3 * u * u, long_rounding);
  EXPECT_NEAR(found["p.x"], 0.3 * std::sin(2 * t) + 0.5 * std::sin(q), long_rounding);
  EXPECT_NEAR(found["p.y"], -0.5 * std::cos(q), long_rounding);
  EXPECT_NEAR(found["p.z"], 0, long_rounding);
  EXPECT_NEAR(found["vx"], 0.6 * std::cos(2 * t) + 0.5 * u * std::cos(q), long_rounding);
}

TEST_F(DrivenPendulum, integrates_work_when_it_is_asked_for) {
  const CompiledSystem system = compile_with(model_, {scalar("work(D)")});
  EXPECT_EQ(system.quadrature_names(), (Names{"Z", "work(D)"}));
  const std::vector<double> y = {0.6, -0.4};
  double rates[4];
  system.compute_rates_and_quadratures({0.2, y.data(), nullptr}, system.prepare({}), rates);
  EXPECT_NEAR(rates[3], -0.3 * 0.4 * 0.4, long_rounding);
}

TEST_F(DrivenPendulum, leaves_out_what_is_no_function_of_the_motion) {
  const CompiledSystem system =
      compile_with(model_, {{"strange", {symbol("nobody")}}, scalar("K")});
  EXPECT_EQ(system.other_outputs(), Names{"strange"});
  EXPECT_EQ(system.output_names(), Names{"K"});
}

TEST_F(DrivenPendulum, keeps_one_meaning_a_name) {
  model_.output("K", model_.result("K"));
  EXPECT_EQ(compile_with(model_, {scalar("K")}).output_names(), Names{"K"});
  EXPECT_THROW(compile_with(model_, {{"K", {symbol("U")}}}), UsageError);
  EXPECT_THROW(compile_with(model_, {{"two", {symbol("K"), symbol("U")}}}), UsageError);
}

// A sphere of which nothing needs the orientation.
TEST(ExtraOutputs, of_a_hidden_orientation_keep_its_states) {
  Model model("sphere");
  const Frame N = model.newtonian();
  const Quantity w = model.speed("w");
  const Frame W = model.frame("W", spin(N, w * N.z()));
  model.body(W, {.at = N.origin(), .mass = 3 * kg, .solid = sphere(0.2 * m)});
  EXPECT_EQ(compile_with(model, {}).state_names(), Names{"w"});
  const Column3 x = W.x().in(N);
  const CompiledSystem system = compile_with(model, {{"axis", {x[0], x[1], x[2]}}});
  ASSERT_EQ(system.state_count(), 2u);
  EXPECT_EQ(system.configuration_count(), 1u);
  EXPECT_EQ(system.quadrature_names(), Names{"Z"});
  // An angle about z.
  auto found = shown_of(system, 0, {0.7, 2.0});
  EXPECT_NEAR(found["axis.x"], std::cos(0.7), long_rounding);
  EXPECT_NEAR(found["axis.y"], std::sin(0.7), long_rounding);
  double rates[2];
  const double y[] = {0.7, 2.0};
  system.compute_rates({0, y, nullptr}, system.prepare({}), rates);
  EXPECT_NEAR(rates[0], 2.0, long_rounding);
}

}  // namespace
}  // namespace visviva
