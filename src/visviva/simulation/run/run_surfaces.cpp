// Surfaces in a run: switches, where it is continued from the other side, and events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/rounding.h"
#include "visviva/simulation/run/run.h"

namespace visviva {
namespace {

constexpr int switch_looks = 8;          // parts of a step in which sides are looked at
constexpr int event_parts = 4;           // of a step in which a sign is looked at
constexpr int most_idle_crossings = 40;  // one after the other, with next to no motion between
constexpr double idle_part = 1e-6;       // of the run
constexpr int switch_parts = 1000;       // of a run in which switches of time alone are looked for

signed char side_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

// ---- Switches

bool Run::crosses_switch(double t, const double* y) {
  system_.compute_switches(rates_.at(t, y), rates_.prepared(), switches_.data());
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    if (sides_[i] * side_of(switches_[i]) < 0) return true;
  }
  return false;
}

// The first place in the step at which a switch is seen on its other side; beyond h when there is none.
// Within the step the dense output is looked at: a surface may be crossed twice.
double Run::find_crossing(double h) {
  const double t = stepper_->time();
  for (int part = 1; part < switch_looks; ++part) {
    const double theta = static_cast<double>(part) / switch_looks;
    if (!stepper_->interpolate(theta, row_.data())) break;
    if (crosses_switch(t + theta * h, row_.data())) return theta * h;
  }
  return crosses_switch(t + h, y_.data()) ? h : std::numeric_limits<double>::infinity();
}

void Run::note_sides() {
  system_.compute_switches(rates_.at(stepper_->time(), stepper_->state()), rates_.prepared(),
                           switches_.data());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const signed char side = side_of(switches_[i]);
    if (side != 0) sides_[i] = side;
  }
}

// On a surface the rates are those of neither side. A start there is left by Euler's rule, by as little
// as numbers allow.
bool Run::leave_surface() {
  if (std::find(sides_.begin(), sides_.end(), 0) == sides_.end()) return true;
  const double t = stepper_->time(), narrow = 8 * machine_epsilon * std::max(std::abs(t), 1e-3 * span_);
  for (std::size_t i = 0; i < y_.size(); ++i)
    y_[i] = stepper_->state()[i] + narrow * stepper_->rates()[i];
  if (!stepper_->restart(t + narrow, y_.data())) return false;
  note_sides();
  return true;
}

// Switches that time alone moves. A step that sees the same on both of its ends would go over a short
// pulse, so steps end just before them.
void Run::note_switch_times() {
  const std::size_t n = sides_.size();
  std::vector<double> last(n), next(n);
  std::vector<bool> is_time(n, true);
  double u = 0.5;
  for (std::size_t i = 0; i < row_.size(); ++i) {
    u = std::fmod(u + 0.6180339887498949, 1.0);
    row_[i] = y_[i] + 0.1 * (u - 0.4) * (1 + std::abs(y_[i]));
  }
  const auto compute = [&](double t, const std::vector<double>& y, std::vector<double>* values) {
    system_.compute_switches(rates_.at(t, y.data()), rates_.prepared(), values->data());
  };
  for (const double s : {0.0, 0.37, 0.81}) {
    compute(options_.from + s * span_, y_, &last);
    compute(options_.from + s * span_, row_, &next);
    for (std::size_t i = 0; i < n; ++i) is_time[i] = is_time[i] && last[i] == next[i];
  }
  if (std::none_of(is_time.begin(), is_time.end(), [](bool is) { return is; })) return;
  double a = options_.from;
  compute(a, y_, &last);
  for (int k = 1; k <= switch_parts; ++k) {
    const double b = options_.from + span_ * k / switch_parts;
    compute(b, y_, &next);
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_time[i] || !(last[i] * next[i] < 0)) continue;
      double low = a, high = b;
      while (high - low > 4 * machine_epsilon * std::max({std::abs(low), std::abs(high), 1e-3 * span_})) {
        const double middle = 0.5 * (low + high);
        compute(middle, y_, &switches_);
        (switches_[i] * last[i] > 0 ? low : high) = middle;
      }
      // A little before: no stage of a step that ends there sees the other side.
      knots_.push_back(low - 64 * machine_epsilon * std::max(std::abs(low), span_));
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (next[i] != 0.0) last[i] = next[i];
    }
    a = b;
  }
  std::sort(knots_.begin(), knots_.end());
}

// Whether the motion was on and off a surface just now.
bool Run::is_sticking() const {
  return idle_crossings_ > 3 && stepper_->time() - last_crossing_ < idle_part * span_;
}

