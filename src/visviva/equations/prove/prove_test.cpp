// Equations made wrong on purpose: the comparison must say so, say where, and show a state at which
// it is so.
#include "visviva/equations/prove/prove.h"
#include "visviva/equations/methods/derive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "visviva/base/refusal_test.h"
#include "visviva/base/words.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using namespace units;

using Claim = ProofClaim::Kind;
using From = DifferenceTerm::From;
using Evidence = DifferenceTerm::Evidence;
using Names = std::vector<std::string>;

// Of the equations by Lagrange: alone, or against those by Kane.
ProofClaim of_lagrange(Claim kind) { return {kind, {Method::lagrange, Method::lagrange}}; }
ProofClaim against_kane(Claim kind, Method method = Method::lagrange) {
  return {kind, {method, Method::kane}};
}

const ProofStep* find_step(const Proof& proof, const ProofClaim& claim) {
  for (const ProofStep& step : proof.steps) {
    if (step.claim == claim) return &step;
  }
  return nullptr;
}

std::string describe(const Proof& proof) {
  std::string text;
  for (const ProofStep& step : proof.steps)
    text += "claim " + std::to_string(static_cast<int>(step.claim.kind)) + " of " +
            std::string(method_name(step.claim.pair.method)) + ": " +
            (step.verdict == Verdict::equal       ? "equal"
             : step.verdict == Verdict::different ? "different"
                                                  : "undecided") +
            " " + (step.places.empty() ? "" : join_words(step.places[0].names)) + "\n";
  for (const MethodRefusal& r : proof.refusals)
    text += "refused: " + std::string(method_name(r.method)) + "\n";
  for (const ProofRemark& r : proof.remarks)
    text += "remark " + std::to_string(static_cast<int>(r.kind)) + "\n";
  return text;
}

void expect_proved(const Model& model) {
  const Proof proof = prove(analyze_motion(model));
  EXPECT_EQ(proof.verdict, Verdict::equal) << describe(proof);
  EXPECT_EQ(proof.methods.size(), 4u) << describe(proof);
  EXPECT_TRUE(proof.refusals.empty());
  EXPECT_GT(proof.error_probability, 0.0);
  // The bound is a product over two fields of 61 bits: even models of high degree stay far below
  // this.
  EXPECT_LT(proof.error_probability, 1e-15);
}

// An expression at the state of a witness.
double value_at(const ProofStep& step, const Expr& e) {
  std::map<std::string, double> state(step.witness.begin(), step.witness.end());
  std::vector<Expr> symbols = free_symbols(e);
  std::vector<double> values;
  for (const Expr& s : symbols) {
    const std::string& name = s.home().symbol_name(s.ref());
    EXPECT_TRUE(state.count(name)) << "the witness lacks " << name;
    values.push_back(state[name]);
  }
  return evaluate(e, symbols, values);
}

// The witness shows what the step says, by plain evaluation.
void expect_witness(const ProofStep& step, const Expr& left, const Expr& right) {
  const double a = value_at(step, left), b = value_at(step, right);
  const double rounding =
      1e-9 * (1 + std::fabs(a) + std::fabs(b));  // the state is given in doubles
  EXPECT_NEAR(step.left, a, rounding);
  EXPECT_NEAR(step.right, b, rounding);
  EXPECT_GT(std::fabs(a - b), rounding) << "no difference to see";
}

// ---- A machine with a bit of everything: two links and a slider in a turned plane, driven,
// sprung, damped

class Machine : public testing::Test {
 protected:
  Machine() {
    const Quantity w = model_.parameter("omega", 2 / s), L = model_.parameter("L", 0.7 * m);
    const Quantity g = model_.parameter("g", 9.81 * m / (s * s)),
                   I = model_.parameter("I", 0.3 * kg * m * m);
    const Quantity q1 = model_.coordinate("q1"), q2 = model_.coordinate("q2");
    const Quantity z = model_.coordinate("z", {.start = 0.4 * m}),
                   y = model_.specified("y", m.dimension());
    const Frame A = model_.frame(
        "A", rotate(model_.frame("T", rotate(N_, Axis::y, w * model_.time())), Axis::z, q1));
    const Frame B = model_.frame("B", rotate(A, Axis::x, q2));
    const Point P = model_.body(A, {.at = N_.origin() + y * N_.y() + L * A.x(),
                                    .mass = model_.parameter("mA", 2 * kg),
                                    .inertia = {I, 2 * I, 2 * I}});
    const Point Q = model_.body(
        B, {.at = P + z * B.y(), .mass = model_.parameter("mB", 1 * kg), .inertia = {I, I, 3 * I}});
    model_.gravity(-g * N_.y());
    const Quantity b = model_.parameter("b", 0.4 * N * s / m);
    model_.force(
        "pull",
        {.on = Q, .from = P, .value = model_.parameter("F", 3 * N) * A.x() - b * velocity(Q)});
    model_.spring("coil",
                  {.on = q1, .stiffness = model_.parameter("k", 2 * N * m), .rest = 0.1 * rad});
    model_.damper("oil", {.on = z, .rate = model_.parameter("c", 1 * N * s / m)});
  }

