#include "visviva/simulation/run/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace visviva {
namespace {

constexpr double default_rows = 1000;

}  // namespace

Sampler::Sampler(SystemRates& rates, const EnergyWatch& watch, const RunOptions& options)
    : rates_(rates),
      watch_(watch),
      watcher_(options.watcher),
      from_(options.from),
      until_(options.until),
      every_(options.every.value_or((options.until - options.from) / default_rows)),
      keeps_(options.keep_samples),
      given_times_(options.times) {
  const CompiledSystem& system = rates.system();
  columns_.push_back("t");
  // Hidden states of frames have a dot in their names, which no declared name has.
  for (std::size_t i = 0; i < system.state_count(); ++i) {
    if (system.state_names()[i].find('.') != std::string::npos) continue;
    shown_.push_back(i);
    columns_.push_back(system.state_names()[i]);
  }
  shown_.push_back(system.state_count());
  columns_.push_back("Z");
  columns_.push_back("E_Z");
  const std::vector<std::string>& outputs = system.output_names();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (std::find(columns_.begin(), columns_.end(), outputs[i]) != columns_.end()) continue;
    outputs_.push_back(i);
    columns_.push_back(outputs[i]);
  }
  row_.resize(columns_.size());
  values_.resize(outputs.size());
  before_.resize(system.switch_count());
  after_.resize(system.switch_count());
}

bool Sampler::begin(double t, const double* y) {
  samples_.assign(keeps_ ? columns_.size() : 0, {});
  gaps_.assign(outputs_.size(), {});
  rows_ = 0;
  count_ = 0;
  next_ = last_ = std::numeric_limits<double>::quiet_NaN();
  if (watcher_ != nullptr) watcher_->begin(columns_);
  if (!give(t, y)) return false;
  return true;
}

// The row at the end is there to the last bit.
void Sampler::advance() {
  if (!given_times_.empty()) return advance_to_given();
  next_ = from_ + every_ * ++count_;
  if (next_ > until_ + 1e-6 * every_) {
    next_ = std::numeric_limits<double>::infinity();
  } else if (std::abs(next_ - until_) <= 1e-6 * every_) {
    next_ = until_;
  }
}

void Sampler::advance_to_given() {
  const auto next = std::upper_bound(given_times_.begin(), given_times_.end(), last_);
  const bool is_there = next != given_times_.end() && *next <= until_;
  next_ = is_there ? *next : std::numeric_limits<double>::infinity();
}

bool Sampler::finish(double t, const double* y) {
  next_ = std::numeric_limits<double>::infinity();
  return t <= last_ || give(t, y);
}

// The time at which a row is looked at: just behind a corner or jump of time that falls on it, for there the state is
// the one after it, while values at the corner itself are neither those before nor those after.
double Sampler::choose_side(double t, const double* y) {
  const CompiledSystem& system = rates_.system();
  if (before_.empty()) return t;
  const double aside =
      64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(until_ - from_));
  system.compute_switches(rates_.at(t - aside, y), rates_.prepared(), before_.data());
  system.compute_switches(rates_.at(t + aside, y), rates_.prepared(), after_.data());
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const bool is_of_time = system.switch_kinds()[i] == SwitchKind::of_time;
    if (is_of_time && !(before_[i] * after_[i] > 0.0)) return t + aside;
  }
  return t;
}

void Sampler::fill_row(double t, const double* y) {
  double* to = row_.data();
  *to++ = t;
  for (const std::size_t i : shown_) *to++ = y[i];
  const double seen = choose_side(t, y);
  *to++ = watch_.compute_E_Z(seen, y);
  if (!outputs_.empty()) {
    rates_.compute_outputs(seen, y, values_.data());
    for (const std::size_t i : outputs_) *to++ = values_[i];
  }
}

std::vector<double> Sampler::make_row(double t, const double* y) {
  fill_row(t, y);
  std::vector<double> row = row_;
  for (double& x : row)
    if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();
  return row;
}

bool Sampler::give(double t, const double* y) {
  fill_row(t, y);
  note_gaps(t);
  ++rows_;
  if (keeps_) {
    for (std::size_t i = 0; i < row_.size(); ++i) samples_[i].push_back(row_[i]);
  }
  last_ = t;
  if (next_ < std::numeric_limits<double>::infinity() || count_ == 0) advance();
  return watcher_ == nullptr || watcher_->take_sample(row_);
}

// A number that is none has no sign either.
void Sampler::note_gaps(double t) {
  const std::size_t first = row_.size() - outputs_.size();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    double& value = row_[first + i];
    if (std::isfinite(value)) continue;
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    if (gaps_[i].rows++ == 0) gaps_[i].first = t;
  }
}

void Sampler::write(Trajectory* trajectory) {
  trajectory->columns = columns_;
  trajectory->samples = std::move(samples_);
  trajectory->rows = rows_;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (gaps_[i].rows == 0) continue;
    gaps_[i].name = rates_.system().output_names()[outputs_[i]];
    trajectory->gaps.push_back(gaps_[i]);
  }
}

}  // namespace visviva
