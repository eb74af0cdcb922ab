#include "visviva/report/derivation/proof_text.h"

#include "visviva/base/words.h"
#include "visviva/report/derivation/reason_text.h"

namespace visviva {
namespace {

using Claim = ProofClaim::Kind;

std::string pair_text(const MethodPair& pair) {
  return std::string(method_name(pair.method)) + " = " + std::string(method_name(pair.reference));
}

// Of both sets of equations of a pair.
std::string compared_text(Claim kind) {
  switch (kind) {
    case Claim::mass_matrix:
      return "mass matrix";
    case Claim::forcing:
      return "forcing";
    case Claim::embedded_mass_matrix:
      return "mass matrix, constraints embedded";
    case Claim::embedded_forcing:
      return "forcing, constraints embedded";
    case Claim::auxiliary_equations:
      return "auxiliary equations";
    default:
      return "constraints";
  }
}

// The name of the quantity that a claim with one pair of expressions compares.
std::string quantity_of(const ProofClaim& claim) {
  if (claim.kind == Claim::constraint_count) return "the numbers of rows differ";
  if (claim.kind == Claim::power_balance) return "dK/dt at constant speeds";
  if (!claim.energy) return "K";
  switch (claim.energy->kind) {
    case EnergyClaim::Kind::transport_power:
      return "sigma";
    case EnergyClaim::Kind::generalized_power:
      return "P";
    case EnergyClaim::Kind::E_Z_is_constant:
      return "E_Z";
    default:
      return "K";
  }
}

std::string place_text(const ProofPlace& place, const ProofClaim& claim) {
  if (place.names.empty()) return quantity_of(claim);
  return join_words(place.names) + (place.is_right_side ? ", right side" : "");
}

std::string problem_text(const ProofRemark& remark) {
  return remark.why ? write_not_embedded(*remark.why) : ModelError(remark.diagnostics).what();
}

}  // namespace

std::string write_proof_claim(const ProofClaim& claim) {
  switch (claim.kind) {
    case Claim::kinetic_energy:
      return "kinetic energy: from positions = from velocities";
    case Claim::energy:
      return write_energy_claim(*claim.energy);
    case Claim::symmetric_mass_matrix:
      return std::string(method_name(claim.pair.method)) + ": mass matrix symmetric";
    case Claim::momenta:
      return std::string(method_name(claim.pair.method)) +
             ": momenta of the mass matrix = derivatives of the kinetic energy";
    case Claim::power_balance:
      return std::string(method_name(claim.pair.method)) + ": power balance";
    default:
      return pair_text(claim.pair) + ": " + compared_text(claim.kind);
  }
}

std::string write_proof_places(const ProofStep& step) {
  if (step.claim.kind == Claim::constraint_count) return quantity_of(step.claim);
  if (step.places.empty()) return "";
  std::string text = place_text(step.places.front(), step.claim);
  for (std::size_t i = 1; i < step.places.size(); ++i)
    text += (i == 1 ? " (not equal either: " : "; ") + place_text(step.places[i], step.claim);
  return step.places.size() > 1 ? text + ")" : text;
}

std::string write_difference_term(const DifferenceTerm& term) {
  using From = DifferenceTerm::From;
  using Evidence = DifferenceTerm::Evidence;
  std::string text = (term.from == From::inertia_of_body ? "the inertia of " : "") + term.name;
  if (term.from == From::force_of_load) text += " at " + term.place;
  if (term.from == From::torque_of_load) text += " on " + term.place;
  switch (term.evidence) {
    case Evidence::one_side_only:
      return text + ": on one side only";
    case Evidence::opposite_signs:
      return text + ": with opposite signs";
    case Evidence::shared_parameters:
      break;
  }
  return text + ": its parameters occur in the difference";
}

std::string write_method_refusal(const MethodRefusal& refusal) {
  if (refusal.undefined) return refusal.undefined->problem;
  return refusal.diagnostics.empty() ? "" : refusal.diagnostics.front().message;
}

std::string write_proof_remark(const ProofRemark& remark) {
  const std::string pair = remark.pair ? pair_text(*remark.pair) : "";
  switch (remark.kind) {
    case ProofRemark::Kind::on_constraints_only:
      return pair +
             ": compared where the constraints hold; as functions of all speeds the equations are "
             "not the same";
    case ProofRemark::Kind::not_embedded:
      return pair + ": the constraints could not be embedded (" + problem_text(remark) +
             "), so the equations were compared as functions of all speeds";
    case ProofRemark::Kind::weak_bound:
      return "the bound on the chance of a false equality is weak here: the quotients in these "
             "equations may be of very high degree";
    case ProofRemark::Kind::nothing_to_compare:
      break;
  }
  return "only one method applies: there is nothing to compare it with";
}

}  // namespace visviva