  Equations kane() { return derive(motion(), Method::kane); }
  Equations lagrange() { return derive(motion(), Method::lagrange); }
  const Kinematics& motion() {
    if (!motion_) motion_ = analyze_motion(model_);
    return *motion_;
  }
  Expr symbol(const std::string& name) { return model_.data().pool->symbol(name); }

  Model model_{"machine"};
  Frame N_ = model_.newtonian();
  std::optional<Kinematics> motion_;
};

TEST_F(Machine, the_four_methods_agree) { expect_proved(model_); }

TEST_F(Machine, what_was_compared_is_listed) {
  const Proof proof = prove(motion());
  const std::vector<ProofClaim> claims = {
      {Claim::kinetic_energy},
      {Claim::symmetric_mass_matrix, {Method::kane, Method::kane}},
      {Claim::power_balance, {Method::newton_euler, Method::newton_euler}},
      against_kane(Claim::mass_matrix),
      against_kane(Claim::forcing, Method::hamilton),
      {.kind = Claim::energy, .energy = EnergyClaim{EnergyClaim::Kind::generalized_power}},
      {.kind = Claim::energy,
       .energy = EnergyClaim{EnergyClaim::Kind::E_Z_is_constant, Method::lagrange}}};
  for (std::size_t i = 0; i < claims.size(); ++i)
    ASSERT_NE(find_step(proof, claims[i]), nullptr) << i << "\n" << describe(proof);
}

class Mutations : public Machine {
 protected:
  /// The equations by Lagrange, changed, against those by Kane.
  Proof mislead(const std::function<void(Equations&)>& change) {
    Equations wrong = lagrange();
    right_ = std::make_unique<Equations>(kane());
    change(wrong);
    wrong_ = std::make_unique<Equations>(wrong);
    return compare_equations({*right_, wrong});
  }
  void expect_forcing_named(const Proof& proof, std::size_t r, const DifferenceTerm& term) {
    EXPECT_EQ(proof.verdict, Verdict::different) << describe(proof);
    const ProofStep* step = find_step(proof, against_kane(Claim::forcing));
    ASSERT_NE(step, nullptr);
    EXPECT_EQ(step->verdict, Verdict::different);
    ASSERT_FALSE(step->places.empty());
    EXPECT_EQ(step->places[0].names, std::vector<std::string>{motion().speeds()[r].name});
    expect_witness(*step, wrong_->forcing[r], right_->forcing[r]);
    EXPECT_FALSE(step->witness.empty());
    EXPECT_EQ(std::count(step->terms.begin(), step->terms.end(), term), 1)
        << "expected " << term.name
        << ", first: " << (step->terms.empty() ? "none" : step->terms[0].name);
    EXPECT_EQ(find_step(proof, against_kane(Claim::mass_matrix))->verdict, Verdict::equal);
  }
  std::unique_ptr<Equations> right_, wrong_;
};

TEST_F(Mutations, a_flipped_sign_of_a_spring_is_found_and_named) {
  const Proof proof = mislead([&](Equations& e) {
    e.forcing[0] += 2.0 * symbol("k") * (symbol("q1") - 0.1);  // -k (q1 - 0.1) becomes its opposite
  });
  expect_forcing_named(proof, 0, {From::load, "coil", "", Evidence::opposite_signs});
}

TEST_F(Mutations, a_lost_reaction_is_found_and_named) {
  const Proof proof = mislead([&](Equations& e) {
    for (const Load& load : collect_loads(motion())) {
      if (load.name != "pull") continue;
      Load reaction = load;
      reaction.forces = {load.forces.at(1)};
      // Only q1' moves A's mass center.
      e.forcing[0] -= compute_generalized_forces(motion(), reaction)[0];
    }
  });
  expect_forcing_named(proof, 0, {From::force_of_load, "pull", "Acm", Evidence::one_side_only});
}

TEST_F(Mutations, a_wrong_coriolis_factor_is_found_and_its_body_named) {
  // 2 mB z z' q2' becomes mB z z' q2'.
  const Proof proof = mislead([&](Equations& e) {
    e.forcing[1] += symbol("mB") * symbol("z") * symbol("z'") * symbol("q2'");
  });
  expect_forcing_named(proof, 1, {From::inertia_of_body, "B", "", Evidence::shared_parameters});
  EXPECT_EQ(find_step(proof, of_lagrange(Claim::power_balance))->verdict, Verdict::different);
}

