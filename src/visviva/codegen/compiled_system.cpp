#include "visviva/codegen/compiled_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/codegen/system_parts.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t batch_size = 64;  // states whose numbers fit into the nearest cache

// What one call needs; each thread has its own and keeps it.
struct Workspace {
  std::vector<double> arguments, values;
  MotionNumbers motion;
  MatrixXd columns;
};

Workspace& workspace() {
  thread_local Workspace space;
  return space;
}

bool are_positive(const double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!(values[i] > 0)) return false;
  }
  return true;
}

bool are_finite(const double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return false;
  }
  return true;
}

// Which of a block of states have positive margins and finite rates.
void find_solved(const double* outputs, std::size_t rates, std::size_t margins, std::size_t lanes,
                 std::vector<bool>* is_done) {
  double worst[batch_size];
  std::fill_n(worst, lanes, 1.0);
  // x - x is zero, but NaN where x is not finite.
  for (std::size_t i = 0; i < rates; ++i) {
    const double* x = outputs + i * batch_size;
    for (std::size_t k = 0; k < lanes; ++k) worst[k] += x[k] - x[k];
  }
  for (std::size_t i = rates; i < rates + margins; ++i) {
    const double* x = outputs + i * batch_size;
    for (std::size_t k = 0; k < lanes; ++k) worst[k] = x[k] > 0 ? worst[k] : -1.0;
  }
  for (std::size_t k = 0; k < lanes; ++k) (*is_done)[k] = worst[k] > 0;
}

// One call: arguments are written once, then what functions need besides them.
class Call {
 public:
  using Parts = CompiledSystem::Parts;

  Call(const Parts& parts, const Instant& at, const PreparedParameters& prepared)
      : parts_(parts), prepared_(prepared), space_(workspace()) {
    const auto n = static_cast<std::size_t>(parts.motion.size());
    space_.arguments.resize(parts.argument_count + 3 * n + 1);
    double* to = space_.arguments.data();
    *to++ = at.time;
    to = std::copy_n(at.state, parts.state_names.size(), to);
    to = std::copy_n(at.inputs, parts.input_names.size(), to);
    for (const Signal& s : parts.tables) *to++ = s.table->value(at.time, s.order);
  }

  void run(const SystemFunction& f, double* outputs) const {
    f.code(space_.arguments.data(), prepared_.functions[f.index].data(), outputs);
  }
  // Into the workspace.
  const double* run(const SystemFunction& f) const {
    space_.values.resize(f.code.output_count());
    run(f, space_.values.data());
    return space_.values.data();
  }

  // ---- Motion

  // Accelerations by the assembled equations.
  MotionStatus solve() const { return finish(run(*parts_.assembly)); }

  MotionStatus finish(const double* assembly) const {
    MotionNumbers& m = space_.motion;
    parts_.motion.solve(assembly + parts_.configuration_count, &m);
    if (!m.is_finite) return MotionStatus::not_finite;
    if (!m.is_consistent) return MotionStatus::contradictory;
    for (std::size_t r = 0; r < m.is_determined.size(); ++r) {
      if (r < speed_count() && !m.is_determined[r]) return MotionStatus::not_determined;
    }
    return MotionStatus::ok;
  }

  MotionStatus compute_rates(double* rates) const {
    if (parts_.unrolled) {
      const std::size_t n = parts_.state_names.size();
      const double* values = run(*parts_.unrolled);
      if (are_positive(values + n, speed_count()) && are_finite(values, n)) {
        std::copy_n(values, n, rates);
        return MotionStatus::ok;
      }
    }
    return compute_rates_by_solving(rates);
  }

  MotionStatus compute_rates_by_solving(double* rates) const {
    return finish_rates(run(*parts_.assembly), rates);
  }

  MotionStatus finish_rates(const double* assembly, double* rates) const {
    std::copy_n(assembly, parts_.configuration_count, rates);
    const MotionStatus status = finish(assembly);
    std::copy_n(space_.motion.x.data(), speed_count(), rates + parts_.configuration_count);
    return status == MotionStatus::ok && !are_finite(rates, parts_.configuration_count)
               ? MotionStatus::not_finite
               : status;
  }

  // ---- What is watched

  void run_measure(const SystemFunction& f, double Z, double* outputs) const {
    run_measure(f, Z, parts_.transport->dependent(), outputs, nullptr);
  }

