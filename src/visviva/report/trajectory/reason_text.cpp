#include "visviva/report/trajectory/reason_text.h"

#include <fmt/format.h>

#include <ostream>
#include <string_view>

namespace visviva {
namespace {

std::string at_time(double t, bool is_at_start) {
  return is_at_start ? fmt::format("at the start, t = {}", t) : fmt::format("at t = {}", t);
}

constexpr std::string_view poles =
    "angles have poles, Rodrigues parameters are infinite after half a turn, a quaternion has no "
    "such place";

std::string words(const NoMomenta& why) {
  switch (why.kind) {
    case NoMomenta::Kind::not_compiled:
      return "it was compiled without momenta";
    case NoMomenta::Kind::constrained:
      return "the speeds are constrained";
    case NoMomenta::Kind::unknown_force:
      return "an unknown force acts";
    case NoMomenta::Kind::counts_differ:
      return fmt::format("there are {} coordinates and {} speeds", why.coordinate_count,
                         why.speed_count);
    case NoMomenta::Kind::speed_is_not_rate:
      return "the rate of " + why.coordinate + " is not the speed " + why.speed;
  }
  return {};
}

// ---- Requests

std::string words(const std::monostate& /*nothing*/) { return {}; }
std::string words(const reason::TimesNotFinite& /*r*/) {
  return "the times of start and end must be numbers";
}
std::string words(const reason::EndNotAfterStart& r) {
  return fmt::format("the end, t = {} s, must be after the start, t = {} s", r.until, r.from);
}
std::string words(const reason::SampleIntervalNotPositive& r) {
  return fmt::format("samples every {} s: a positive time is needed", r.every);
}
std::string words(const reason::TooManySamples& r) {
  return fmt::format("samples every {} s would be more than {} of them", r.every, r.most);
}
std::string words(const reason::ToleranceOutOfRange& r) {
  return fmt::format("the tolerance {} is not between 0 and 1", r.tolerance);
}
std::string words(const reason::ToleranceBelowRounding& r) {
  return fmt::format("the tolerance {} is below rounding; {} is the smallest", r.tolerance,
                     r.smallest);
}
std::string words(const reason::CompanionBelowRounding& r) {
  return fmt::format(
      "certifying the state needs a run at a tenth of the tolerance {}; {} is the smallest",
      r.tolerance, r.smallest);
}
std::string words(const reason::EnergyNotPositive& r) {
  return fmt::format("the energy tolerance {} J must be positive", r.energy);
}
std::string words(const reason::MaxStepNotPositive& r) {
  return fmt::format("the largest step {} s must be positive", r.max_step);
}
std::string words(const reason::UnknownMethod& r) {
  return fmt::format("there is no method '{}'; there are {}", r.method, fmt::join(r.known, ", "));
}
std::string words(const reason::MissingValue& r) {
  switch (r.of) {
    case reason::MissingValue::Of::parameter:
      return "the parameter " + r.name + " has no value";
    case reason::MissingValue::Of::input:
      return "the input " + r.name + " has no value";
    case reason::MissingValue::Of::start:
      return "the start value of " + r.name + " is not known";
  }
  return {};
}
std::string words(const reason::NoEnergyScale& /*r*/) {
  return "a relative energy tolerance needs a motion that has energy";
}
std::string words(const reason::MomentaMissing& r) {
  return "the variational method is not possible here: " + words(r.why);
}
std::string words(const reason::SwitchUnseen& r) {
  return fmt::format(
      "{} does not see where forces switch, here at {} = 0, and would step over it: use auto, "
      "verner98, dop853, dopri5 or radau5",
      r.method, r.surface);
}
std::string words(const reason::NoSundials& r) {
  if (r.missing.empty())
    return "this build has no SUNDIALS: install libsundials-dev and build again";
  return fmt::format("SUNDIALS could not be loaded, {} is missing: install libsundials-dev",
                     r.missing);
}

// ---- Runs

std::string words(const RateTrouble& trouble) {
  switch (trouble.kind) {
    case RateTrouble::Kind::none:
      return {};
    case RateTrouble::Kind::state_not_finite:
      return trouble.name + " is not finite";
    case RateTrouble::Kind::acceleration_undefined:
      return "the equations leave an acceleration open: the mass matrix is singular; give what "
             "moves there a mass or an inertia, lock its coordinate, or choose coordinates without "
             "a pole there";
    case RateTrouble::Kind::no_acceleration:
      return "no acceleration satisfies the equations: a force acts where the mass matrix is "
             "singular; give what moves there a mass or an inertia, lock its coordinate, or choose "
             "coordinates without a pole there";
    case RateTrouble::Kind::rate_not_finite:
      return "the rate of " + trouble.name + " is not finite";
    case RateTrouble::Kind::term_not_finite:
      return "a term of the equations is not finite, or the mass matrix is singular";
  }
  return {};
}
std::string words(const reason::NoConsistentState& r) {
  return at_time(r.time, r.is_at_start) + (r.is_at_start ? "," : "") +
         " no state was found that satisfies the constraints";
}
std::string words(const reason::NoRates& r) {
  const bool is_beyond = !r.is_at_start && r.trouble.kind == RateTrouble::Kind::none;
  const bool is_singular = r.trouble.kind == RateTrouble::Kind::acceleration_undefined ||
                           r.trouble.kind == RateTrouble::Kind::no_acceleration;
  // What has a mass at the start keeps it: later it is the coordinates that fail.
  const std::string pole =
      !r.is_at_start && is_singular
          ? "; or its coordinates have come to a place where they are singular: " +
                std::string(poles)
          : "";
  return at_time(r.time, r.is_at_start) + ": " +
         (is_beyond ? "the rates cannot be computed beyond" : words(r.trouble)) + pole;
}
std::string words(const reason::EnergyNotFinite& r) {
  return at_time(r.time, r.is_at_start) + (r.is_at_start ? ":" : "") + " E_Z is not finite";
}
std::string words(const reason::BelowRoundingFloor& r) {
  const std::string place = r.time ? fmt::format("at t = {} ", *r.time) : "";
  return fmt::format(
      "{}the tolerance {} J is below what rounding does to E_Z; the smallest that can be certified"
      "{} is {:.2g} J",
      place, r.tolerance, r.time ? " here" : "", r.smallest);
}
std::string words(const reason::NotAnIntegral& r) {
  return fmt::format(
      "E_Z is not an integral of these equations: near the start dE_Z/dt = {:.3g} W, where its "
      "terms have {:.3g} W",
      r.rate, r.size);
}
std::string words(const reason::TooManySteps& r) {
  return fmt::format("{} steps were made up to t = {}", r.count, r.time);
}
std::string words(const reason::SticksOnSurface& r) {
  return fmt::format(
      "at t = {} the motion stays on the surface {} = 0 and crosses it again and again, as with "
      "dry "
      "friction that sticks; sign() has no value that holds it there: use a smooth law such as "
      "tanh(v/v0)",
      r.time, r.surface);
}
std::string words(const reason::EnergyOverflows& r) {
  return r.name + " is beyond the range of numbers: masses, lengths or speeds are too large";
}
std::string words(const reason::OutsideTable& r) {
  return fmt::format(
      "the table of {} goes from t = {} s to {} s and has no value at t = {} s: give it more rows, "
      "or "
      "say `hold` or `periodic` in the model",
      r.name, r.first, r.last, r.time);
}
std::string words(const reason::StepTooSmall& r) {
  return fmt::format(
      "at t = {} the steps have become too short to go on, {:.2g} s: the motion blows up there, a "
      "force jumps in a way that the equations do not show, or coordinates come to a place where "
      "they are singular: {}; fastest is {}, {:.4g}, which changes by {:.4g} a second",
      r.time, r.step, poles, r.state, r.value, r.rate);
}
std::string words(const reason::EnergyNotHeld& r) {
  const auto explain = [](double order) {
    return order < 2 ? "E_Z is not constant there (an error of the model, or a force that jumps)"
                     : "the motion needs shorter steps than rounding allows";
  };
  const std::string cause =
      r.order ? fmt::format("; halving a step divides its change of E_Z by 2^{:.1f}: {}", *r.order,
                            explain(*r.order))
              : "; the changes are down to rounding";
  return fmt::format("at t = {} E_Z has changed by {:.3g} J and cannot be kept within {} J{}",
                     r.time, r.deviation, r.tolerance, cause);
}
std::string words(const MethodTrouble& trouble) {
  switch (trouble.kind) {
    case MethodTrouble::Kind::none:
      return {};
    case MethodTrouble::Kind::start_not_finite:
      return "the start is no finite time";
    case MethodTrouble::Kind::not_restarted:
      return "the method was not started";
    case MethodTrouble::Kind::end_reached:
      return "the end of the run is reached";
    case MethodTrouble::Kind::outside_last_step:
      return fmt::format("t = {} is not within the last step", trouble.time);
    case MethodTrouble::Kind::step_changes_no_time:
      return "its steps became too short to change t";
    case MethodTrouble::Kind::rates_undefined:
      return fmt::format("the rates cannot be computed at t = {} s", trouble.time);
    case MethodTrouble::Kind::momenta_undefined:
      return fmt::format("the momenta cannot be computed at t = {} s", trouble.time);
    case MethodTrouble::Kind::no_momentum_slope:
      return fmt::format("the mass matrix is singular, or the step {} s too long, at t = {} s",
                         trouble.step, trouble.time);
    case MethodTrouble::Kind::newton_does_not_settle:
      return fmt::format(
          "Newton's method does not converge at t = {} s with the step {} s: take a shorter one",
          trouble.time, trouble.step);
    case MethodTrouble::Kind::no_memory:
      return "there is no memory for the method";
    case MethodTrouble::Kind::outside_message:
      return trouble.words;
    case MethodTrouble::Kind::outside_code:
      return fmt::format("{} failed with the code {}", trouble.words, trouble.code);
  }
  return {};
}
std::string words(const reason::ProjectedTooFar& r) {
  return fmt::format(
      "at t = {} the constraints would move {} from {:.6g} to {:.6g}, farther than the error of "
      "the "
      "step explains: they have another branch there, or are not smooth",
      r.time, r.name, r.from, r.to);
}
std::string words(const reason::BranchesMeet& r) {
  return fmt::format(
      "at t = {} more than one motion seems possible: the constraints lose rank there, or nearly, "
      "as "
      "those of links that lie in line, and the steps are too near to that place, or too rough, to "
      "tell its branches apart; explicit methods, such as verner98, often step over it",
      r.time);
}
std::string words(const reason::NoGoodRow& r) {
  return fmt::format(
      "at t = {}, between two steps, no state was found in which E_Z and the constraints are as "
      "good "
      "as at their ends: the mechanism is next to a singular configuration there",
      r.time);
}
std::string words(const reason::PlaceJumps& r) {
  return fmt::format(
      "at t = {} {} jumps, by {:.6g} in one of its components, where {} = 0: no motion leads there "
      "in "
      "no time",
      r.time, r.body, r.change, r.surface);
}
std::string words(const reason::PlaceIsInfinite& r) {
  return fmt::format(
      "at t = {:.10g}, where {} = 0, the prescribed motion takes {} to infinity: end the study "
      "before",
      r.time, r.surface, r.body);
}
std::string words(const reason::ConstraintJumps& r) {
  return fmt::format(
      "at t = {}, where {} = 0, a constraint asks for another place: no motion leads there in no "
      "time",
      r.time, r.surface);
}
std::string words(const reason::CornerMet& r) {
  return fmt::format(
      "at t = {} the motion meets a corner, {} = 0: velocities jump there, and how they do depends "
      "on "
      "how round the corner is; write a smooth function, such as sqrt(x^2 + r^2) for abs(x)",
      r.time, r.surface);
}
std::string words(const reason::CornerUnknown& r) {
  return fmt::format(
      "at t = {}, where {} = 0, prescribed velocities have no value, as those of asin(sin(t)) at "
      "its corners: "
      "write abs, min, max or sign, whose corners and jumps are seen",
      r.time, r.surface);
}
std::string words(const reason::PotentialJumps& r) {
  return fmt::format(
      "at t = {} the motion meets {} = 0, where the potential energy jumps by {:.6g} J: the force "
      "is "
      "infinite there; write a smooth function, such as (1 + tanh(x/r))/2 for step(x)",
      r.time, r.surface, r.change);
}
std::string words(const reason::EnergyWandered& r) {
  return fmt::format(
      "E_Z changed by {:.3g} J, first at t = {}, more than the tolerance of the local error "
      "explains: "
      "the numbers do not follow the equations there; ask for --energy to see where steps must be "
      "shorter",
      r.change, r.time);
}
std::string words(const reason::MethodFailed& r) {
  return (r.is_at_start ? "at the start: " : fmt::format("at t = {}: ", r.time)) + words(r.trouble);
}
std::string words(const reason::MethodDoesNotHoldEnergy& r) {
  return fmt::format("{} does not keep E_Z within {} J at any local tolerance", r.method,
                     r.tolerance);
}
std::string words(const reason::StoppedByEvent& r) { return "event " + r.event; }
std::string words(const reason::StoppedByWatcher& r) {
  return r.words.empty() ? "interrupted" : r.words;
}
std::string words(const reason::CertificateFailed& r) {
  return fmt::format("E_Z deviated by {:.3g} J, more than {} J", r.deviation, r.tolerance);
}
std::string words(const reason::NoToleranceAsked& /*r*/) {
  return "no tolerance of the energy was asked for";
}

}  // namespace

std::string write_reason_text(const RunReason& reason) {
  return std::visit([](const auto& r) { return words(r); }, reason);
}

std::ostream& reason::operator<<(std::ostream& out, const RunReason& reason) {
  return out << write_reason_text(reason);
}

std::string write_no_state_error_text(const Certificate& certificate) {
  if (certificate.state_error) return {};
  switch (certificate.no_state_error) {
    case NoStateError::not_asked:
      return {};
    case NoStateError::run_not_done:
      return "this run did not reach its end";
    case NoStateError::runs_are_equal:
      return "both runs are the same to the last bit: nothing is shown";
    case NoStateError::companion_refused:
      return "the run to compare with was refused: " +
             write_reason_text(certificate.companion_reason);
  }
  return {};
}

}  // namespace visviva