TEST_F(Mutations, a_lost_weight_is_found_and_named) {
  const Proof proof = mislead([&](Equations& e) {
    for (const Load& load : collect_loads(motion())) {
      if (load.name == "gravity on B")
        e.forcing[2] -= compute_generalized_forces(motion(), load)[2];
    }
  });
  expect_forcing_named(proof, 2, {From::load, "gravity on B", "", Evidence::one_side_only});
}

TEST_F(Mutations, a_tiny_change_of_one_number_is_found) {
  const Proof proof = mislead([&](Equations& e) { e.forcing[2] += e.forcing[2] * 1e-15; });
  EXPECT_EQ(proof.verdict, Verdict::different);
  EXPECT_EQ(find_step(proof, against_kane(Claim::forcing))->places.at(0).names, Names{"z'"});
}

TEST_F(Mutations, exchanged_entries_of_the_mass_matrix_are_found) {
  const Proof proof =
      mislead([](Equations& e) { std::swap(e.mass_matrix[0][1], e.mass_matrix[0][2]); });
  EXPECT_EQ(proof.verdict, Verdict::different);
  const ProofStep* step = find_step(proof, against_kane(Claim::mass_matrix));
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->verdict, Verdict::different);
  ASSERT_EQ(step->places.size(), 2u);
  EXPECT_EQ(step->places[0].names, (Names{"q1'", "q2'"}));
  EXPECT_EQ(step->places[1].names, (Names{"q1'", "z'"}));
  expect_witness(*step, wrong_->mass_matrix[0][1], right_->mass_matrix[0][1]);
  EXPECT_EQ(find_step(proof, of_lagrange(Claim::symmetric_mass_matrix))->verdict,
            Verdict::different);
  EXPECT_EQ(find_step(proof, {Claim::symmetric_mass_matrix, {Method::kane, Method::kane}})->verdict,
            Verdict::equal);
  EXPECT_EQ(find_step(proof, against_kane(Claim::forcing))->verdict, Verdict::equal);
}

// A symmetric mistake that the symmetry check cannot see.
TEST_F(Mutations, a_mass_counted_twice_is_found_and_its_body_named) {
  const Proof proof = mislead([&](Equations& e) { e.mass_matrix[2][2] += symbol("mB"); });
  const ProofStep* step = find_step(proof, against_kane(Claim::mass_matrix));
  EXPECT_EQ(step->places.at(0).names, (Names{"z'", "z'"}));
  ASSERT_FALSE(step->terms.empty());
  EXPECT_EQ(step->terms[0],
            (DifferenceTerm{From::inertia_of_body, "B", "", Evidence::one_side_only}));
  EXPECT_EQ(find_step(proof, of_lagrange(Claim::momenta))->places.at(0).names, Names{"z'"});
}

TEST_F(Mutations, one_set_of_equations_alone_proves_no_agreement) {
  const Proof alone = compare_equations({kane()});
  EXPECT_EQ(alone.verdict, Verdict::undecided);
  ASSERT_EQ(alone.remarks.size(), 1u);
  EXPECT_EQ(alone.remarks[0].kind, ProofRemark::Kind::nothing_to_compare);
}

TEST_F(Mutations, equations_of_another_model_are_refused) {
  Model other("other");
  other.particle("P", {.at = other.newtonian().origin() +
                             other.coordinate("x", {.start = 0 * m}) * other.newtonian().x(),
                       .mass = 1 * kg});
  const Equations stranger = derive(analyze_motion(other));
  EXPECT_TRUE(says(refusal([&] {
                     compare_equations({kane(), stranger});
                   }),
                   "compare_equations", "another model"));
}

// Gudermann's function in two forms that the fields cannot relate: neither proved nor refuted.
TEST_F(Mutations, what_cannot_be_decided_is_called_undecided) {
  const Proof proof = mislead(
      [&](Equations& e) { e.forcing[0] += atan(sinh(symbol("k"))) - asin(tanh(symbol("k"))); });
  EXPECT_EQ(proof.verdict, Verdict::undecided) << describe(proof);
  EXPECT_EQ(find_step(proof, against_kane(Claim::forcing))->places.at(0).names, Names{"q1'"});
}

// ---- Models of many kinds

