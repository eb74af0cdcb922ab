#include "visviva/codegen/system/compiled_call.h"

#include <algorithm>
#include <memory>

#include "visviva/equations/reactions/reaction_forms.h"
#include "visviva/numeric/solve_any_rank.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double open_tolerance = 1e-9;  // of the sizes that are summed, as in reactions.cpp

}  // namespace

SystemWorkspace& system_workspace() {
  thread_local SystemWorkspace space;
  return space;
}

CompiledCall::CompiledCall(const Parts& parts, const Instant& at,
                           const PreparedParameters& prepared)
    : parts_(parts), prepared_(prepared), space_(system_workspace()) {
  const auto n = static_cast<std::size_t>(parts.motion.size());
  space_.arguments.resize(parts.argument_count + 3 * n + parts.quadrature_names.size() +
                          parts.results.count);
  write_arguments(parts, at, space_.arguments.data());
}

MotionStatus CompiledCall::accelerate(double* rates) const {
  if (!parts_.unrolled)
    return rates == nullptr ? finish(run(*parts_.assembly), true) : compute_rates_by_solving(rates);
  const std::size_t first = parts_.configuration_count;
  const auto solved = static_cast<std::size_t>(parts_.motion.size());
  const double* values = run(*parts_.unrolled);
  if (!holds(values, first + solved, space_.values.size()))
    return rates == nullptr ? solve() : compute_rates_by_solving(rates);
  if (rates != nullptr) std::copy_n(values, parts_.state_names.size(), rates);
  MotionNumbers& m = space_.motion;
  m.x = Eigen::Map<const VectorXd>(values + first, static_cast<Index>(solved));
  m.is_finite = m.is_regular = m.is_consistent = true;
  m.is_determined.clear();
  is_solved_ = true;
  return MotionStatus::ok;
}

MotionStatus CompiledCall::finish(const double* assembly, bool regular_first) const {
  is_solved_ = true;
  MotionNumbers& m = space_.motion;
  const double* entries = assembly + parts_.configuration_count;
  if (regular_first && parts_.motion.solve_regular(entries, &m)) return MotionStatus::ok;
  parts_.motion.solve(entries, &m);
  if (!m.is_finite) return MotionStatus::not_finite;
  if (!m.is_consistent) return MotionStatus::contradictory;
  for (std::size_t r = 0; r < m.is_determined.size(); ++r) {
    if (r < speed_count() && !m.is_determined[r]) return MotionStatus::not_determined;
  }
  return MotionStatus::ok;
}

MotionStatus CompiledCall::finish_rates(const double* assembly, double* rates) const {
  std::copy_n(assembly, parts_.configuration_count, rates);
  const MotionStatus status = finish(assembly, true);
  std::copy_n(space_.motion.x.data(), speed_count(), rates + parts_.configuration_count);
  return status == MotionStatus::ok && !are_finite(rates, parts_.configuration_count)
             ? MotionStatus::not_finite
             : status;
}

void CompiledCall::run_measure(const SystemFunction& f, const double* quadratures,
                               const std::vector<int>& preferred, double* outputs,
                               TransportSolver::Rows* rows) const {
  space_.results.assign(parts_.results.count, 0.0);
  if (f.needs_results) compute_results(quadratures != nullptr);
  double* to = space_.arguments.data() + parts_.argument_count;
  const auto solved = static_cast<std::size_t>(parts_.motion.size());
  if (f.needs_motion) {
    if (!is_solved_) accelerate();
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
      const TransportSolver::Rows now = add_transport(preferred, to);
      if (rows != nullptr) *rows = now;
    }
    to += 2 * speed_count();
  }
  if (quadratures == nullptr)
    std::fill_n(to, parts_.quadrature_names.size(), 0.0);
  else
    std::copy_n(quadratures, parts_.quadrature_names.size(), to);
  for (const auto& [quadrature, value] : parts_.results.integrals) {
    if (std::isnan(space_.results[static_cast<std::size_t>(value)]))
      to[quadrature] = std::numeric_limits<double>::quiet_NaN();
  }
  std::copy_n(space_.results.data(), parts_.results.count, to + parts_.quadrature_names.size());
  run(f, outputs);
}

void CompiledCall::compute_results(bool only_determined) const {
  if (!is_solved_) accelerate();
  const ResultParts& p = parts_.results;
  const MotionNumbers& m = space_.motion;
  std::copy_n(m.x.data(), m.x.size(), space_.arguments.data() + parts_.argument_count);
  const double* values = run(*p.values);
  std::copy_n(values, p.count, space_.results.data());
  if (!only_determined) return;
  for (std::size_t i = 0; i < p.losses.size(); ++i) {
    if (std::abs(values[p.count + i]) > smallest_direction) lose(p.losses[i]);
  }
  for (const ResultParts::Group& group : p.groups) {
    for (int k = 0; k < group.count; ++k) {
      if (!group.is_known || !m.is_consistent) lose(group.first + k);
    }
  }
  if (!m.is_determined.empty()) lose_open();
}

// Components that an open direction changes, against the size of what is summed.
void CompiledCall::lose_open() const {
  const ResultParts& p = parts_.results;
  const MotionNumbers& m = space_.motion;
  const double* values = run(*p.slopes);
  MatrixXd slopes = MatrixXd::Zero(static_cast<Index>(p.count), m.x.size());
  for (const EntryPlace& place : p.slope_places) {
    if (!m.is_determined[static_cast<std::size_t>(place.column)])
      slopes(place.row, place.column) = values[place.value];
  }
  const MatrixXd changes = slopes * m.open;
  for (const ResultParts::Group& group : p.groups) {
    const Eigen::RowVectorXd sizes =
        slopes.middleRows(group.first, group.count).colwise().norm() * m.open.cwiseAbs();
    for (int k = group.first; k < group.first + group.count; ++k) {
      if ((changes.row(k).cwiseAbs().array() > open_tolerance * sizes.array()).any()) lose(k);
    }
  }
}