  void run_measure(const SystemFunction& f, double Z, const std::vector<int>& wanted,
                   double* outputs, TransportSolver::Rows* rows) const {
    double* to = space_.arguments.data() + parts_.argument_count;
    const auto solved = speed_count() + static_cast<std::size_t>(parts_.motion.unknown_count());
    if (f.needs_motion) {
      solve();
      const MotionNumbers& m = space_.motion;
      for (std::size_t i = 0; i < solved; ++i) {
        const bool is_known = m.is_determined.empty() || m.is_determined[i];
        to[i] = is_known ? m.x(static_cast<Index>(i)) : std::numeric_limits<double>::quiet_NaN();
      }
    } else {
      std::fill_n(to, solved, 0.0);
    }
    to += solved;
    if (parts_.motion.row_count() > 0) {
      std::fill_n(to, 2 * speed_count(), 0.0);
      if (rows != nullptr || (f.needs_transport && !parts_.is_still)) {
        const TransportSolver::Rows now = add_transport(wanted, to);
        if (rows != nullptr) *rows = now;
      }
      to += 2 * speed_count();
    }
    *to = Z;
    run(f, outputs);
  }

  MatrixXd compute_rows(VectorXd* c) const {
    const double* values = run(*parts_.rows);
    MatrixXd A = MatrixXd::Zero(parts_.motion.row_count(), parts_.motion.speed_count());
    for (const EntryPlace& p : parts_.row_places) A(p.row, p.column) = values[p.value];
    if (c != nullptr)
      *c = Eigen::Map<const VectorXd>(values + parts_.row_places.size(), parts_.motion.row_count());
    return A;
  }

  // ---- Derivatives

  // K dx = -dr, and the configuration's rates directly.
  MotionStatus differentiate(const DerivativeFunction& f, MatrixXd* result) const {
    const MotionStatus status = solve();
    const MotionNumbers& m = space_.motion;
    const auto first = static_cast<Index>(parts_.configuration_count);
    result->setZero(static_cast<Index>(parts_.state_names.size()), f.columns);
    if (!m.is_finite) {
      result->setConstant(std::numeric_limits<double>::quiet_NaN());
      return status;
    }
    std::copy_n(m.x.data(), m.x.size(), space_.arguments.data() + parts_.argument_count);
    const double* values = run(f.function);
    for (const EntryPlace& p : f.rates) (*result)(p.row, p.column) = values[p.value];

    MatrixXd& columns = space_.columns;
    columns.setZero(m.K.rows(), static_cast<Index>(f.solved.size()));
    std::vector<Index> place_of(static_cast<std::size_t>(f.columns));
    for (std::size_t k = 0; k < f.solved.size(); ++k)
      place_of[static_cast<std::size_t>(f.solved[k])] = static_cast<Index>(k);
    for (const EntryPlace& p : f.residuals)
      columns(p.row, place_of[static_cast<std::size_t>(p.column)]) = -values[p.value];
    if (!columns.allFinite()) {
      result->setConstant(std::numeric_limits<double>::quiet_NaN());
      return MotionStatus::not_finite;
    }
    parts_.motion.solve_again(m, &columns);
    for (std::size_t k = 0; k < f.solved.size(); ++k)
      result->col(f.solved[k]).tail(result->rows() - first) =
          columns.col(static_cast<Index>(k)).head(parts_.motion.speed_count());
    return status;
  }

  const Workspace& space() const { return space_; }

 private:
  std::size_t speed_count() const { return static_cast<std::size_t>(parts_.motion.speed_count()); }

  // Writes w and w'.
  TransportSolver::Rows add_transport(const std::vector<int>& wanted, double* to) const {
    const TransportSolver& transport = *parts_.transport;
    VectorXd c;
    MatrixXd A = compute_rows(&c);
    TransportSolver::Rows rows = transport.choose(std::move(A), std::move(c), wanted);
    const std::size_t n = speed_count();
    if (!rows.is_finite) {
      std::fill_n(to, 2 * n, std::numeric_limits<double>::quiet_NaN());
      return rows;
    }
    if (parts_.is_still) return rows;
    double speed = 0.0;
    const double* u = space_.arguments.data() + 1 + parts_.configuration_count;
    for (std::size_t r = 0; r < n; ++r) speed = std::max(speed, std::abs(u[r]));
    const VectorXd w = transport.solve(rows, speed);
    std::copy_n(w.data(), n, to);
    const double* drift = run(*parts_.drift);
    const VectorXd w_rates = transport.solve_rates(
        rows, Eigen::Map<const VectorXd>(drift, parts_.motion.row_count()), speed);
    std::copy_n(w_rates.data(), n, to + n);
    return rows;
  }

