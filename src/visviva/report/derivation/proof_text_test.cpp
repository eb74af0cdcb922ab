// The words of proofs and of the reasons that equations give: one sentence for each kind, as users
// have read it.
#include "visviva/report/derivation/proof_text.h"

#include <gtest/gtest.h>

#include "visviva/report/derivation/reason_text.h"

namespace visviva {
namespace {

using Claim = ProofClaim::Kind;
constexpr MethodPair pair{Method::lagrange, Method::kane};

TEST(ProofText, of_claims) {
  EXPECT_EQ(write_proof_claim({Claim::kinetic_energy}),
            "kinetic energy: from positions = from velocities");
  EXPECT_EQ(write_proof_claim({Claim::symmetric_mass_matrix, pair}),
            "lagrange: mass matrix symmetric");
  EXPECT_EQ(write_proof_claim({Claim::momenta, pair}),
            "lagrange: momenta of the mass matrix = derivatives of the kinetic energy");
  EXPECT_EQ(write_proof_claim({Claim::power_balance, pair}), "lagrange: power balance");
  EXPECT_EQ(write_proof_claim({Claim::constraint_count, pair}), "lagrange = kane: constraints");
  EXPECT_EQ(write_proof_claim({Claim::constraints, pair}), "lagrange = kane: constraints");
  EXPECT_EQ(write_proof_claim({Claim::mass_matrix, pair}), "lagrange = kane: mass matrix");
  EXPECT_EQ(write_proof_claim({Claim::forcing, {Method::newton_euler, Method::kane}}),
            "newton-euler = kane: forcing");
  EXPECT_EQ(write_proof_claim({Claim::embedded_mass_matrix, pair}),
            "lagrange = kane: mass matrix, constraints embedded");
  EXPECT_EQ(write_proof_claim({Claim::embedded_forcing, pair}),
            "lagrange = kane: forcing, constraints embedded");
  EXPECT_EQ(write_proof_claim({Claim::auxiliary_equations, pair}),
            "lagrange = kane: auxiliary equations");
}

TEST(ProofText, of_claims_about_energy) {
  using Kind = EnergyClaim::Kind;
  const auto text = [](const EnergyClaim& claim) {
    return write_proof_claim({.kind = Claim::energy, .energy = claim});
  };
  EXPECT_EQ(text({Kind::kinetic_energy_by_degrees}), "kinetic energy by degrees: K = K0 + K1 + K2");
  EXPECT_EQ(text({Kind::transport_power}), "sigma - sigma_R = dK0/dt");
  EXPECT_EQ(text({Kind::generalized_power}), "generalized power = sum of F_r u_r");
  EXPECT_EQ(text({Kind::slopes_of_K2, Method::kane}), "kane: dK2/du = M (u - w)");
  EXPECT_EQ(text({Kind::E_Z_is_constant, Method::hamilton}), "hamilton: dE_Z/dt = 0");
}

TEST(ProofText, of_places) {
  ProofStep step{{Claim::mass_matrix, pair}, Verdict::different};
  step.places = {{{"q1'", "q2'"}}};
  EXPECT_EQ(write_proof_places(step), "q1', q2'");
  step.places.push_back({{"q1'", "z'"}});
  step.places.push_back({{"q2'", "q1'"}});
  EXPECT_EQ(write_proof_places(step), "q1', q2' (not equal either: q1', z'; q2', q1')");
  step = {{Claim::constraints, pair}, Verdict::different};
  step.places = {{{"wall"}, true}, {{"wall", "x'"}}};
  EXPECT_EQ(write_proof_places(step), "wall, right side (not equal either: wall, x')");
  EXPECT_EQ(write_proof_places({{Claim::constraint_count, pair}}), "the numbers of rows differ");
}

TEST(ProofText, of_places_without_a_name) {
  const auto text = [](const ProofClaim& claim) {
    ProofStep step{claim, Verdict::different};
    step.places = {{}};
    return write_proof_places(step);
  };
  using Kind = EnergyClaim::Kind;
  EXPECT_EQ(text({Claim::kinetic_energy}), "K");
  EXPECT_EQ(text({Claim::power_balance, pair}), "dK/dt at constant speeds");
  const auto of_energy = [&](const EnergyClaim& claim) {
    return text({.kind = Claim::energy, .energy = claim});
  };
  EXPECT_EQ(of_energy({Kind::kinetic_energy_by_degrees}), "K");
  EXPECT_EQ(of_energy({Kind::transport_power}), "sigma");
  EXPECT_EQ(of_energy({Kind::generalized_power}), "P");
  EXPECT_EQ(of_energy({Kind::E_Z_is_constant, Method::kane}), "E_Z");
}

TEST(ProofText, of_terms) {
  using From = DifferenceTerm::From;
  using Evidence = DifferenceTerm::Evidence;
  EXPECT_EQ(write_difference_term({From::load, "coil", "", Evidence::opposite_signs}),
            "coil: with opposite signs");
  EXPECT_EQ(write_difference_term({From::force_of_load, "pull", "Acm", Evidence::one_side_only}),
            "pull at Acm: on one side only");
  EXPECT_EQ(write_difference_term({From::torque_of_load, "motor", "B", Evidence::one_side_only}),
            "motor on B: on one side only");
  EXPECT_EQ(write_difference_term({From::inertia_of_body, "B", "", Evidence::shared_parameters}),
            "the inertia of B: its parameters occur in the difference");
}

TEST(ProofText, of_refusals_and_remarks) {
  const Undefined undefined{Undefined::Kind::zero_divisor, "by zero"};
  const Diagnostic wrong{Severity::error, "E-no", "it is wrong", "mend it", {}};
  EXPECT_EQ(write_method_refusal({Method::hamilton, undefined}), "by zero");
  EXPECT_EQ(write_method_refusal({Method::hamilton, {}, {wrong}}), "it is wrong");
  using Kind = ProofRemark::Kind;
  EXPECT_EQ(write_proof_remark({Kind::on_constraints_only, pair}),
            "lagrange = kane: compared where the constraints hold; as functions of all speeds the "
            "equations are not the same");
  EXPECT_EQ(write_proof_remark({Kind::not_embedded, pair, NotEmbedded{}}),
            "lagrange = kane: the constraints could not be embedded (the constraints do not "
            "determine as many speeds as they seem to at the start: they contradict each other "
            "there), so the equations were compared as functions of all speeds");
  EXPECT_EQ(write_proof_remark({Kind::not_embedded, pair, {}, {wrong}}),
            "lagrange = kane: the constraints could not be embedded (E-no: it is wrong (mend it)), "
            "so the equations were compared as functions of all speeds");
  EXPECT_EQ(write_proof_remark({Kind::nothing_to_compare}),
            "only one method applies: there is nothing to compare it with");
  EXPECT_EQ(write_not_embedded({NotEmbedded::Kind::undefined, undefined}), "by zero");
}

TEST(LoadText, of_loads_without_effect) {
  using Kind = Noncontributing::Kind;
  const auto text = [](Kind kind) {
    return write_noncontributing_reason({"load", kind, {"P", "Q"}});
  };
  EXPECT_EQ(text(Kind::at_rest), "what it acts on does not move");
  EXPECT_EQ(text(Kind::on_given_motion),
            "the motion of what it acts on is given: no speed changes it");
  EXPECT_EQ(text(Kind::along_constant_length),
            "it acts along the line between P and Q, whose distance no speed changes");
  EXPECT_EQ(text(Kind::cancelling),
            "together its parts have no component along any partial velocity");
  EXPECT_EQ(text(Kind::perpendicular_torque),
            "it is perpendicular to every partial angular velocity of what it acts on");
  EXPECT_EQ(text(Kind::perpendicular_force),
            "it is perpendicular to every partial velocity of the point it acts on");
}

}  // namespace
}  // namespace visviva
