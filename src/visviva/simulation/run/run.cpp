#include "visviva/base/rounding.h"
#include "visviva/simulation/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace visviva {
namespace {

constexpr int most_attempts = 3;
constexpr std::size_t noise_interval = 256;  // steps
constexpr double most_explicit_steps = 1e5;  // in place of implicit ones

std::string explicit_method(const RunOptions& options) {
  return options.method == "auto" ? "verner98" : options.method;
}

}  // namespace

double largest_tolerance(const RunOptions& options) {
  constexpr double when_E_Z_decides = 1e-3, otherwise = 1e-9;
  return options.tolerance.value_or(options.energy ? when_E_Z_decides : otherwise);
}

Run::Run(const CompiledSystem& system, const RunStart& start, const RunOptions& options,
         Checkpoints* checkpoints)
    : system_(system),
      start_(start),
      options_(options),
      checkpoints_(checkpoints),
      rates_(system, start.parameters, start.inputs),
      watch_(rates_),
      projection_(system, rates_.prepared(), rates_.inputs().data()),
      sampler_(rates_, watch_, options_),
      control_(1, 1, largest_tolerance(options)),
      explicit_(make_stepper(explicit_method(options), rates_)),
      span_(options.until - options.from),
      switches_(system.switch_count()),
      events_(system.event_names().size()),
      sides_(system.switch_count()) {
  if (options.method == "auto") implicit_ = make_stepper("radau5", rates_);
  row_.resize(rates_.size());
  old_state_.resize(rates_.size());
}

Trajectory Run::go() {
  Lessons lessons;
  Outcome outcome = Outcome::stuck;
  for (int k = 0; k < most_attempts && outcome == Outcome::stuck; ++k) {
    outcome = attempt(lessons);
    lessons = control_.lessons();
    lessons.theta *= 0.3;
    // Newton's iteration ends at rounding, which adds up in E_Z; explicit steps, if there are not too
    // many, may do better. What implicit ones taught does not hold for them.
    if (used_implicit_ && span_ < most_explicit_steps * trial_.explicit_step) {
      stays_explicit_ = true;
      lessons = {};
    }
  }
  if (outcome == Outcome::stuck) outcome = explain_stuck();
  write(outcome);
  return std::move(trajectory_);
}

// ---- One attempt

Run::Outcome Run::attempt(const Lessons& lessons) {
  trajectory_ = {};
  stepper_ = explicit_.get();
  const MethodFacts& facts = stepper_->facts();
  control_ = StepControl(facts.order, facts.error_order, largest_tolerance(options_));
  failures_ = idle_crossings_ = hops_ = 0;
  last_good_step_ = 0.0;
  last_crossing_ = -std::numeric_limits<double>::infinity();
  stiff_steps_ = calm_steps_ = 0;
  used_implicit_ = false;
  patience_ = 15;
  next_knot_ = 0;
  fired_ = -1;
  trouble_ = Refusal::none;
  pending_.clear();
  std::fill(sides_.begin(), sides_.end(), static_cast<signed char>(0));
  if (!begin()) return Outcome::refused;
  if (options_.energy) {
    if (!check_floor() || !check_integral()) return Outcome::refused;
    control_.moderate(*options_.energy, watch_.noise(), watch_.slope(), lessons);
  }
  h_ = choose_first_step();
  if (!sampler_.begin(options_.from, y_.data())) {
    interrupt();
    return Outcome::stopped;
  }
  return advance();
}

bool Run::begin() {
  y_ = start_.state;
  y_.resize(rates_.size(), 0.0);  // quadratures
  trajectory_.start_state = y_;
  if (checkpoints_ != nullptr) checkpoints_->states.clear();
  const double t = options_.from;
  if (projection_.is_needed() && !projection_.project(t, y_.data()).is_done) {
    stepper_->restart(t, y_.data());
    refuse(
        Refusal::constraints_lost,
        fmt::format("at the start, t = {}, no state was found that satisfies the constraints", t));
    return false;
  }
  if (system_.has_moving_constraints())
    rates_.set_dependent(
        system_.compute_energies(rates_.at(t, y_.data()), rates_.prepared()).dependent);
  if (!stepper_->restart(t, y_.data())) {
    refuse(Refusal::not_finite, fmt::format("at the start, t = {}: {}", t, explain_rates(0.0)));
    return false;
  }
  if (!watch_.begin(t, y_.data())) {
    refuse(Refusal::not_finite, fmt::format("at the start, t = {}: E_Z is not finite", t));
    return false;
  }
  note_sides();
  if (!leave_surface()) {
    refuse(Refusal::not_finite, fmt::format("at the start, t = {}: {}", t, explain_rates(0.0)));
    return false;
  }
  if (!events_.empty()) rates_.compute_events(t, y_.data(), events_.data());
  knots_ = system_.knots();
  if (!sides_.empty()) note_switch_times();
  while (next_knot_ < knots_.size() && knots_[next_knot_] <= t) ++next_knot_;
  return true;
}