  const Parts& parts_;
  const PreparedParameters& prepared_;
  Workspace& space_;
};

}  // namespace

CompiledSystem::CompiledSystem(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
CompiledSystem::~CompiledSystem() = default;
CompiledSystem::CompiledSystem(CompiledSystem&&) noexcept = default;
CompiledSystem& CompiledSystem::operator=(CompiledSystem&&) noexcept = default;

std::size_t CompiledSystem::configuration_count() const { return parts_->configuration_count; }
std::size_t CompiledSystem::position_count() const { return parts_->position_count; }
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
const std::vector<double>& CompiledSystem::parameters() const { return parts_->parameters; }
const std::vector<double>& CompiledSystem::inputs() const { return parts_->inputs; }
const std::string& CompiledSystem::backend() const { return parts_->assembly->code.backend(); }
bool CompiledSystem::is_unrolled() const { return parts_->unrolled.has_value(); }

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
  for (const auto* f : {&p.unrolled, &p.unrolled_and_Z, &p.assembly, &p.residuals, &p.rows,
                        &p.drift, &p.energies, &p.Z_rate, &p.outputs, &p.events}) {
    if (*f) add(**f);
  }
  for (const auto* f : {&p.jacobian, &p.sensitivities}) {
    if (*f) add((*f)->function);
  }
  return prepared;
}

MotionStatus CompiledSystem::compute_rates(const Instant& at, const PreparedParameters& p,
                                           double* rates) const {
  return Call(*parts_, at, p).compute_rates(rates);
}

MotionStatus CompiledSystem::compute_rates_and_Z(const Instant& at, const PreparedParameters& p,
                                                 double* rates) const {
  const Call call(*parts_, at, p);
  const std::size_t n = state_count();
  if (parts_->unrolled_and_Z) {
    const double* values = call.run(*parts_->unrolled_and_Z);
    if (are_positive(values + n + 1, speed_count()) && are_finite(values, n + 1)) {
      std::copy_n(values, n + 1, rates);
      return MotionStatus::ok;
    }
  }
  const MotionStatus status = call.compute_rates(rates);
  call.run_measure(*parts_->Z_rate, 0.0, rates + n);
  return status == MotionStatus::ok && !std::isfinite(rates[n]) ? MotionStatus::not_finite : status;
}