TEST(Prove, a_quaternion_body_and_a_spin_frame_with_odd_speeds_agree) {
  Model model("bodies");
  const Frame N0 = model.newtonian();
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame D = model.frame("D", quaternion(N0, e));
  const Quantity I = model.parameter("I", 1 * kg * m * m), L = model.parameter("L", 0.3 * m);
  const Quantity w1 = model.speed("w1"), w2 = model.speed("w2"), w3 = model.speed("w3");
  const Quantity x = model.coordinate("x", {.start = 0 * m}), q = model.coordinate("q");
  const Quantity v =
      model.speed("v", model.rate(x) * (2 + sin(q)) + L * model.rate(q) * cos(model.time() / s));
  model.speed("u", model.rate(q));
  const Point P = model.body(D, {.at = N0.origin() + L * D.x() + x * D.z(),
                                 .mass = 2 * kg,
                                 .inertia = {I, 2 * I, 2.5 * I, 0.1 * I}});
  const Frame W = model.frame(
      "W", spin(D, w1 * D.x() + (w2 + 0.3 * model.rate(q)) * N0.y() + w3 * (D.z() + N0.x())));
  const Point Q = model.body(
      W,
      {.at = P + L * W.y() + x * N0.x() * sin(q), .mass = 1 * kg, .inertia = {I, 1.5 * I, 2 * I}});
  model.gravity(-9.81 * m / (s * s) * N0.z());
  model.spring("S", {.from = P, .to = Q, .stiffness = 3 * N / m, .rest = 0.2 * m});
  model.damper("B", {.from = N0.origin(), .to = Q, .rate = 1 * N * s / m});
  model.torque("T", {.on = W,
                     .from = D,
                     .value = -0.2 * N * m * s * (angular_velocity(W) - angular_velocity(D))});
  model.force("F", {.on = P, .body = W, .value = 2 * N * D.y()});
  model.dissipation("R", 0.5 * N * s / m * v * v / 2);
  expect_proved(model);
}

// The rolling disc: three constraints, compared as functions of all speeds.
TEST(Prove, a_rolling_disc_with_its_constraints_agrees) {
  Model model("disc");
  const Frame N0 = model.newtonian();
  const Quantity q1 = model.coordinate("q1"), q2 = model.coordinate("q2"),
                 q3 = model.coordinate("q3");
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = 0 * m});
  const Quantity z = model.coordinate("z", {.start = 0.5 * m}), r = model.parameter("r", 0.5 * m);
  const Frame A = model.frame("A", rotate(N0, Axis::z, q1)),
              L = model.frame("L", rotate(A, Axis::x, q2));
  const Frame D = model.frame("D", rotate(L, Axis::y, q3));
  for (const auto& [name, axis] :
       {std::pair("u1", L.x()), std::pair("u2", L.y()), std::pair("u3", L.z())})
    model.speed(name, dot(angular_velocity(D), axis));
  const Point C = model.body(D, {.at = N0.origin() + x * N0.x() + y * N0.y() + z * N0.z(),
                                 .mass = 1 * kg,
                                 .solid = disc(r, Axis::y)});
  model.gravity(-9.81 * m / (s * s) * N0.z());
  model.roll("contact", {.body = D, .on = N0, .at = C - r * L.z()});
  expect_proved(model);
  const Proof proof = prove(analyze_motion(model));
  ASSERT_NE(find_step(proof, against_kane(Claim::constraints)), nullptr);
}

// Equations that differ off the constraint and agree on it: the slip speed times anything may be
// added to the forcing.
TEST(Prove, equations_that_agree_only_where_the_constraints_hold_are_equal_and_a_remark_says_so) {
  Model model("slider");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = 0 * m});
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 1 * kg});
  model.constraint("slope", model.rate(y) - 2 * model.rate(x));
  const Kinematics motion = analyze_motion(model);
  const Equations right = derive(motion);
  Equations other = right;
  other.method = Method::lagrange;
  const Expr slip = motion.speeds()[1].u - 2.0 * motion.speeds()[0].u;
  other.forcing[0] += slip * 3.0;
  const Proof equal = compare_equations({right, other});
  const ProofStep* step = find_step(equal, against_kane(Claim::embedded_forcing));
  ASSERT_NE(step, nullptr) << describe(equal);
  EXPECT_EQ(step->verdict, Verdict::equal);
  ASSERT_FALSE(equal.remarks.empty());
  EXPECT_EQ(equal.remarks[0].kind, ProofRemark::Kind::on_constraints_only);
  EXPECT_EQ(equal.remarks[0].pair, (MethodPair{Method::lagrange, Method::kane}));

  other.forcing[0] += motion.speeds()[0].u;
  const Proof different = compare_equations({right, other});
  EXPECT_EQ(different.verdict, Verdict::different);
  EXPECT_EQ(find_step(different, against_kane(Claim::embedded_forcing))->places.at(0).names,
            Names{"x'"});
}

TEST(Prove, a_model_where_everything_is_driven_agrees) {
  Model model("driven");
  const Frame N0 = model.newtonian();
  const Quantity q = model.specified("q", Dimension());
  const Frame A = model.frame("A", rotate(N0, Axis::z, q));
  model.particle("P", {.at = N0.origin() + 1 * m * A.x(), .mass = 1 * kg});
  const Proof proof = prove(analyze_motion(model));
  EXPECT_EQ(proof.verdict, Verdict::equal) << describe(proof);
}

}  // namespace
}  // namespace visviva
