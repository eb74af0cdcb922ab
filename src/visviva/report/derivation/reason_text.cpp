#include "visviva/report/derivation/reason_text.h"

namespace visviva {
namespace {

std::string energy_formula(EnergyClaim::Kind kind) {
  switch (kind) {
    case EnergyClaim::Kind::kinetic_energy_by_degrees:
      return "kinetic energy by degrees: K = K0 + K1 + K2";
    case EnergyClaim::Kind::transport_power:
      return "sigma - sigma_R = dK0/dt";
    case EnergyClaim::Kind::generalized_power:
      return "generalized power = sum of F_r u_r";
    case EnergyClaim::Kind::slopes_of_K2:
      return "dK2/du = M (u - w)";
    case EnergyClaim::Kind::E_Z_is_constant:
      break;
  }
  return "dE_Z/dt = 0";
}

}  // namespace

std::string write_noncontributing_reason(const Noncontributing& load) {
  switch (load.kind) {
    case Noncontributing::Kind::at_rest:
      return "what it acts on does not move";
    case Noncontributing::Kind::on_given_motion:
      return "the motion of what it acts on is given: no speed changes it";
    case Noncontributing::Kind::along_constant_length:
      return "it acts along the line between " + load.points[0] + " and " + load.points[1] +
             ", whose distance no speed changes";
    case Noncontributing::Kind::cancelling:
      return "together its parts have no component along any partial velocity";
    case Noncontributing::Kind::perpendicular_torque:
      return "it is perpendicular to every partial angular velocity of what it acts on";
    case Noncontributing::Kind::against_constraints:
      return "it does no work in any motion that the constraints allow: only their reactions know "
             "it";
    case Noncontributing::Kind::same_as_constraint:
      return "a constraint does the same: the reaction of that includes it";
    case Noncontributing::Kind::perpendicular_force:
      break;
  }
  return "it is perpendicular to every partial velocity of the point it acts on";
}

std::string write_not_embedded(const NotEmbedded& why) {
  return why.undefined ? why.undefined->problem
                       : "the constraints do not determine as many speeds as they seem to at the "
                         "start: they contradict each other there";
}

std::string write_energy_claim(const EnergyClaim& claim) {
  const std::string formula = energy_formula(claim.kind);
  return claim.method ? std::string(method_name(*claim.method)) + ": " + formula : formula;
}

}  // namespace visviva
