// CompiledSystem: all that a run needs of a mechanism, numbers in and numbers out.
//
//   const CompiledSystem system = compile(equations, energies);      // compile.h
//   const PreparedParameters p = system.prepare(system.parameters());
//   system.compute_rates({t, y, inputs}, p, rates);
// Integrators call it so, with bare arrays; study/prepared_system.h asks by name, and checks sizes.
// The state is y = (coordinates, hidden states of spin frames that something needs, speeds u), its
// rate
//   y' = (Y u + z, u')   with M u' = f + A'λ, A u' = b                                          (1)
// Nothing here knows a symbol. All of it is const and may be used from many threads.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/base/spline.h"
#include "visviva/codegen/system/named_values.h"
#include "visviva/codegen/system/no_momenta.h"

namespace visviva {

/// The time, state and inputs at which a system is evaluated. Lists that are empty may be null.
struct Instant {
  double time = 0.0;
  const double* state = nullptr;
  const double* inputs = nullptr;
};

/// Parameters, and for each function what they alone determine.
struct PreparedParameters {
  std::vector<double> values;
  std::vector<std::vector<double>> functions;
};

/// How (1) could be solved; rates are written in any case.
enum class MotionStatus {
  ok,
  not_finite,      ///< a term of the equations is not finite, or M is singular
  not_determined,  ///< the equations leave an acceleration open: the smallest is taken
  contradictory    ///< no accelerations satisfy the equations: those that come closest are taken
};

/// What carries a motion over a switching surface.
enum class SwitchKind {
  of_time,  ///< time alone, whatever the state
  pole_of_time,  ///< time alone, where what stands in a denominator vanishes: something may be infinite there
  of_configuration,  ///< coordinates
  of_motion          ///< speeds, or what follows from them
};

/// One solution of (1), forces included.
struct SolvedSystem {
  MotionStatus status = MotionStatus::ok;
  std::vector<double> speed_rates, unknowns, multipliers;
  std::vector<bool> is_unknown_determined, is_multiplier_determined;
};

/// Energies and powers as in the Mitiguy, chapter 34; what cannot be had is NaN.
struct SystemEnergies {
  double K, K0, K1, K2, U, sigma, sigma_R, P, P_nonconservative, Z_rate;
  std::vector<int> dependent;  ///< speeds that constraints determine; the split of K is theirs
  bool is_singular = false;    ///< fewer of them than at the start
  bool is_determined = true;
};

/// Partial derivatives of y'. Where rows are redundant they hold along what the constraints allow.
struct SystemJacobian {
  Eigen::MatrixXd by_state;
  Eigen::VectorXd by_time;
  Eigen::MatrixXd by_inputs;      ///< by compute_rate_jacobian(), compute_sensitivities()
  Eigen::MatrixXd by_parameters;  ///< by compute_sensitivities()
};

/// Derivatives of (p, g) by (q, u), where p are the generalized momenta and g their rates.
struct MomentumJacobian {
  Eigen::MatrixXd momenta_by_q, momenta_by_u, rates_by_q, rates_by_u;
};

/// A table that something in the system asks, and where it ends.
struct TableFacts {
  std::string name;  ///< of the function that it gives
  double first, last;
  TableRange range;
};

/// A table that is asked for a place outside of its samples, or just at their end.
struct TableExit {
  std::string name, argument;  ///< what it is asked at, printed
  double first, last, value;
};

class CompiledSystem {
 public:
  struct Parts;
  explicit CompiledSystem(std::unique_ptr<const Parts> parts);
  ~CompiledSystem();
  CompiledSystem(CompiledSystem&&) noexcept;
  CompiledSystem& operator=(CompiledSystem&&) noexcept;

  // ---- What there is

