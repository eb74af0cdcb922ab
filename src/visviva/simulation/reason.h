// RunReason: why a run ended as it did, or was not begun, as data. The words are made by report.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "visviva/codegen/system/no_momenta.h"

namespace visviva {

/// Kinds of runs that did not reach their end, or were not begun.
enum class Refusal {
  none,
  bad_request,           ///< an option, or a value that is missing
  not_an_integral,       ///< dE_Z/dt is not zero at the start
  below_rounding_floor,  ///< the tolerance is smaller than what rounding does to E_Z
  not_finite,            ///< a rate or an energy is not finite
  budget_exhausted,      ///< E_Z would leave the tolerance however small the steps
  step_too_small,
  too_many_steps,
  constraints_lost,  ///< no projection onto the constraints was found
  jump,              ///< places, velocities or energies jump in a way that leaves the motion open
  outside_table,     ///< a function of time has a table, and no value outside of it
  interrupted,
};

/// What keeps rates from being computed at a state.
struct RateTrouble {
  enum class Kind {
    none,
    state_not_finite,        ///< `name` is that state
    acceleration_undefined,  ///< the mass matrix is singular and leaves an acceleration open
    no_acceleration,         ///< a force acts where the mass matrix is singular
    rate_not_finite,         ///< `name` is the state whose rate it is
    term_not_finite,
    outside_table,  ///< the table `name` is asked for `argument` = value, outside of first ... last
  };
  Kind kind = Kind::none;
  std::string name{}, argument{};
  double first = 0.0, last = 0.0, value = 0.0;
};

/// Why a method that keeps its own steps gave up, or did not answer.
struct MethodTrouble {
  enum class Kind {
    none,
    start_not_finite,
    not_restarted,  ///< it stands nowhere
    end_reached,
    outside_last_step,       ///< no value between steps is known at that time
    step_changes_no_time,    ///< a step of `step` at `time` is below rounding
    rates_undefined,         ///< at `time`
    momenta_undefined,       ///< at `time`
    no_momentum_slope,       ///< the mass matrix is singular, or `step` too long, at `time`
    newton_does_not_settle,  ///< at `time`, with `step`
    no_memory,
    outside_message,  ///< `words` are those of the library that makes the steps
    outside_code,     ///< the library's function `words` failed with `code`
  };
  Kind kind = Kind::none;
  double time = 0.0, step = 0.0;
  std::string words{};
  int code = 0;
};

namespace reason {

// ---- The request cannot be met: Refusal::bad_request

struct TimesNotFinite {};
struct EndNotAfterStart {
  double until, from;
};
struct SampleIntervalNotPositive {
  double every;
};
struct TooManySamples {
  double every, most;
};
struct ToleranceOutOfRange {
  double tolerance;
};
struct ToleranceBelowRounding {
  double tolerance, smallest;
};
/// Certifying the state needs a run at a tenth of the tolerance, and that is below rounding.
struct CompanionBelowRounding {
  double tolerance, smallest;
};
struct EnergyNotPositive {
  double energy;
};
struct MaxStepNotPositive {
  double max_step;
};
struct UnknownMethod {
  std::string method;
  std::vector<std::string> known;
};
struct MissingValue {
  enum class Of { parameter, input, start };
  Of of;
  std::string name;
};
/// The energy tolerance is relative, and the motion has no energy that it could refer to.
struct NoEnergyScale {};
/// The variational method needs momenta that the system has not.
struct MomentaMissing {
  NoMomenta why;
};
/// The method would step over the place where a force switches.
struct SwitchUnseen {
  std::string method, surface;
};
/// The method is one of SUNDIALS, which cannot be used.
struct NoSundials {
  std::string missing;  ///< what this machine lacks; empty where the program was built without it
};

// ---- The run began, or tried to

/// No state was found that satisfies the constraints.
struct NoConsistentState {
  double time;
  bool is_at_start;
};
/// Rates cannot be computed; without trouble at a state, they cannot beyond it.
struct NoRates {
  double time;
  bool is_at_start;
  RateTrouble trouble;
};
struct EnergyNotFinite {
  double time;
  bool is_at_start;
};
/// An energy is beyond the range of numbers at some time.
struct EnergyOverflows {
  std::string name;
};
/// A function of time is asked for outside of its table.
struct OutsideTable {
  std::string name;
  double first, last, time;
};
/// Samples need a method whose steps end where they are told to.
struct SamplesNeedSteps {
  std::string method;
};
/// A sample's period is no positive number.
struct SamplePeriod {
  double period;
};
/// The tolerance in joules is below what rounding does to E_Z, from the start on or since a time.
struct BelowRoundingFloor {
  std::optional<double> time;
  double tolerance, smallest;
};
/// Near the start dE_Z/dt is `rate`, where its terms have the size `size`, W.
struct NotAnIntegral {
  double rate, size;
};
struct TooManySteps {
  std::size_t count;
  double time;
};
/// The motion crosses a surface again and again, as with dry friction that sticks.
struct SticksOnSurface {
  double time;
  std::string surface;
};
/// Steps have become too short to go on. `state` is what changes fastest there against its size.
struct StepTooSmall {
  double time, step;
  std::string state;
  double value, rate;
};
/// However small the steps, E_Z leaves its tolerance. Halving a step divides its change of E_Z by
/// 2^order; there is no order where the changes are down to rounding.
struct EnergyNotHeld {
  double time, deviation, tolerance;
  std::optional<double> order;
};
/// The projection onto the constraints moved `name` farther than the error of the step explains.
struct ProjectedTooFar {
  double time;
  std::string name;
  double from, to;
};
/// The rank of the constraints drops, so that branches of the motion meet, and steps cannot tell them apart.
struct BranchesMeet {
  double time;
};
/// No state between two steps was found in which E_Z and the constraints are as good as at their ends.
struct NoGoodRow {
  double time;
};
/// A component of the place or the axes of `body` jumps by `change` where `surface` vanishes.
struct PlaceJumps {
  double time;
  std::string surface, body;
  double change;
};
/// A prescribed motion takes the place or the axes of `body` to infinity where `surface` vanishes.
struct PlaceIsInfinite {
  double time;
  std::string surface, body;
};
/// A configuration constraint asks for another place on the other side of `surface`.
struct ConstraintJumps {
  double time;
  std::string surface;
};
/// Velocities must jump where the motion meets `surface`, and how they do depends on what it is made of.
struct CornerMet {
  double time;
  std::string surface;
};
/// Prescribed velocities have no value next to `surface`, which time alone meets: a corner that no formula shows.
struct CornerUnknown {
  double time;
  std::string surface;
};
/// The potential energy jumps by `change` where the motion meets `surface`: the force is infinite.
struct PotentialJumps {
  double time;
  std::string surface;
  double change;
};
/// A method that chooses its own steps gave up.
struct MethodFailed {
  double time;
  bool is_at_start;
  MethodTrouble trouble;
};
/// A method that chooses its own steps does not keep E_Z at any local tolerance.
struct MethodDoesNotHoldEnergy {
  std::string method;
  double tolerance;
};

// ---- The run went well, or well until then

struct StoppedByEvent {
  std::string event;
};
/// The watcher wanted no more; its own words, or none.
struct StoppedByWatcher {
  std::string words;
};
struct CertificateFailed {
  double deviation, tolerance;
};
/// Nobody asked for E_Z, but in some steps it changed by more than the tolerance of the local error
/// explains, by `change` in sum, first at `time`.
struct EnergyWandered {
  double change, time;
};
/// There is nothing to certify: no tolerance of the energy was asked for.
struct NoToleranceAsked {};

}  // namespace reason

/// Why a run ended as it did; nothing (std::monostate) when the end was reached and all went well.
using RunReason = std::variant<
    std::monostate, reason::TimesNotFinite, reason::EndNotAfterStart,
    reason::SampleIntervalNotPositive, reason::TooManySamples, reason::ToleranceOutOfRange,
    reason::ToleranceBelowRounding, reason::CompanionBelowRounding, reason::EnergyNotPositive,
    reason::MaxStepNotPositive, reason::UnknownMethod, reason::MissingValue, reason::NoEnergyScale,
    reason::MomentaMissing, reason::SwitchUnseen, reason::NoSundials, reason::NoConsistentState,
    reason::NoRates, reason::EnergyNotFinite, reason::EnergyOverflows, reason::OutsideTable,
    reason::SamplesNeedSteps, reason::SamplePeriod, reason::BelowRoundingFloor,
    reason::NotAnIntegral, reason::TooManySteps, reason::SticksOnSurface, reason::StepTooSmall,
    reason::EnergyNotHeld, reason::ProjectedTooFar, reason::BranchesMeet, reason::NoGoodRow,
    reason::PlaceJumps, reason::PlaceIsInfinite, reason::ConstraintJumps, reason::CornerMet,
    reason::CornerUnknown, reason::PotentialJumps, reason::EnergyWandered, reason::MethodFailed,
    reason::MethodDoesNotHoldEnergy, reason::StoppedByEvent, reason::StoppedByWatcher,
    reason::CertificateFailed, reason::NoToleranceAsked>;

/// Whether there is no reason to tell.
inline bool is_empty(const RunReason& reason) {
  return std::holds_alternative<std::monostate>(reason);
}

}  // namespace visviva
