// What a CompiledSystem answers.
#include "visviva/codegen/system/compiled_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/base/result_table.h"
#include "visviva/codegen/system/compiled_call.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

}  // namespace

CompiledSystem::CompiledSystem(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
CompiledSystem::~CompiledSystem() = default;
CompiledSystem::CompiledSystem(CompiledSystem&&) noexcept = default;
CompiledSystem& CompiledSystem::operator=(CompiledSystem&&) noexcept = default;

std::size_t CompiledSystem::configuration_count() const { return parts_->configuration_count; }
std::size_t CompiledSystem::position_count() const { return parts_->position_count; }
const std::vector<int>& CompiledSystem::position_rows() const { return parts_->position_rows; }
bool CompiledSystem::has_moving_constraints() const { return !parts_->is_still; }
std::size_t CompiledSystem::row_count() const {
  return static_cast<std::size_t>(parts_->motion.row_count());
}
const std::vector<std::string>& CompiledSystem::state_names() const { return parts_->state_names; }
const std::vector<std::string>& CompiledSystem::input_names() const { return parts_->input_names; }
const std::vector<std::string>& CompiledSystem::parameter_names() const {
  return parts_->parameter_names;
}
const std::vector<std::string>& CompiledSystem::unknown_names() const {
  return parts_->unknown_names;
}
const std::vector<std::string>& CompiledSystem::output_names() const {
  return parts_->output_names;
}
const std::vector<std::string>& CompiledSystem::other_outputs() const {
  return parts_->other_outputs;
}
const std::vector<std::string>& CompiledSystem::event_names() const { return parts_->event_names; }
const std::vector<bool>& CompiledSystem::event_stops() const { return parts_->event_stops; }
std::size_t CompiledSystem::event_corner_count() const { return parts_->event_corner_count; }
const std::vector<std::string>& CompiledSystem::quadrature_names() const {
  return parts_->quadrature_names;
}
const NamedValues& CompiledSystem::parameters() const { return parts_->parameters; }
const NamedValues& CompiledSystem::inputs() const { return parts_->inputs; }
const NamedValues& CompiledSystem::start() const { return parts_->start; }
const std::vector<std::string>& CompiledSystem::missing_values() const {
  return parts_->missing_values;
}
const std::vector<int>& CompiledSystem::quaternions() const { return parts_->quaternions; }
const std::vector<std::string>& CompiledSystem::switch_names() const {
  return parts_->switch_names;
}
const std::vector<SwitchKind>& CompiledSystem::switch_kinds() const { return parts_->switch_kinds; }
const std::vector<std::string>& CompiledSystem::place_names() const { return parts_->place_names; }
const std::vector<TableFacts>& CompiledSystem::tables() const { return parts_->table_facts; }

std::vector<double> CompiledSystem::knots(double until) const {
  constexpr double most = 1e5;
  std::vector<double> all;
  for (const Signal& s : parts_->tables) {
    if (s.order > 0) continue;
    const Spline& table = *s.table;
    const double period = table.last() - table.first(),
                 turns = std::floor((until - table.first()) / period);
    const bool comes_again = table.range() == TableRange::periodic && turns > 0 &&
                             turns * double(table.knots().size()) < most;
    for (double k = 0; k <= (comes_again ? turns : 0.0); ++k)
      for (const double t : table.knots()) all.push_back(t + k * period);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

const std::string& CompiledSystem::backend() const { return parts_->assembly->code.backend(); }
bool CompiledSystem::is_unrolled() const { return parts_->unrolled.has_value(); }

bool CompiledSystem::holds_unrolled(const Instant& at, const PreparedParameters& p) const {
  if (!is_unrolled()) return false;
  const double* values = CompiledCall(*parts_, at, p).run(*parts_->unrolled);
  return holds(values, state_count() + row_count(), parts_->unrolled->code.output_count());
}

std::size_t CompiledSystem::operation_count() const {
  const Program& p = (parts_->unrolled ? parts_->unrolled : parts_->assembly)->code.program();
  return p.arithmetic_count() + p.function_count();
}

PreparedParameters CompiledSystem::prepare(const std::vector<double>& parameters) const {
  if (parameters.size() != parts_->parameter_names.size())
    throw UsageError("CompiledSystem::prepare", std::to_string(parts_->parameter_names.size()) +
                                                    " parameters are needed, " +
                                                    std::to_string(parameters.size()) + " given");
  PreparedParameters prepared{parameters, std::vector<std::vector<double>>(parts_->function_count)};
  const auto add = [&](const SystemFunction& f) {
    prepared.functions[f.index] = f.code.prepare(parameters);
  };
  const Parts& p = *parts_;
  for (const SampleParts& s : p.samples) add(s.values);
  for (const auto* f :
       {&p.unrolled, &p.unrolled_and_quadratures, &p.assembly, &p.residuals, &p.rows, &p.drift,
        &p.energies, &p.quadrature_rates, &p.outputs, &p.events, &p.switches, &p.table_places,
        &p.places, &p.momentum, &p.mass_matrix, &p.inverse, &p.configuration_rates}) {
    if (*f) add(**f);
  }
  for (const auto* f :
       {&p.results.values, &p.results.slopes, &p.momenta.values, &p.momenta.with_slopes}) {
    if (*f) add(**f);
  }
  for (const auto* f : {&p.jacobian, &p.sensitivities}) {
    if (*f) add((*f)->function);
  }
  if (p.tree_jacobian) add(p.tree_jacobian->function);
  return prepared;
}

void CompiledSystem::compute_configuration_rates(const Instant& at, const PreparedParameters& p,
                                                 double* rates) const {
  CompiledCall(*parts_, at, p).run(*parts_->configuration_rates, rates);
}

MatrixXd CompiledSystem::compute_mass_matrix(const Instant& at, const PreparedParameters& p) const {
  MatrixXd M(parts_->motion.speed_count(), parts_->motion.speed_count());
  compute_mass_matrix(at, p, M.data());
  return M;
}

void CompiledSystem::compute_mass_matrix(const Instant& at, const PreparedParameters& p,
                                         double* M) const {
  const double* values = CompiledCall(*parts_, at, p).run(*parts_->mass_matrix);
  const std::size_t n = speed_count();
  std::fill_n(M, n * n, 0.0);
  for (const EntryPlace& place : parts_->mass_places) {
    const auto r = static_cast<std::size_t>(place.row), s = static_cast<std::size_t>(place.column);
    M[r * n + s] = M[s * n + r] = values[place.value];
  }
}

bool CompiledSystem::has_inverse_dynamics() const { return parts_->inverse.has_value(); }

MotionStatus CompiledSystem::compute_inverse_dynamics(const Instant& at,
                                                      const PreparedParameters& p,
                                                      const double* speed_rates,
                                                      double* forces) const {
  if (!parts_->inverse)
    throw UsageError("CompiledSystem::compute_inverse_dynamics",
                     "it was compiled without inverse dynamics, or has unknown forces");
  const CompiledCall call(*parts_, at, p);
  call.take_speed_rates(speed_rates);
  call.run(*parts_->inverse, forces);
  return are_finite(forces, speed_count()) ? MotionStatus::ok : MotionStatus::not_finite;
}

SolvedSystem CompiledSystem::solve(const Instant& at, const PreparedParameters& p) const {
  const CompiledCall call(*parts_, at, p);
  SolvedSystem result;
  result.status = call.solve();
  const MotionNumbers& m = call.motion();
  const AccelerationEquations& motion = parts_->motion;
  const auto take = [&](int first, int count, std::vector<double>* values,
                        std::vector<bool>* known) {
    for (int i = first; i < first + count; ++i) {
      values->push_back(m.x(i));
      if (known != nullptr)
        known->push_back(m.is_determined.empty() || m.is_determined[static_cast<std::size_t>(i)]);
    }
  };
  const int n = motion.speed_count(), k = motion.unknown_count();
  take(0, n, &result.speed_rates, nullptr);
  take(n, k, &result.unknowns, &result.is_unknown_determined);
  take(n + k, motion.row_count(), &result.multipliers, &result.is_multiplier_determined);
  return result;
}

bool CompiledSystem::has_jacobian() const {
  return parts_->jacobian.has_value() || parts_->tree_jacobian.has_value();
}

MotionStatus CompiledSystem::compute_jacobian(const Instant& at, const PreparedParameters& p,
                                              SystemJacobian* jacobian) const {
  if (parts_->tree_jacobian)
    return CompiledCall(*parts_, at, p).differentiate(*parts_->tree_jacobian, false, jacobian);
  if (!parts_->jacobian)
    throw UsageError("CompiledSystem::compute_jacobian", "it was compiled without a Jacobian");
  MatrixXd all;
  const MotionStatus status = CompiledCall(*parts_, at, p).differentiate(*parts_->jacobian, &all);
  jacobian->by_state = all.leftCols(all.cols() - 1);
  jacobian->by_time = all.col(all.cols() - 1);
  return status;
}

MotionStatus CompiledSystem::compute_sensitivities(const Instant& at, const PreparedParameters& p,
                                                   SystemJacobian* jacobian) const {
  if (!parts_->sensitivities)
    throw UsageError("CompiledSystem::compute_sensitivities",
                     "it was compiled without sensitivities");
  MatrixXd all;
  const MotionStatus status =
      CompiledCall(*parts_, at, p).differentiate(*parts_->sensitivities, &all);
  const auto inputs = static_cast<Index>(parts_->input_names.size());
  jacobian->by_inputs = all.leftCols(inputs);
  jacobian->by_parameters = all.rightCols(all.cols() - inputs);
  return status;
}

MotionStatus CompiledSystem::compute_rate_jacobian(const Instant& at, const PreparedParameters& p,
                                                   SystemJacobian* jacobian) const {
  if (parts_->tree_jacobian)
    return CompiledCall(*parts_, at, p).differentiate(*parts_->tree_jacobian, true, jacobian);
  const MotionStatus status = compute_jacobian(at, p, jacobian);
  compute_sensitivities(at, p, jacobian);
  return status;
}

const std::optional<NoMomenta>& CompiledSystem::momenta_obstacle() const {
  return parts_->momenta.obstacle;
}

MotionStatus CompiledSystem::compute_momenta(const Instant& at, const PreparedParameters& p,
                                             double* momenta, double* rates,
                                             MomentumJacobian* jacobian) const {
  const MomentumParts& parts = parts_->momenta;
  if (!has_momenta())
    throw UsageError("CompiledSystem::compute_momenta",
                     "there are none: momenta_obstacle() says why");
  const SystemFunction& f = jacobian != nullptr ? *parts.with_slopes : *parts.values;
  const double* values = CompiledCall(*parts_, at, p).run(f);
  const std::size_t n = speed_count();
  std::copy_n(values, n, momenta);
  std::copy_n(values + n, n, rates);
  if (jacobian != nullptr) {
    const auto size = static_cast<Index>(n);
    for (MatrixXd* block : {&jacobian->momenta_by_q, &jacobian->momenta_by_u, &jacobian->rates_by_q,
                            &jacobian->rates_by_u})
      block->setZero(size, size);
    const double* slopes = values + 2 * n;
    for (const EntryPlace& place : parts.places) {
      const bool is_rate = place.row >= size, is_speed = place.column >= size;
      MatrixXd& block = is_rate ? (is_speed ? jacobian->rates_by_u : jacobian->rates_by_q)
                                : (is_speed ? jacobian->momenta_by_u : jacobian->momenta_by_q);
      block(is_rate ? place.row - size : place.row, is_speed ? place.column - size : place.column) =
          slopes[place.value];
    }
  }
  return are_finite(values, f.code.output_count()) ? MotionStatus::ok : MotionStatus::not_finite;
}

const std::vector<std::pair<int, int>>& CompiledSystem::jacobian_pattern() const {
  return parts_->pattern;
}

SystemEnergies CompiledSystem::compute_energies(const Instant& at,
                                                const PreparedParameters& p) const {
  return compute_energies(at, p, parts_->transport->dependent());
}

SystemEnergies CompiledSystem::compute_energies(const Instant& at, const PreparedParameters& p,
                                                const std::vector<int>& preferred) const {
  SystemEnergies e{};
  TransportSolver::Rows rows;
  double v[9];
  CompiledCall(*parts_, at, p).run_measure(*parts_->energies, nullptr, preferred, v, &rows);
  std::size_t next = 0;
  for (double* x :
       {&e.K, &e.K0, &e.K1, &e.K2, &e.U, &e.sigma, &e.sigma_R, &e.P, &e.P_nonconservative}) {
    *x = v[next++];
    if (std::isfinite(*x)) continue;
    *x = std::numeric_limits<double>::quiet_NaN();
    e.is_determined = false;
  }
  e.Z_rate = add_terms_of(e, result_definitions::Z_rate);
  e.dependent = std::move(rows.dependent);
  e.is_singular = e.dependent.size() < parts_->transport->dependent().size();
  return e;
}

std::vector<int> CompiledSystem::choose_dependent(const Instant& at,
                                                  const PreparedParameters& p) const {
  return parts_->transport->choose_best(compute_rows(at, p));
}

double CompiledSystem::compute_partition_quality(const Instant& at, const PreparedParameters& p,
                                                 const std::vector<int>& dependent) const {
  return parts_->transport->compute_quality(compute_rows(at, p), dependent);
}

void CompiledSystem::compute_outputs(const Instant& at, const PreparedParameters& p,
                                     const double* quadratures, double* values) const {
  CompiledCall(*parts_, at, p).run_measure(*parts_->outputs, quadratures, values);
}

void CompiledSystem::compute_events(const Instant& at, const PreparedParameters& p,
                                    const double* quadratures, double* values) const {
  CompiledCall(*parts_, at, p).run_measure(*parts_->events, quadratures, values);
}

void CompiledSystem::compute_outputs(const Instant& at, const PreparedParameters& p,
                                     const std::vector<int>& preferred, const double* quadratures,
                                     double* values) const {
  CompiledCall(*parts_, at, p)
      .run_measure(*parts_->outputs, quadratures, preferred, values, nullptr);
}

void CompiledSystem::compute_events(const Instant& at, const PreparedParameters& p,
                                    const std::vector<int>& preferred, const double* quadratures,
                                    double* values) const {
  CompiledCall(*parts_, at, p)
      .run_measure(*parts_->events, quadratures, preferred, values, nullptr);
}

void CompiledSystem::compute_switches(const Instant& at, const PreparedParameters& p,
                                      double* values) const {
  CompiledCall(*parts_, at, p).run_measure(*parts_->switches, nullptr, values);
}

std::size_t CompiledSystem::sample_count() const { return parts_->samples.size(); }

double CompiledSystem::sample_period(std::size_t sample, const PreparedParameters& p) const {
  const SampleParts& parts = parts_->samples[sample];
  const std::vector<double> at(state_count() + input_names().size(), 0.0);
  std::vector<double> values(parts.places.size() + 1);
  CompiledCall(*parts_, {0.0, at.data(), at.data() + state_count()}, p)
      .run(parts.values, values.data());
  return values.back();
}

void CompiledSystem::apply_sample(std::size_t sample, const Instant& at,
                                  const PreparedParameters& p, double* state) const {
  const SampleParts& parts = parts_->samples[sample];
  std::vector<double> values(parts.places.size() + 1);
  CompiledCall(*parts_, at, p).run(parts.values, values.data());
  for (std::size_t i = 0; i < parts.places.size(); ++i) state[parts.places[i]] = values[i];
}

std::optional<TableExit> CompiledSystem::find_table_exit(const Instant& at,
                                                         const PreparedParameters& p) const {
  constexpr double near = 1e-6;  // of a table's range
  if (parts_->table_ends.empty()) return {};
  const double* places = CompiledCall(*parts_, at, p).run(*parts_->table_places);
  std::optional<TableExit> found;
  double least = near;
  for (std::size_t i = 0; i < parts_->table_ends.size(); ++i) {
    const TableExit& end = parts_->table_ends[i];
    const double x = places[i];
    const double margin = std::min(x - end.first, end.last - x) / (end.last - end.first);
    if (!(margin < least)) continue;
    least = margin;
    found = end;
    found->value = x;
  }
  return found;
}

void CompiledSystem::compute_places(const Instant& at, const PreparedParameters& p,
                                    double* values) const {
  if (place_names().empty()) return;
  std::copy_n(CompiledCall(*parts_, at, p).run(*parts_->places), place_names().size(), values);
}

void CompiledSystem::compute_momentum(const Instant& at, const PreparedParameters& p,
                                      double* values) const {
  std::fill_n(values, momentum_count, 0.0);
  if (!parts_->momentum || parts_->momentum->code.output_count() == 0) return;
  std::copy_n(CompiledCall(*parts_, at, p).run(*parts_->momentum), momentum_count, values);
}

void CompiledSystem::compute_residuals(const Instant& at, const PreparedParameters& p,
                                       double* positions, double* velocities) const {
  const double* values = CompiledCall(*parts_, at, p).run(*parts_->residuals);
  std::copy_n(values, parts_->position_count, positions);
  std::copy_n(values + parts_->position_count, row_count(), velocities);
}

MatrixXd CompiledSystem::compute_rows(const Instant& at, const PreparedParameters& p) const {
  return CompiledCall(*parts_, at, p).compute_rows(nullptr);
}

}  // namespace visviva