MatrixXd CompiledCall::compute_rows(VectorXd* c) const {
  const double* values = run(*parts_.rows);
  MatrixXd A = MatrixXd::Zero(parts_.motion.row_count(), parts_.motion.speed_count());
  for (const EntryPlace& p : parts_.row_places) A(p.row, p.column) = values[p.value];
  if (c != nullptr)
    *c = Eigen::Map<const VectorXd>(values + parts_.row_places.size(), parts_.motion.row_count());
  return A;
}

// K dx = -dr, and the configuration's rates directly.
MotionStatus CompiledCall::differentiate(const DerivativeFunction& f, MatrixXd* result) const {
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

void CompiledCall::multiply_links(const TreeDerivativeFunction& f, const double* numbers,
                                  double* memory) const {
  f.products.compute(numbers, memory);
  double* const rows = f.products.rows(memory);
  for (std::size_t i = 0; i < f.term_places.size(); ++i)
    rows[f.term_places[i]] += numbers[f.first_term + i];
}

// Where M is nearly singular.
void CompiledCall::solve_links_openly(const TreeDerivativeFunction& f, const double* numbers,
                                      double* memory) const {
  multiply_links(f, numbers, memory);
  const std::size_t n = speed_count();
  const auto count = static_cast<Index>(f.products.columns().size());
  MatrixXd& columns = space_.columns;
  columns.resize(static_cast<Index>(n), count);
  double* const rows = f.products.rows(memory);
  for (std::size_t r = 0; r < n; ++r)
    columns.row(static_cast<Index>(r)) =
        Eigen::Map<const Eigen::RowVectorXd>(rows + f.rows[r], count);
  columns = -solve_closest(f.products.read_matrix(memory), columns);
  for (std::size_t r = 0; r < n; ++r)
    Eigen::Map<Eigen::RowVectorXd>(rows + f.rows[r], count) = columns.row(static_cast<Index>(r));
}

MotionStatus CompiledCall::differentiate(const TreeDerivativeFunction& f, bool by_inputs,
                                         SystemJacobian* result) const {
  const auto states = static_cast<Index>(parts_.state_names.size()),
             inputs = static_cast<Index>(parts_.input_names.size());
  result->by_state.resize(states, states);
  result->by_time.resize(states);
  if (by_inputs) result->by_inputs.resize(states, inputs);
  const auto lose_all = [&] {
    for (MatrixXd* block : {&result->by_state, &result->by_inputs})
      block->setConstant(std::numeric_limits<double>::quiet_NaN());
    result->by_time.setConstant(std::numeric_limits<double>::quiet_NaN());
    return MotionStatus::not_finite;
  };
  const MotionStatus status = accelerate();
  if (status == MotionStatus::not_finite) return lose_all();
  take_speed_rates(space_.motion.x.data());
  const double* values = run(f.function);
  const std::size_t first = parts_.configuration_count, n = speed_count();

  constexpr std::size_t line = 8;  // numbers in 64 bytes
  space_.links.resize(f.products.memory_size() + line);
  void* start = space_.links.data();
  std::size_t room = space_.links.size() * sizeof(double);
  auto* const memory =
      static_cast<double*>(std::align(line * sizeof(double), sizeof(double), start, room));
  multiply_links(f, values, memory);
  const std::size_t count = by_inputs ? f.products.columns().size() : f.state_columns;
  if (!f.products.solve(memory, count)) {
    if (!are_finite(values, f.function.code.output_count())) return lose_all();
    solve_links_openly(f, values, memory);
    if (!are_finite(f.products.rows(memory), n * f.products.row_stride())) return lose_all();
  }

  const auto column = [&](int i) -> double* {
    if (i < states) return result->by_state.data() + i * states;
    if (i == states) return result->by_time.data();
    return by_inputs ? result->by_inputs.data() + (i - states - 1) * states : nullptr;
  };
  for (const int i : f.still)
    if (double* const to = column(i)) std::fill_n(to, states, 0.0);
  const double* const rows = f.products.rows(memory);
  for (std::size_t k = 0; k < count; ++k) {
    double* to = column(f.products.columns()[k]);
    if (to == nullptr) continue;
    to = std::fill_n(to, first, 0.0);
    for (std::size_t r = 0; r < n; ++r) to[r] = rows[f.rows[r] + k];
  }
  bool is_good = true;
  const double* slopes = values + f.first_term + f.term_places.size();
  for (const EntryPlace& p : f.rates)
    if (double* to = column(p.column)) {
      to[p.row] = slopes[p.value];
      is_good &= std::abs(to[p.row]) <= std::numeric_limits<double>::max();
    }
  return is_good ? status : lose_all();
}

TransportSolver::Rows CompiledCall::add_transport(const std::vector<int>& preferred,
                                                  double* to) const {
  const TransportSolver& transport = *parts_.transport;
  VectorXd c;
  MatrixXd A = compute_rows(&c);
  TransportSolver::Rows rows = transport.choose(std::move(A), std::move(c), preferred);
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

}  // namespace visviva