void Run::refuse_sticking() {
  system_.compute_switches(rates_.at(stepper_->time(), stepper_->state()), rates_.prepared(),
                           switches_.data());
  const auto nearest = std::min_element(switches_.begin(), switches_.end(), [](double a, double b) {
    return std::abs(a) < std::abs(b);
  });
  refuse(
      Refusal::step_too_small,
      fmt::format("at t = {} the motion stays on the surface {} = 0 and crosses it again and "
                  "again, as with dry friction that sticks; sign() has no value that holds it "
                  "there: use a smooth law such as tanh(v/v0)",
                  stepper_->time(),
                  system_.switch_names()[static_cast<std::size_t>(nearest - switches_.begin())]));
}

// An implicit method's iteration looks at both sides of a surface, so an explicit one crosses it.
Run::Step Run::cross_switch(double h) {
  Stepper* const own = stepper_;
  if (!own->facts().is_implicit) return cross_surface(h);
  if (!crosser_) crosser_ = make_stepper("verner98", rates_);
  if (!crosser_->restart(own->time(), own->state())) return fail_step(h, Refusal::not_finite);
  stepper_ = crosser_.get();
  const Step step = cross_surface(h);
  if (stepper_->time() != own->time()) own->restart(stepper_->time(), stepper_->state());
  stepper_ = own;
  return step;
}

// The step of h crosses a switch. Shorter ones that end before it see a smooth motion; the last of
// them is taken, then one over the surface, as short as numbers allow, and the method begins anew.
Run::Step Run::cross_surface(double h) {
  const double t = stepper_->time();
  const double narrow = 8 * machine_epsilon * std::max({std::abs(t), std::abs(t + h), 1e-3 * span_});
  double before = 0.0, behind = h;
  while (behind - before > narrow) {
    double middle = 0.5 * (before + behind);
    if (before == 0.0 && behind > 64 * narrow) middle = std::max(0.1 * behind, narrow);
    if (middle <= before || middle >= behind) middle = 0.5 * (before + behind);
    if (!stepper_->attempt(middle, control_.tolerance()))
      return fail_step(middle, Refusal::not_finite);
    if (crosses_switch(t + middle, stepper_->proposed()))
      behind = middle;
    else
      before = middle;
  }
  if (before > 0.0) {
    // Judged like any other; shorter where its error is too large.
    if (!stepper_->attempt(before, control_.tolerance()))
      return fail_step(before, Refusal::not_finite);
    std::copy_n(stepper_->proposed(), y_.size(), y_.begin());
    if (projection_.is_needed() && !projection_.project(t + before, y_.data()).is_done)
      return fail_step(before, Refusal::constraints_lost);
    const double deviation = watch_.compute_deviation(t + before, y_.data());
    const double e = measure_projected_error(t + before);
    if (!std::isfinite(deviation) || !std::isfinite(e))
      return fail_step(before, Refusal::not_finite);
    const StepVerdict verdict =
        control_.judge(before, e, deviation, (t + before - options_.from) / span_);
    if (!verdict.is_taken) {
      ++trajectory_.rejected;
      h_ = verdict.h;
      return Step::again;
    }
    if (!end_at_stop(before) || !take_step(projection_.is_needed()))
      return fail_step(before, Refusal::not_finite);
    if (!give_samples()) return interrupt();
    if (fired_ >= 0) return Step::ended;
  }
  idle_crossings_ = t + before - last_crossing_ > idle_part * span_ ? 0 : idle_crossings_ + 1;
  last_crossing_ = t + before;
  const double across = behind - before + 4 * narrow;  // past it, whatever is rounded
  // Over it by Euler's rule: no method is at home on both sides, and the step has next to no length.
  for (std::size_t i = 0; i < y_.size(); ++i)
    y_[i] = stepper_->state()[i] + across * stepper_->rates()[i];
  const double behind_time = stepper_->time() + across;
  if (projection_.is_needed() && !projection_.project(behind_time, y_.data()).is_done)
    return fail_step(across, Refusal::constraints_lost);
  const double deviation = watch_.compute_deviation(behind_time, y_.data());
  if (!std::isfinite(deviation) ||
      (control_.is_moderated() && !(std::abs(deviation) <= *options_.energy))) {
    h_ = control_.fail(h).h;
    return Step::again;
  }
  if (!events_.empty()) find_event_over(across);
  if (!stepper_->restart(behind_time, y_.data())) return fail_step(across, Refusal::not_finite);
  watch_.take(behind_time);
  ++trajectory_.steps;
  ++trajectory_.restarts;
  note_sides();
  note_events();
  while (sampler_.next() <= behind_time) {
    if (!sampler_.give_next(y_.data())) return interrupt();
  }
  if (fired_ >= 0) return Step::ended;
  h_ = std::max(std::min(0.1 * h, choose_first_step()), 4 * narrow);  // long enough for make_step()
  if (idle_crossings_ > most_idle_crossings) {
    refuse_sticking();
    return Step::ended;
  }
  return give_progress(across) ? Step::taken : interrupt();
}

