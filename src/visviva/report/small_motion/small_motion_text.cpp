#include "visviva/report/small_motion/small_motion_text.h"

#include <fmt/format.h>

#include <cmath>

#include "visviva/base/words.h"

namespace visviva {
namespace {

using Kind = SmallMotionReason::Kind;

std::string write_failure(const SmallMotionReason& r) {
  switch (r.kind) {
    case Kind::term_not_finite:
      return "the equations cannot be evaluated at this state: a term is not finite";
    case Kind::slope_not_finite:
      return "the equations have no finite slope at this state";
    case Kind::no_accelerations:
      return "no accelerations satisfy the equations at this state";
    case Kind::rates_not_determined:
      return "the equations do not determine the rate of " + list_words(r.names) +
             " at this state: nothing with mass moves that way, or the coordinates have a pole "
             "here, as angles and polar coordinates have. Give a mass or an inertia, `lock` the "
             "coordinate, or choose other coordinates, such as a quaternion, or x and y";
    case Kind::forces_have_corner:
      return "the forces have a corner or jump where " + r.names[0] +
             " = 0, which holds at this state: no slope is that of both sides";
    case Kind::forces_push_back:
      return "the forces jump where " + r.names[0] +
             " = 0, which holds at this state, and push back to it from both sides: small motions "
             "about it are not linear";
    case Kind::forces_stop:
      return "the forces jump where " + r.names[0] +
             " = 0, which holds at this state, and bring it to rest from both sides, as dry "
             "friction does: small motions about it are not linear";
    case Kind::forces_lead_away:
      return "the forces jump where " + r.names[0] +
             " = 0, which holds at this state, and lead away from it on both sides: small motions "
             "about it are not linear";
    case Kind::samples_not_combined:
      return "the model has several samples, or one together with constraints or rotation vectors: "
             "its discrete "
             "system is not made there";
    default:
      return "the coordinates are singular at this state: " + list_words(r.names) +
             (r.names.size() == 1 ? " moves" : " move") +
             " next to nothing here, and something beside it. Other coordinates tell the small "
             "motions, such as other angles, a quaternion, or x and y";
  }
}

std::string write_extent(const SmallMotionReason& r) {
  switch (r.kind) {
    case Kind::sampled:
      return fmt::format(
          "the model is sampled every {:.6g} s: A and B are those of the discrete system x(k+1) = "
          "A x(k) + B w(k), "
          "from just before one sample to just before the next, and the eigenvalues are its "
          "multipliers",
          r.number);
    case Kind::nothing_moves:
      return "nothing is free to move: there are no states to linearize in";
    case Kind::constraints_singular:
      return fmt::format(
          "the constraints are singular at this state: they determine {} speeds here and {} nearby",
          r.count, r.other_count);
    case Kind::directions_without_slope:
      return "A and B do not hold in directions without inertia, or where constraints are singular";
    case Kind::changes_along_motion:
      return "A changes along the motion" +
             (r.names.empty() ? std::string()
                              : ", whether rotations are seen in " + list_words(r.names)) +
             ": A, B and the eigenvalues hold for this instant only";
    case Kind::changes_with_time:
      return "the equations depend on time (" + join_words(r.names) +
             "): A, B and the eigenvalues hold at t = 0";
    case Kind::jumps_with_time:
      return "the equations jump once (" + join_words(r.names) +
             "): what is said here holds until then";
    case Kind::speeds_change:
      return "the speeds change at this state, but A is the same along the motion";
    case Kind::rows_change:
      return "the rows of " + list_words(r.names) +
             " in A change along the motion; no eigenvalue depends on them";
    case Kind::inputs_change:
      return "B changes along the motion: it holds for this instant only";
    case Kind::modes_coincide:
      return fmt::format(
          "{} of the {} eigenvalues {} no mode of {} own: where eigenvalues are equal and share a "
          "mode, there are motions t*exp(lambda*t) beside exp(lambda*t)",
          r.count, r.other_count, r.count == 1 ? "has" : "have", r.count == 1 ? "its" : "their");
    default:
      return "the equations depend on time: the equilibrium holds at t = 0";
  }
}

std::string write_period(const SmallMotionReason& r) {
  switch (r.kind) {
    case Kind::period_of_functions:
      return fmt::format("the functions of time have the period {:.10g} s", r.number);
    case Kind::no_common_period:
      return "no common period of " + list_words(r.names) +
             " is known: --period gives the one of the motion, for Floquet multipliers";
    case Kind::functions_lack_period:
      return fmt::format("there are no Floquet multipliers: {} {} not have the period {:.10g} s",
                         list_words(r.names), r.names.size() == 1 ? "does" : "do", r.number);
    case Kind::motion_lacks_period:
      return fmt::format(
          "there are no Floquet multipliers: after {:.10g} s the motion is not as it was at the "
          "start",
          r.number);
    default:
      return fmt::format(
          "there are no Floquet multipliers: of {:.10g} s the motion could be followed for {:.3g} "
          "s",
          r.number, r.other_number);
  }
}

std::string write_search(const SmallMotionReason& r) {
  if (r.kind == Kind::rest_not_finite)
    return "the equations cannot be evaluated at rest: a term is not finite";
  if (r.kind == Kind::rests_on_corner)
    return "the forces jump where " + r.names[0] +
           " = 0 and push to it from both sides: it rests there, and no force is in balance";
  return fmt::format("no equilibrium near the start: in {} there remains {:.2g} of its terms",
                     r.kind == Kind::remains         ? "the equation of " + r.names[0]
                     : r.kind == Kind::state_remains ? "the law of the state " + r.names[0]
                                                     : "a constraint",
                     r.number);
}

std::string write_verdict(const SmallMotionReason& r) {
  switch (r.kind) {
    case Kind::no_motion_left:
      return "the constraints leave no motion";
    case Kind::growing:
      return "an eigenvalue has a positive real part";
    case Kind::decaying:
      return "all eigenvalues have negative real parts";
    case Kind::minimum_of_potential:
      return "the potential energy U has a strict minimum";
    case Kind::minimum_with_rotation:
      return "U - K0 has a strict minimum, K0 being the kinetic energy of what is carried along";
    case Kind::minimum_with_inertia:
      return "U together with the work of the inertia forces of what is prescribed has a strict "
             "minimum";
    case Kind::on_axis:
      return "eigenvalues lie on the imaginary axis, and no minimum of a potential energy is known";
    case Kind::stiffness_within_error:
      return "along " + list_words(r.names) +
             " the stiffness cannot be told from zero within the error of the equilibrium";
    case Kind::growing_multiplier:
      return "a Floquet multiplier has a modulus above 1";
    case Kind::decaying_multipliers:
      return "all Floquet multipliers have moduli below 1";
    case Kind::growing_samples:
      return "an eigenvalue of the discrete system has a modulus above 1";
    case Kind::decaying_samples:
      return "all eigenvalues of the discrete system have moduli below 1";
    case Kind::samples_on_circle:
      return "the largest modulus of the discrete system's eigenvalues is 1";
    case Kind::multipliers_on_circle:
      return "Floquet multipliers lie on the unit circle";
    default:
      return "the equations depend on time";
  }
}

}  // namespace

std::string write_small_motion_reason(const SmallMotionReason& reason) {
  switch (reason.kind) {
    case Kind::none:
      return "";
    case Kind::term_not_finite:
    case Kind::slope_not_finite:
    case Kind::no_accelerations:
    case Kind::rates_not_determined:
    case Kind::coordinates_singular:
    case Kind::forces_have_corner:
    case Kind::forces_push_back:
    case Kind::forces_stop:
    case Kind::forces_lead_away:
    case Kind::samples_not_combined:
      return write_failure(reason);
    case Kind::sampled:
    case Kind::nothing_moves:
    case Kind::constraints_singular:
    case Kind::directions_without_slope:
    case Kind::changes_along_motion:
    case Kind::changes_with_time:
    case Kind::jumps_with_time:
    case Kind::speeds_change:
    case Kind::rows_change:
    case Kind::inputs_change:
    case Kind::modes_coincide:
    case Kind::equilibrium_at_start_time:
      return write_extent(reason);
    case Kind::period_of_functions:
    case Kind::no_common_period:
    case Kind::functions_lack_period:
    case Kind::motion_lacks_period:
    case Kind::motion_not_followed:
      return write_period(reason);
    case Kind::rest_not_finite:
    case Kind::remains:
    case Kind::state_remains:
    case Kind::constraint_remains:
    case Kind::rests_on_corner:
      return write_search(reason);
    default:
      return write_verdict(reason);
  }
}

std::vector<std::string> write_small_motion_reasons(const SmallMotionReasons& reasons) {
  std::vector<std::string> clauses;
  for (const SmallMotionReason& r : reasons) clauses.push_back(write_small_motion_reason(r));
  return clauses;
}

std::string_view stability_name(Stability stability) {
  switch (stability) {
    case Stability::asymptotically_stable:
      return "asymptotically stable";
    case Stability::stable:
      return "stable";
    case Stability::unstable:
      return "unstable";
    case Stability::undecided:
      break;
  }
  return "not decided by the linear terms";
}

std::string write_rotation_frame(const RotationFrame& f) {
  if (!f.turning) return f.frame;
  double size = 0;
  for (const double x : *f.turning) size += std::abs(x);
  const auto number = [size](double x) {
    return fmt::format("{:.6g}", std::abs(x) < 1e-9 * size ? 0.0 : x);
  };
  return f.frame + " turning at [" + join_each(*f.turning, number) + "] rad/s";
}

}  // namespace visviva