SolvedSystem CompiledSystem::solve(const Instant& at, const PreparedParameters& p) const {
  const Call call(*parts_, at, p);
  SolvedSystem result;
  result.status = call.solve();
  const MotionNumbers& m = call.space().motion;
  const MotionSystem& motion = parts_->motion;
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

void CompiledSystem::compute_rates_batch(const double* times, const double* states,
                                         const double* inputs, std::size_t count,
                                         std::size_t stride, const PreparedParameters& p,
                                         double* rates, MotionStatus* statuses) const {
  if (stride < count)
    throw UsageError(
        "CompiledSystem::compute_rates_batch",
        "the stride " + std::to_string(stride) + " is below the count " + std::to_string(count));
  const Parts& parts = *parts_;
  const SystemFunction& f = parts.unrolled ? *parts.unrolled : *parts.assembly;
  const std::size_t n = state_count(), m = parts.input_names.size();
  std::vector<double> in(parts.argument_count * batch_size),
      out(f.code.output_count() * batch_size), entries(f.code.output_count()), one(n + m + n);
  std::vector<bool> is_done(batch_size);
  for (std::size_t first = 0; first < count; first += batch_size) {
    const std::size_t lanes = std::min(batch_size, count - first);
    double* to = in.data();
    std::copy_n(times + first, lanes, to);
    to += batch_size;
    for (std::size_t i = 0; i < n; ++i, to += batch_size)
      std::copy_n(states + i * stride + first, lanes, to);
    for (std::size_t i = 0; i < m; ++i, to += batch_size)
      std::copy_n(inputs + i * stride + first, lanes, to);
    for (const Signal& s : parts.tables) {
      for (std::size_t k = 0; k < lanes; ++k) to[k] = s.table->value(times[first + k], s.order);
      to += batch_size;
    }
    f.code.evaluate_batch(in.data(), lanes, batch_size, p.functions[f.index].data(), out.data());

    // States that the unrolled solution holds for are done; rows are longer than lists of outputs.
    if (parts.unrolled) {
      find_solved(out.data(), n, speed_count(), lanes, &is_done);
      for (std::size_t i = 0; i < n; ++i)
        std::copy_n(out.data() + i * batch_size, lanes, rates + i * stride + first);
    }
    for (std::size_t k = 0; k < lanes; ++k) {
      MotionStatus status = MotionStatus::ok;
      if (!parts.unrolled || !is_done[k]) {
        double *const state = one.data(), *const input = state + n, *const rate = input + m;
        for (std::size_t i = 0; i < n; ++i) state[i] = states[i * stride + first + k];
        for (std::size_t i = 0; i < m; ++i) input[i] = inputs[i * stride + first + k];
        const Call call(parts, {times[first + k], state, input}, p);
        if (parts.unrolled) {
          status = call.compute_rates_by_solving(rate);
        } else {
          for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = out[i * batch_size + k];
          status = call.finish_rates(entries.data(), rate);
        }
        for (std::size_t i = 0; i < n; ++i) rates[i * stride + first + k] = rate[i];
      }
      if (statuses != nullptr) statuses[first + k] = status;
    }
  }
}

MotionStatus CompiledSystem::compute_jacobian(const Instant& at, const PreparedParameters& p,
                                              SystemJacobian* jacobian) const {
  if (!parts_->jacobian)
    throw UsageError("CompiledSystem::compute_jacobian", "it was compiled without a Jacobian");
  MatrixXd all;
  const MotionStatus status = Call(*parts_, at, p).differentiate(*parts_->jacobian, &all);
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
  const MotionStatus status = Call(*parts_, at, p).differentiate(*parts_->sensitivities, &all);
  const auto inputs = static_cast<Index>(parts_->input_names.size());
  jacobian->by_inputs = all.leftCols(inputs);
  jacobian->by_parameters = all.rightCols(all.cols() - inputs);
  return status;
}

const std::vector<std::pair<int, int>>& CompiledSystem::jacobian_pattern() const {
  return parts_->pattern;
}

SystemEnergies CompiledSystem::compute_energies(const Instant& at,
                                                const PreparedParameters& p) const {
  return compute_energies(at, p, parts_->transport->dependent());
}

SystemEnergies CompiledSystem::compute_energies(const Instant& at, const PreparedParameters& p,
                                                const std::vector<int>& wanted) const {
  SystemEnergies e{};
  TransportSolver::Rows rows;
  double v[9];
  Call(*parts_, at, p).run_measure(*parts_->energies, 0.0, wanted, v, &rows);
  std::size_t next = 0;
  for (double* x :
       {&e.K, &e.K0, &e.K1, &e.K2, &e.U, &e.sigma, &e.sigma_R, &e.P, &e.P_nonconservative}) {
    *x = v[next++];
    if (std::isfinite(*x)) continue;
    *x = std::numeric_limits<double>::quiet_NaN();
    e.is_determined = false;
  }
  e.Z_rate = e.sigma_R - e.P_nonconservative;
  e.dependent = std::move(rows.dependent);
  e.is_singular = e.dependent.size() < parts_->transport->dependent().size();
  return e;
}

void CompiledSystem::compute_outputs(const Instant& at, const PreparedParameters& p, double Z,
                                     double* values) const {
  Call(*parts_, at, p).run_measure(*parts_->outputs, Z, values);
}

void CompiledSystem::compute_events(const Instant& at, const PreparedParameters& p, double Z,
                                    double* values) const {
  Call(*parts_, at, p).run_measure(*parts_->events, Z, values);
}

void CompiledSystem::compute_residuals(const Instant& at, const PreparedParameters& p,
                                       double* positions, double* velocities) const {
  const double* values = Call(*parts_, at, p).run(*parts_->residuals);
  std::copy_n(values, parts_->position_count, positions);
  std::copy_n(values + parts_->position_count, row_count(), velocities);
}

MatrixXd CompiledSystem::compute_rows(const Instant& at, const PreparedParameters& p) const {
  return Call(*parts_, at, p).compute_rows(nullptr);
}

}  // namespace visviva