  std::size_t state_count() const { return state_names().size(); }
  std::size_t configuration_count() const;  ///< coordinates and hidden states, which come first
  std::size_t speed_count() const { return state_count() - configuration_count(); }
  std::size_t row_count() const;       ///< rows of A
  std::size_t position_count() const;  ///< configuration constraints among them
  const std::vector<int>& position_rows()
      const;  ///< row of each configuration constraint, ascending
  /// A row has a remainder c: then energies depend on which speeds are called dependent.
  bool has_moving_constraints() const;
  const std::vector<std::string>& state_names() const;
  /// `input`s of the model; then specified functions that nobody defined, each with three
  /// derivatives.
  const std::vector<std::string>& input_names() const;
  const std::vector<std::string>& parameter_names()
      const;  ///< parameters that follow from no others
  const std::vector<std::string>& unknown_names() const;
  const std::vector<std::string>& output_names() const;  ///< a vector has three, .x .y .z
  /// Outputs that are no function of state and accelerations, and are left out.
  const std::vector<std::string>& other_outputs() const;
  const std::vector<std::string>& event_names() const;
  const std::vector<bool>& event_stops() const;  ///< for each event whether it ends a run
  /// Functions that vanish where an event may have a corner or jump: what step, sign, abs, min and max in it switch at.
  std::size_t event_corner_count() const;
  /// Integrals over time from the start: "Z" of Z' = sigma_R - P_nonconservative, then those that
  /// outputs and events ask for. Nothing else depends on them.
  const std::vector<std::string>& quadrature_names() const;
  /// Values that the model gives; NaN where it gives none.
  const NamedValues& parameters() const;
  const NamedValues& inputs() const;
  /// The start state, consistent with the constraints. All of it is NaN where a value is missing
  /// that constraints or start conditions may need, or where a term is not finite.
  const NamedValues& start() const;
  /// Parameters and functions of time that the model gives no value.
  const std::vector<std::string>& missing_values() const;
  /// The places in the state where unit quaternions begin, four components each, the scalar first.
  const std::vector<int>& quaternions() const;
  /// Surfaces on which (1), the quadratures' rates, the constraints, velocities or energies are not
  /// smooth: what step, sign, abs, min and max switch at, as printed expressions.
  const std::vector<std::string>& switch_names() const;
  const std::vector<SwitchKind>& switch_kinds() const;  ///< for each of them
  std::size_t switch_count() const { return switch_names().size(); }
  /// What samples do: how many there are, the time between two of one, and what it makes of a state.
  std::size_t sample_count() const;
  double sample_period(std::size_t sample, const PreparedParameters& p) const;
  void apply_sample(std::size_t sample, const Instant& at, const PreparedParameters& p,
                    double* state) const;
  /// The tables behind functions of time.
  const std::vector<TableFacts>& tables() const;
  /// The table over other scalars than time alone that has no value at a state, or just behind it.
  std::optional<TableExit> find_table_exit(const Instant& at, const PreparedParameters& p) const;
  /// Times at which tables are not smooth, sorted: a third derivative jumps. Those of periodic ones come
  /// again until the end, unless there are very many.
  std::vector<double> knots(double until = 0.0) const;
  /// "avx512", "avx2", or "interpreter: " and why.
  const std::string& backend() const;
  /// Whether (1) is one function, without a numerical solve; the solve remains for states at which the
  /// function does not hold, since M is nearly singular or rows are nearly redundant.
  bool is_unrolled() const;
  /// Whether that function is there and holds at a state.
  bool holds_unrolled(const Instant& at, const PreparedParameters& p) const;
  /// Operations of one compute_rates(), but for a numerical solve.
  std::size_t operation_count() const;

  /// The parameters with all that follows from them. UsageError when there are not as many as
  /// parameter_names().
  PreparedParameters prepare(const std::vector<double>& parameters) const;

  // ---- Motion

  MotionStatus compute_rates(const Instant& at, const PreparedParameters& p, double* rates) const;
  /// Rates of the state, then those of quadrature_names().
  MotionStatus compute_rates_and_quadratures(const Instant& at, const PreparedParameters& p,
                                             double* rates) const;
  /// `preferred`: dependent speeds to keep where regular, as in compute_energies().
  MotionStatus compute_rates_and_quadratures(const Instant& at, const PreparedParameters& p,
                                             const std::vector<int>& preferred,
                                             double* rates) const;
  /// Y u + z alone.
  void compute_configuration_rates(const Instant& at, const PreparedParameters& p,
                                   double* rates) const;
  SolvedSystem solve(const Instant& at, const PreparedParameters& p) const;
  /// Many states as a structure of arrays: item i of state k is [i * stride + k] of states, inputs
  /// and rates. `statuses` may be null. UsageError when stride < count.
  void compute_rates_batch(const double* times, const double* states, const double* inputs,
                           std::size_t count, std::size_t stride, const PreparedParameters& p,
                           double* rates, MotionStatus* statuses = nullptr) const;

  /// Whether the system was compiled with inverse dynamics, and has no unknown forces.
  bool has_inverse_dynamics() const;
  /// M u' - f, one for each speed: what must act on it, besides all loads, so that the speeds have these rates. Forces of
  /// constraints are part of it. ok or not_finite. UsageError unless has_inverse_dynamics().
  MotionStatus compute_inverse_dynamics(const Instant& at, const PreparedParameters& p,
                                        const double* speed_rates, double* forces) const;