bool Run::check_floor() {
  const double smallest = floor_factor * watch_.noise();
  if (*options_.energy >= smallest) return true;
  refuse(Refusal::below_rounding_floor,
         fmt::format("the tolerance {} J is below what rounding does to E_Z; the smallest that can "
                     "be certified is {:.2g} J",
                     *options_.energy, smallest));
  return false;
}

// E_Z was proved constant when it was derived; this finds out whether the compiled numbers agree.
bool Run::check_integral() {
  constexpr int states = 9;
  constexpr double allowed = 1e-4;  // of the sizes of the terms: differences are no better
  int violations = 0, checked = 0;
  EnergyWatch::Balance worst;
  double u = 0.5;
  for (int k = 0; k < states; ++k) {
    std::copy(y_.begin(), y_.end(), row_.begin());
    if (k > 0) {
      for (std::size_t i = 0; i < system_.state_count(); ++i) {
        u = std::fmod(u + 0.6180339887498949, 1.0);
        row_[i] += 0.1 * (u - 0.5) * (1 + std::abs(row_[i]));
      }
      if (projection_.is_needed() && !projection_.project(options_.from, row_.data()).is_done)
        continue;
    }
    const EnergyWatch::Balance b = watch_.compute_balance(options_.from, row_.data());
    if (!std::isfinite(b.rate) || !(b.size > 0)) continue;
    ++checked;
    // Small enough, or too small to matter over the whole run.
    if (std::abs(b.rate) <= allowed * b.size || std::abs(b.rate) * span_ <= *options_.energy)
      continue;
    ++violations;
    if (std::abs(b.rate) > std::abs(worst.rate)) worst = b;
  }
  if (2 * violations <= checked) return true;
  refuse(
      Refusal::not_an_integral,
      fmt::format("E_Z is not an integral of these equations: near the start dE_Z/dt = {:.3g} W, "
                  "where its terms have {:.3g} W",
                  worst.rate, worst.size));
  return false;
}

// Hairer, Norsett, Wanner I, II.4: an Euler step and the change of the rates over it.
double Run::choose_first_step() {
  const double* f = stepper_->rates();
  const std::size_t n = rates_.size();
  const auto norm = [&](const auto& value) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = value(i) / (1 + std::abs(y_[i]));
      sum += x * x;
    }
    return std::sqrt(sum / static_cast<double>(n));
  };
  const double d1 = norm([&](std::size_t i) { return f[i]; });
  const double h0 = std::min(d1 > 0 ? 1e-3 / d1 : 1e-3 * span_, 1e-2 * span_);
  std::vector<double> moved(n), rates(n);
  for (std::size_t i = 0; i < n; ++i) moved[i] = y_[i] + h0 * f[i];
  double d2 = 0.0;
  if (rates_.compute_rates(stepper_->time() + h0, moved.data(), rates.data()))
    d2 = norm([&](std::size_t i) { return rates[i] - f[i]; }) / h0;
  const double d = std::max({d1, std::isfinite(d2) ? d2 : 0.0, 1e-15});
  const double h1 =
      std::pow(0.01 * control_.tolerance() / d, 1.0 / (stepper_->facts().error_order + 1));
  return std::min({100 * h0, h1, span_, options_.max_step});
}

Run::Outcome Run::advance() {
  const double end = options_.until, tiny = 16 * machine_epsilon * std::max(std::abs(end), span_);
  while (stepper_->time() < end - tiny) {
    const Step step = make_step();
    if (step == Step::ended) {
      if (fired_ >= 0) return Outcome::reached;
      return trajectory_.refusal == Refusal::interrupted ? Outcome::stopped : Outcome::refused;
    }
    if (step == Step::stuck || (control_.is_moderated() && control_.is_stuck()))
      return Outcome::stuck;
    if (trajectory_.steps + trajectory_.rejected >= options_.max_steps)
      return refuse(Refusal::too_many_steps, fmt::format("{} steps were made up to t = {}",
                                                         options_.max_steps, stepper_->time()));
  }
  return Outcome::reached;
}

