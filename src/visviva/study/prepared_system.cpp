#include "visviva/study/prepared_system.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

void require_size(const char* what, std::size_t found, std::size_t needed) {
  if (found == needed) return;
  throw UsageError("PreparedSystem", "there are " + counted(needed, std::string("value")) + " of " +
                                         what + ", not " + std::to_string(found));
}

std::vector<std::string> list_rates(const CompiledSystem& system) {
  std::vector<std::string> names = system.state_names();
  for (std::string& name : names) name += '\'';
  return names;
}

NamedValues make_unknown(const char* noun, const std::vector<std::string>& names) {
  const std::vector<std::optional<Dimension>> open(names.size());
  return {std::make_shared<const ValueNames>(ValueNames{noun, names, open}),
          std::vector<double>(names.size())};
}

// The place of a name, or nothing.
std::optional<Eigen::Index> find_place(std::string_view name,
                                       const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return found - names.begin();
}

[[noreturn]] void refuse_name(const char* what, std::string_view name,
                              const std::vector<std::string>& known) {
  const std::string nearest = did_you_mean(name, known);
  throw UsageError("NamedSlopes", "there is no " + std::string(what) + " '" + std::string(name) +
                                      "'" + (nearest.empty() ? "" : "; " + nearest));
}

}  // namespace

NamedSlopes::NamedSlopes(const CompiledSystem& system, MotionStatus status, SystemJacobian matrices)
    : status_(status),
      matrices_(std::move(matrices)),
      rates_(list_rates(system)),
      states_(system.state_names()),
      inputs_(system.input_names()),
      parameters_(system.parameter_names()) {}

double NamedSlopes::operator()(std::string_view rate, std::string_view by) const {
  const auto row = find_place(rate, rates_);
  if (!row) refuse_name("rate", rate, rates_);
  if (const auto column = find_place(by, states_)) return matrices_.by_state(*row, *column);
  if (const auto column = find_place(by, inputs_)) return matrices_.by_inputs(*row, *column);
  if (const auto column = find_place(by, parameters_))
    return matrices_.by_parameters(*row, *column);
  std::vector<std::string> known = states_;
  known.insert(known.end(), inputs_.begin(), inputs_.end());
  known.insert(known.end(), parameters_.begin(), parameters_.end());
  refuse_name("state, input or parameter", by, known);
}

PreparedSystem::PreparedSystem(const CompiledSystem& system)
    : PreparedSystem(system, system.parameters(), system.inputs()) {}

PreparedSystem::PreparedSystem(const CompiledSystem& system, const NamedValues& parameters)
    : PreparedSystem(system, parameters, system.inputs()) {}

PreparedSystem::PreparedSystem(const CompiledSystem& system, const NamedValues& parameters,
                               const NamedValues& inputs)
    : system_(system),
      inputs_(inputs),
      prepared_(system.prepare(parameters)),
      rate_names_(make_unknown("rate", list_rates(system))),
      output_names_(make_unknown("output", system.output_names())) {
  require_size("the inputs", inputs.size(), system.input_names().size());
}

Instant PreparedSystem::at(double time, std::span<const double> state) const {
  require_size("the state", state.size(), system_.state_count());
  return {time, state.data(), inputs_.data()};
}

NamedRates PreparedSystem::rates(double time, const NamedValues& state) const {
  std::vector<double> values(system_.state_count());
  const MotionStatus status = compute_rates(time, state, values);
  return {status, rate_names_.with_values(std::move(values))};
}

NamedSlopes PreparedSystem::slopes(double time, const NamedValues& state) const {
  SystemJacobian matrices;
  const MotionStatus status = system_.compute_jacobian(at(time, state), prepared_, &matrices);
  system_.compute_sensitivities(at(time, state), prepared_, &matrices);
  return {system_, status, std::move(matrices)};
}

NamedValues PreparedSystem::outputs(double time, const NamedValues& state) const {
  const std::vector<double> quadratures(system_.quadrature_names().size(), 0.0);
  std::vector<double> values(system_.output_names().size());
  system_.compute_outputs(at(time, state), prepared_, quadratures.data(), values.data());
  return output_names_.with_values(std::move(values));
}

MotionStatus PreparedSystem::compute_rates(double time, std::span<const double> state,
                                           std::span<double> rates) const {
  require_size("the rates", rates.size(), system_.state_count());
  return system_.compute_rates(at(time, state), prepared_, rates.data());
}

void PreparedSystem::compute_mass_matrix(double time, std::span<const double> state,
                                         std::span<double> matrix) const {
  const std::size_t n = system_.speed_count();
  require_size("the mass matrix", matrix.size(), n * n);
  system_.compute_mass_matrix(at(time, state), prepared_, matrix.data());
}

MotionStatus PreparedSystem::compute_inverse_dynamics(double time, std::span<const double> state,
                                                      std::span<const double> speed_rates,
                                                      std::span<double> forces) const {
  require_size("the speeds' rates", speed_rates.size(), system_.speed_count());
  require_size("the forces", forces.size(), system_.speed_count());
  return system_.compute_inverse_dynamics(at(time, state), prepared_, speed_rates.data(),
                                          forces.data());
}

MotionStatus PreparedSystem::compute_rate_jacobian(double time, std::span<const double> state,
                                                   const RateJacobian& jacobian) const {
  const std::size_t n = system_.state_count();
  SystemJacobian found;
  const Instant now = at(time, state);
  const MotionStatus status = jacobian.by_inputs.empty()
                                  ? system_.compute_jacobian(now, prepared_, &found)
                                  : system_.compute_rate_jacobian(now, prepared_, &found);
  const auto copy = [&](const char* what, const Eigen::MatrixXd& from, std::span<double> to) {
    if (to.empty()) return;
    require_size(what, to.size(), n * static_cast<std::size_t>(from.cols()));
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        to.data(), from.rows(), from.cols()) = from;
  };
  copy("the slopes by state", found.by_state, jacobian.by_state);
  copy("the slopes by inputs", found.by_inputs, jacobian.by_inputs);
  copy("the slopes by time", found.by_time, jacobian.by_time);
  return status;
}

void PreparedSystem::compute_rates(const StateBatch& batch, std::span<double> rates,
                                   std::span<MotionStatus> statuses) const {
  const std::size_t count = batch.times.size();
  require_size("the states", batch.states.size(), count * system_.state_count());
  require_size("the inputs", batch.inputs.size(), count * system_.input_names().size());
  require_size("the rates", rates.size(), count * system_.state_count());
  if (!statuses.empty()) require_size("the statuses", statuses.size(), count);
  system_.compute_rates_batch(batch.times.data(), batch.states.data(), batch.inputs.data(), count,
                              count, prepared_, rates.data(),
                              statuses.empty() ? nullptr : statuses.data());
}

}  // namespace visviva