  /// Whether the system was compiled with a Jacobian.
  bool has_jacobian() const;
  /// Fills by_state and by_time. UsageError unless has_jacobian().
  MotionStatus compute_jacobian(const Instant& at, const PreparedParameters& p,
                                SystemJacobian* jacobian) const;
  /// Fills by_inputs and by_parameters.
  MotionStatus compute_sensitivities(const Instant& at, const PreparedParameters& p,
                                     SystemJacobian* jacobian) const;
  /// Fills by_state, by_time and by_inputs. UsageError unless has_jacobian(), and, but for trees without constraints, unless
  /// the system was compiled with sensitivities.
  MotionStatus compute_rate_jacobian(const Instant& at, const PreparedParameters& p,
                                     SystemJacobian* jacobian) const;
  /// Entries (row, column) of by_state that are not always zero.
  const std::vector<std::pair<int, int>>& jacobian_pattern() const;

  // ---- Momenta

  /// The speeds are the rates of the coordinates, and neither constraints nor unknown forces act.
  bool has_momenta() const { return !momenta_obstacle(); }
  /// Why the system has no momenta; nothing when it has them.
  const std::optional<NoMomenta>& momenta_obstacle() const;
  /// p_r = dK/du_r and g_r = dK/dq_r + F_r, which is p_r' along a motion; `jacobian` may be null.
  /// ok or not_finite. UsageError unless has_momenta().
  MotionStatus compute_momenta(const Instant& at, const PreparedParameters& p, double* momenta,
                               double* rates, MomentumJacobian* jacobian = nullptr) const;

  // ---- What is watched

  /// `preferred`: dependent speeds to keep where regular, so that a run can keep its choice.
  SystemEnergies compute_energies(const Instant& at, const PreparedParameters& p) const;
  SystemEnergies compute_energies(const Instant& at, const PreparedParameters& p,
                                  const std::vector<int>& preferred) const;
  /// The dependent speeds by which the constraints are best solved here. A run that goes over from
  /// one choice to another adds K2 by the old less K2 by the new to Z, and E_Z goes on.
  std::vector<int> choose_dependent(const Instant& at, const PreparedParameters& p) const;
  /// How well the constraints are solved by `dependent`: 1 at best, 0 where that choice is singular and others
  /// are not. The transport speeds, K2 and Z' grow like its inverse.
  double compute_partition_quality(const Instant& at, const PreparedParameters& p,
                                   const std::vector<int>& dependent) const;
  /// One value for each of output_names(); `quadratures` are the values of quadrature_names().
  void compute_outputs(const Instant& at, const PreparedParameters& p, const double* quadratures,
                       double* values) const;
  /// `preferred`: dependent speeds to keep where regular, as in compute_energies().
  void compute_outputs(const Instant& at, const PreparedParameters& p,
                       const std::vector<int>& preferred, const double* quadratures,
                       double* values) const;
  /// One value for each of event_names(): the event is where it passes through zero. Then those of event_corner_count()
  /// corners.
  void compute_events(const Instant& at, const PreparedParameters& p, const double* quadratures,
                      double* values) const;
  void compute_events(const Instant& at, const PreparedParameters& p,
                      const std::vector<int>& preferred, const double* quadratures,
                      double* values) const;
  /// g of the configuration constraints, and A u + c of all rows.
  void compute_residuals(const Instant& at, const PreparedParameters& p, double* positions,
                         double* velocities) const;
  /// A, rows times speeds.
  Eigen::MatrixXd compute_rows(const Instant& at, const PreparedParameters& p) const;
  /// M, symmetric.
  Eigen::MatrixXd compute_mass_matrix(const Instant& at, const PreparedParameters& p) const;
  void compute_mass_matrix(const Instant& at, const PreparedParameters& p, double* M) const;
  /// One value for each of switch_names(), zero on its surface.
  void compute_switches(const Instant& at, const PreparedParameters& p, double* values) const;
  /// Components of places and axes that change over at a switch, by the body that each belongs to. A
  /// motion in which one of them jumps is none.
  const std::vector<std::string>& place_names() const;
  void compute_places(const Instant& at, const PreparedParameters& p, double* values) const;
  /// Momentum of the mechanism and angular momentum about No, three components in N each; its mass, and the sum of its
  /// moments of inertia about No. Zero without switches.
  static constexpr std::size_t momentum_count = 8;
  void compute_momentum(const Instant& at, const PreparedParameters& p, double* values) const;

 private:
  std::unique_ptr<const Parts> parts_;
};

}  // namespace visviva