// ---- One step

// Of the step just projected: what the projection corrects is no error.
double Run::measure_projected_error(double t) {
  const double e = measure_error(stepper_->error());
  if (!projection_.is_needed() || !(e > control_.tolerance())) return e;
  std::copy_n(stepper_->error(), row_.size(), row_.begin());
  projection_.project_error(t, stepper_->proposed(), y_.data(), row_.data());
  return measure_error(row_.data());
}

double Run::limit_step() const {
  const double t = stepper_->time();
  double room = options_.until - t;
  if (next_knot_ < knots_.size()) room = std::min(room, knots_[next_knot_] - t);
  const double h = std::min(h_, options_.max_step);
  if (h >= room) return room;
  return h > 0.5 * room ? 0.5 * room : h;  // no tiny last step
}

double Run::measure_error(const double* error) const {
  const double *y = stepper_->state(), *z = y_.data();
  double sum = 0.0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double x = error[i] / (1 + std::max(std::abs(y[i]), std::abs(z[i])));
    sum += x * x;
  }
  return std::sqrt(sum / static_cast<double>(y_.size()));
}

Run::Step Run::make_step() {
  const double t = stepper_->time(), h = limit_step();
  if (h < 16 * machine_epsilon * std::max(std::abs(t), 1e-3 * span_)) {
    if (control_.is_moderated() && control_.is_held_by_gate()) return Step::stuck;
    explain_small_step(h);
    return Step::ended;
  }
  if (!stepper_->attempt(h, control_.tolerance())) return fail_step(h, Refusal::not_finite);
  std::copy_n(stepper_->proposed(), y_.size(), y_.begin());
  if (!sides_.empty()) {
    const double crossing = find_crossing(h);
    if (crossing <= h) return cross_switch(crossing);
  }
  ProjectionResult drift;
  if (projection_.is_needed()) {
    drift = projection_.project(t + h, y_.data());
    if (!drift.is_done) return fail_step(h, Refusal::constraints_lost);
  }
  const double deviation = watch_.compute_deviation(t + h, y_.data());
  const double e = measure_projected_error(t + h);
  if (!std::isfinite(deviation) || !std::isfinite(e)) return fail_step(h, Refusal::not_finite);
  failures_ = 0;
  trouble_ = Refusal::none;
  const StepVerdict verdict = control_.judge(h, e, deviation, (t + h - options_.from) / span_);
  if (!verdict.is_taken) {
    ++trajectory_.rejected;
    h_ = verdict.h;
    hop();
    return Step::again;
  }
  last_good_step_ = h;
  hops_ = 0;
  if (!end_at_stop(h)) return fail_step(h, Refusal::not_finite);
  Certificate& c = trajectory_.certificate;
  c.position_drift = std::max(c.position_drift, drift.position_drift);
  c.velocity_drift = std::max(c.velocity_drift, drift.velocity_drift);
  if (!take_step(projection_.is_needed())) return fail_step(h, Refusal::not_finite);
  h_ = h < h_ ? std::max(h_, verdict.h) : verdict.h;  // a step cut short says little
  if (!give_samples()) return interrupt();
  if (fired_ >= 0) return Step::ended;
  watch_partition();
  watch_stiffness();
  return give_progress(h) ? Step::taken : interrupt();
}

bool Run::give_progress(double h) {
  return options_.watcher == nullptr ||
         options_.watcher->take_progress(
             {stepper_->time(), options_.until, h, watch_.last_deviation(), trajectory_.steps});
}

Run::Step Run::interrupt() {
  trajectory_.refusal = Refusal::interrupted;
  trajectory_.reason = options_.watcher->reason();
  return Step::ended;
}

// Where the rank of the constraints drops, rounding alone makes accelerations grow without bound, and
// the closer a step ends to that place the more. Short steps never get over it, long ones do.
void Run::hop() {
  constexpr double lengths[] = {1.0, 0.6, 1.5, 0.8, 2.0, 0.45};
  constexpr int patience = 5;
  const int count = control_.failures_in_a_row();
  if (system_.position_count() == 0 || last_good_step_ <= 0 || count % patience != 0) return;
  if (hops_ < static_cast<int>(std::size(lengths))) h_ = lengths[hops_++] * last_good_step_;
}

