#include "visviva/simulation/run/step_control.h"

#include <algorithm>
#include <cmath>

namespace visviva {
namespace {

constexpr double smallest_rt = 1e-14;
constexpr double envelope_start = 0.25;
constexpr double spread = 2.0;  // standard deviations in (1)

}  // namespace

StepControl::StepControl(int order, int error_order, double tolerance)
    : order_(order),
      q_(error_order + 1),
      cap_(tolerance),
      rt_(tolerance),
      smallest_(tolerance),
      largest_(tolerance) {}

void StepControl::moderate(double energy, double noise, double slope, const Lessons& lessons) {
  energy_ = energy;
  noise_ = noise;
  slope_ = slope;
  theta_ = lessons.theta;
  mean_ = lessons.is_taught ? lessons.mean : 0.005 * slope;
  square_ = lessons.is_taught ? lessons.square : mean_ * mean_;
  if (lessons.is_taught) {
    kappa_ = lessons.kappa;
    left_ = lessons.steps;
    blocks_ = 20;
  }
  const double size = std::abs(mean_) + spread * std::sqrt(square_ * 16 / left_);
  rt_ = size > 0 ? std::clamp(theta_ * energy_ / (left_ * kappa_ * size), smallest_rt, cap_) : cap_;
  smallest_ = largest_ = rt_;
}

void StepControl::change_method(int order, int error_order) {
  order_ = order;
  q_ = error_order + 1;
  last_err_ = 1e-4;
  was_refused_ = true;
  in_a_row_ = 0;
  block_change_ = block_error_ = block_steps_ = 0.0;
  if (!is_moderated()) return;
  mean_ = 0.005 * slope_;
  square_ = mean_ * mean_;
  blocks_ = 2;
  kappa_ = 0.5;
  length_ = 1;
}

Lessons StepControl::lessons() const {
  return {.mean = mean_,
          .square = square_,
          .kappa = kappa_,
          .steps = static_cast<double>(taken_) + left_,
          .theta = theta_,
          .is_taught = true};
}

bool StepControl::is_stuck() const { return in_a_row_ > 60 || gate_rejections_ > 40 + taken_ / 5; }

bool StepControl::is_held_by_rounding() const {
  return is_moderated() && rt_ < cap_ && rt_ <= 10 * smallest_rt;
}

StepVerdict StepControl::judge(double h, double e, double deviation, double done) {
  const double err = e / rt_;
  if (!is_moderated()) {
    return err <= 1 ? take(h, err, e, deviation, done) : refuse(h, err, deviation, 0);
  }
  const double envelope = std::min(
      energy_ - 2 * noise_, energy_ * (envelope_start + (1 - envelope_start) * done));  // (2)
  const double change = deviation - D_;
  const bool passes = std::abs(deviation) <= energy_ &&
                      (std::abs(deviation) <= std::max(envelope, pinned_) + 4 * noise_ ||
                       std::abs(change) <= noise_);
  if (err <= 1 && passes) {
    if (std::abs(deviation) <= envelope) pinned_ = std::abs(deviation);
    return take(h, err, e, deviation, done);
  }
  return refuse(h, err, deviation, envelope);
}

StepVerdict StepControl::take(double h, double err, double e, double deviation, double done) {
  ++taken_;
  in_a_row_ = 0;
  is_held_by_gate_ = false;
  const double change = deviation - D_;
  last_D_ = D_;
  D_ = deviation;
  const double old_rt = rt_;
  if (is_moderated()) {
    const auto n = static_cast<double>(taken_);
    // The run's own steps so far say how many are left.
    if (taken_ < 50)
      mean_step_ = done / n;
    else
      mean_step_ += 0.02 * (std::max(done - last_done_, 0.0) - mean_step_);
    last_done_ = done;
    left_ = mean_step_ > 0 ? std::max(1.0, (1 - done) / mean_step_) : left_;
    learn(change, e);
    kappa_ = std::max(0.05, kappa_ + 0.02 * (err - kappa_));
    rt_ = std::clamp(choose_tolerance(), std::max(smallest_rt, rt_ / 5), std::min(cap_, 1.5 * rt_));
    smallest_ = std::min(smallest_, rt_);
    largest_ = std::max(largest_, rt_);
  }
  // PI control, Hairer, Norsett, Wanner I (II.4) and II (IV.2).
  const double now = std::max(err, 1e-10);
  double factor = 0.9 * std::pow(now, -0.7 / q_) * std::pow(last_err_, 0.4 / q_);
  factor = std::clamp(factor, 0.2, was_refused_ ? 1.0 : 5.0);
  if (rt_ != old_rt) factor *= std::pow(rt_ / old_rt, 1.0 / q_);
  last_err_ = std::max(now, 1e-4);
  was_refused_ = false;
  return {.is_taken = true, .by_gate = false, .h = h * factor};
}

StepVerdict StepControl::refuse(double h, double err, double deviation, double envelope) {
  ++in_a_row_;
  was_refused_ = true;
  is_held_by_gate_ = !(err > 1);
  if (err > 1) return {.h = h * std::max(0.2, 0.9 * std::pow(err, -1.0 / q_))};
  ++gate_rejections_;
  const double room = std::max(envelope - std::abs(D_), noise_);
  const double ratio = room > 0 ? std::abs(deviation - D_) / room : 10.0;
  const double factor = std::clamp(0.9 * std::pow(ratio, -1.0 / (order_ + 1)), 0.2, 0.8);
  rt_ = std::max(smallest_rt, rt_ * std::pow(factor, q_));
  smallest_ = std::min(smallest_, rt_);
  return {.is_taken = false, .by_gate = true, .h = h * factor};
}

StepVerdict StepControl::fail(double h) {
  ++in_a_row_;
  is_held_by_gate_ = false;
  was_refused_ = true;
  return {.h = 0.1 * h};
}

// One step more in the block; a full block changes m and v.
void StepControl::learn(double change, double e) {
  block_change_ += change;
  block_error_ += e;
  block_steps_ += 1;
  const double n = static_cast<double>(taken_) + left_;
  if (block_steps_ < std::min({64.0, std::max(1.0, 0.003 * n), 1 + blocks_})) return;
  if (block_error_ > 0) {
    const double size = std::max(0.0, std::abs(block_change_) - 1.5 * noise_) / block_error_;
    double x = std::copysign(size, block_change_);
    const double limit = 30 * std::sqrt(square_);
    if (blocks_ > 20) x = std::clamp(x, -limit, limit);
    double weight = 1 / std::min(blocks_ + 1, std::max(50.0, 0.3 * n / length_));
    if (blocks_ < 14) weight = std::max(weight, 0.3);  // what was assumed is soon forgotten
    mean_ += weight * (x - mean_);
    square_ += weight * (x * x - square_);
    length_ += weight * (block_steps_ - length_);
    blocks_ += 1;
  }
  block_change_ = block_error_ = block_steps_ = 0.0;
}

// (1): what is expected at the end is theta * energy.
double StepControl::choose_tolerance() const {
  const double room = std::max(theta_ * energy_ - std::abs(D_), 0.1 * (energy_ - std::abs(D_)));
  const double size =
      std::abs(mean_) + spread * std::sqrt(square_ * length_ / left_) + 1e-9 * slope_;
  const double per_step = left_ * kappa_ * size;
  return per_step > 0 ? std::clamp(room / per_step, smallest_rt, cap_) : cap_;
}

}  // namespace visviva