// ---- Events

// A stop within the step just judged: the step ends there. False where that cannot be computed.
bool Run::end_at_stop(double h) {
  if (events_.empty()) return true;
  const double t = stepper_->time(), stop = find_event(h);
  if (fired_ < 0 || stop >= h) return true;
  if (!stepper_->attempt(stop, control_.tolerance())) return false;
  std::copy_n(stepper_->proposed(), y_.size(), y_.begin());
  if (projection_.is_needed()) projection_.project(t + stop, y_.data());
  const double deviation = watch_.compute_deviation(t + stop, y_.data());
  return std::isfinite(deviation) &&
         (!control_.is_moderated() || std::abs(deviation) <= *options_.energy);
}

// Looks for sign changes within the step just judged, which ends at y_. Those that do not stop are recorded when the step
// is taken. Returns where the first stop is, or h.
double Run::find_event(double h) {
  const double t = stepper_->time();
  const std::size_t n = events_.size();
  fired_ = -1;
  pending_.clear();
  const auto evaluate = [&](double theta, std::vector<double>* values) {
    if (theta == 1.0)
      row_ = y_;
    else if (!stepper_->interpolate(theta, row_.data()))
      return false;
    rates_.compute_events(t + theta * h, row_.data(), values->data());
    return true;
  };
  std::vector<double> left = events_, right(n), middle(n);
  double stop = 1.0;
  for (int part = 1; part <= event_parts; ++part) {
    const double a = static_cast<double>(part - 1) / event_parts;
    const double b = static_cast<double>(part) / event_parts;
    if (!evaluate(b, &right)) continue;
    for (std::size_t i = 0; i < n; ++i) {
      // A start on the surface is no event.
      if (left[i] == 0.0 || left[i] * right[i] > 0) continue;
      if (!std::isfinite(left[i]) || !std::isfinite(right[i])) continue;
      if (right[i] == 0.0 && part < event_parts) continue;
      double low = a, high = b;
      const bool is_rising = left[i] < 0;
      while (high - low > 2 * machine_epsilon && (high - low) * h > 4 * machine_epsilon * std::abs(t)) {
        const double mean = 0.5 * (low + high);
        if (mean <= low || mean >= high || !evaluate(mean, &middle)) break;
        (middle[i] * left[i] > 0 ? low : high) = mean;
      }
      const bool stops = system_.event_stops()[i];
      if (stops && high < stop) {
        stop = high;
        fired_ = static_cast<int>(i);
      } else if (stops && fired_ < 0) {
        fired_ = static_cast<int>(i);
      }
      pending_.push_back({system_.event_names()[i], t + high * h, stops, is_rising});
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (right[i] != 0.0) left[i] = right[i];
    }
    if (fired_ >= 0) break;
  }
  return stop * h;
}

// The same for the step over a switch, which has no inside; it ends at y_.
void Run::find_event_over(double h) {
  const double t = stepper_->time() + h;
  std::vector<double> now(events_.size());
  fired_ = -1;
  pending_.clear();
  rates_.compute_events(t, y_.data(), now.data());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (events_[i] == 0.0 || !(events_[i] * now[i] <= 0)) continue;
    const bool stops = system_.event_stops()[i];
    if (stops && fired_ < 0) fired_ = static_cast<int>(i);
    pending_.push_back({system_.event_names()[i], t, stops, events_[i] < 0});
  }
}

void Run::note_events() {
  if (events_.empty()) return;
  const double t = stepper_->time();
  std::sort(pending_.begin(), pending_.end(),
            [](const EventRecord& a, const EventRecord& b) { return a.time < b.time; });
  for (const EventRecord& e : pending_) {
    if (e.time <= t + 4 * machine_epsilon * std::max(std::abs(t), span_)) trajectory_.events.push_back(e);
  }
  pending_.clear();
  rates_.compute_events(t, stepper_->state(), events_.data());
}

}  // namespace visviva