Run::Step Run::fail_step(double h, Refusal refusal) {
  ++trajectory_.rejected;
  fired_ = -1;
  pending_.clear();
  trouble_ = refusal;
  h_ = control_.fail(h).h;
  hop();
  if (++failures_ <= most_failures) return Step::again;
  explain_small_step(h);
  return Step::ended;
}

bool Run::take_step(bool is_projected) {
  old_time_ = stepper_->time();
  std::copy_n(stepper_->state(), y_.size(), old_state_.begin());
  old_deviation_ = control_.last_deviation();
  if (!(is_projected ? stepper_->accept_at(y_.data()) : stepper_->accept())) return false;
  const double t = stepper_->time();
  watch_.take(t);
  ++trajectory_.steps;
  if (!sides_.empty()) note_sides();
  note_events();
  while (next_knot_ < knots_.size() &&
         knots_[next_knot_] <= t + 16 * machine_epsilon * std::max(std::abs(t), span_))
    ++next_knot_;
  if (trajectory_.steps % noise_interval == 0) {
    watch_.estimate_noise(t, y_.data());
    control_.set_noise(watch_.noise());
  }
  return true;
}

bool Run::give_samples() {
  const double t = stepper_->time(), h = stepper_->last_step();
  note_checkpoints();
  while (sampler_.next() <= t) {
    const double theta = std::clamp((sampler_.next() - (t - h)) / h, 0.0, 1.0);
    const bool is_end = sampler_.next() >= t - 2 * machine_epsilon * std::max(std::abs(t), span_);
    if (is_end)
      std::copy_n(stepper_->state(), row_.size(), row_.begin());
    else
      interpolate(theta);
    if (!sampler_.give_next(row_.data())) return false;
  }
  return true;
}

// y within the last step into row_. Values between steps are less accurate than those at their ends;
// where E_Z shows it, steps of their own that end there give them.
void Run::interpolate(double theta) {
  const double h = stepper_->last_step(), t = old_time_ + theta * h;
  const double allowed = control_.is_moderated() ? *options_.energy
                                                 : 4 * std::max(std::abs(old_deviation_),
                                                                std::abs(control_.deviation())) +
                                                       100 * watch_.noise();
  const auto is_good = [&] {
    return std::abs(watch_.compute_E_Z(t, row_.data()) - watch_.start()) <= allowed;
  };
  if (stepper_->interpolate(theta, row_.data()) && is_good()) return;
  if (!between_) between_ = make_stepper("verner98", rates_);
  // Enough steps to be stable; an implicit method's own iteration would begin without a guess.
  const double least = std::clamp(std::ceil(theta * stepper_->stiffness() / 2), 1.0, 1000.0);
  for (const int count : {1, 4, 16}) {
    const int steps = count * static_cast<int>(least);
    bool is_done = between_->restart(old_time_, old_state_.data());
    for (int k = 0; k < steps && is_done; ++k)
      is_done = between_->attempt(theta * h / steps, control_.tolerance()) && between_->accept();
    if (!is_done) continue;
    std::copy_n(between_->state(), row_.size(), row_.begin());
    if (projection_.is_needed()) projection_.project(t, row_.data());
    if (is_good()) return;
  }
}

void Run::note_checkpoints() {
  if (checkpoints_ == nullptr) return;
  const double t = stepper_->time(), h = stepper_->last_step();
  while (checkpoints_->states.size() < checkpoints_->count) {
    const double next = options_.from + span_ *
                                            static_cast<double>(checkpoints_->states.size() + 1) /
                                            static_cast<double>(checkpoints_->count);
    if (next > t + 16 * machine_epsilon * std::max(std::abs(t), span_)) return;
    if (next >= t - 2 * machine_epsilon * std::max(std::abs(t), span_) || h == 0)
      std::copy_n(stepper_->state(), row_.size(), row_.begin());
    else
      interpolate(std::clamp((next - (t - h)) / h, 0.0, 1.0));
    checkpoints_->states.push_back(row_);
  }
}

void Run::watch_partition() {
  const double t = stepper_->time();
  if (!system_.has_moving_constraints() || !watch_.wants_other(t, stepper_->state())) return;
  std::copy_n(stepper_->state(), y_.size(), y_.begin());
  const auto best = system_.choose_dependent(rates_.at(t, y_.data()), rates_.prepared());
  if (best == rates_.dependent()) return;
  watch_.rebase(t, y_.data(), best);
  stepper_->restart(t, y_.data());
  ++trajectory_.restarts;
}

}  // namespace visviva
