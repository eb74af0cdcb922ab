// PreparedSystem: a compiled system with numbers for its parameters and inputs, asked for rates, slopes
// and outputs at any time and state, by name or in spans.
//
//   const PreparedSystem pendulum(system, system.parameters().with("L", 0.6));
//   pendulum.rates(0.0, system.start().with("theta", 0.3))["theta''"]
// Sizes are checked: a span that does not fit is a UsageError. All of it is const and may be used from
// many threads; the CompiledSystem must outlive it.
#pragma once

#include <span>
#include <string_view>

#include "visviva/codegen/system/compiled_system.h"

namespace visviva {

/// The rates of all states, each named like its state with a prime behind, and how the equations could
/// be solved for them.
struct NamedRates {
  MotionStatus status = MotionStatus::ok;
  NamedValues values;
  double operator[](std::string_view name) const { return values[name]; }
};

/// Partial derivatives of the rates.
class NamedSlopes {
 public:
  NamedSlopes(const CompiledSystem& system, MotionStatus status, SystemJacobian matrices);
  MotionStatus status() const { return status_; }
  /// The derivative of a rate, such as "theta''", by a state, an input or a parameter; UsageError
  /// when there is none of that name.
  double operator()(std::string_view rate, std::string_view by) const;
  /// All derivatives, in the orders of the system's names.
  const SystemJacobian& matrices() const { return matrices_; }

 private:
  MotionStatus status_;
  SystemJacobian matrices_;
  std::vector<std::string> rates_, states_, inputs_, parameters_;
};

/// Many states as a structure of arrays: value i of state k is [i * count + k], where count is the
/// number of times.
struct StateBatch {
  std::span<const double> times;
  std::span<const double> states;
  std::span<const double> inputs{};  ///< empty for a system without inputs
};

/// Where derivatives of the rates go, row after row: a row for each state, a column for each state or input.
struct RateJacobian {
  std::span<double> by_state{};
  std::span<double> by_inputs{};
  std::span<double> by_time{};  ///< one for each state
};

class PreparedSystem {
 public:
  /// The system with the model's own values.
  explicit PreparedSystem(const CompiledSystem& system);
  PreparedSystem(const CompiledSystem& system, const NamedValues& parameters);
  PreparedSystem(const CompiledSystem& system, const NamedValues& parameters,
                 const NamedValues& inputs);

  const CompiledSystem& system() const { return system_; }
  const NamedValues& inputs() const { return inputs_; }

  // ---- By name

  NamedRates rates(double time, const NamedValues& state) const;
  /// The derivatives of the rates. UsageError unless the system was compiled with a Jacobian and
  /// with sensitivities.
  NamedSlopes slopes(double time, const NamedValues& state) const;
  /// The values of the model's outputs, integrals over time taken as zero; what is not determined
  /// is NaN.
  NamedValues outputs(double time, const NamedValues& state) const;

  // ---- In spans, in the orders of the system's names: for loops

  MotionStatus compute_rates(double time, std::span<const double> state,
                             std::span<double> rates) const;
  /// M, row after row, as many numbers as speeds squared.
  void compute_mass_matrix(double time, std::span<const double> state,
                           std::span<double> matrix) const;
  /// M u' - f for rates of the speeds: what must act on them besides all loads. UsageError unless
  /// system().has_inverse_dynamics().
  MotionStatus compute_inverse_dynamics(double time, std::span<const double> state,
                                        std::span<const double> speed_rates,
                                        std::span<double> forces) const;
  /// Derivatives of the rates of all states, row after row; those that are not wanted may be left out. UsageError unless
  /// system().has_jacobian().
  MotionStatus compute_rate_jacobian(double time, std::span<const double> state,
                                     const RateJacobian& jacobian) const;
  /// Rates of many states, laid out as those are; `statuses` is empty, or has one place for each.
  void compute_rates(const StateBatch& batch, std::span<double> rates,
                     std::span<MotionStatus> statuses = {}) const;

 private:
  Instant at(double time, std::span<const double> state) const;

  const CompiledSystem& system_;
  NamedValues inputs_;
  PreparedParameters prepared_;
  NamedValues rate_names_, output_names_;  // their values are of no account
};

}  // namespace visviva
