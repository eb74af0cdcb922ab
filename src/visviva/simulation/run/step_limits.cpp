#include "visviva/simulation/run/step_limits.h"

#include <algorithm>
#include <iterator>

namespace visviva {
namespace {

constexpr int most_idle_crossings = 40;
constexpr int most_branch_doubts = 40;
constexpr double idle_part = 1e-6;   // of the run: next to no motion
constexpr double crawl_part = 1e-5;  // of the longest step: next to no step
constexpr double crawl_count = 1e8;  // steps to the end: no end
constexpr int most_crawling_steps = 5000;

}  // namespace

Breakpoints::Breakpoints(std::vector<double> times, double from) : times_(std::move(times)) {
  std::sort(times_.begin(), times_.end());
  pass(from);
}

void Breakpoints::pass(double t) {
  while (next() <= t) ++next_;
}

void SingularPassage::note_good_step(double h) {
  good_step_ = h;
  tries_ = 0;
}

double SingularPassage::choose_step(double h, int failures_in_a_row) {
  constexpr double lengths[] = {1.0, 0.6, 1.5, 0.8, 2.0, 0.45};  // parts of the good step
  constexpr int patience = 5;
  const bool is_due = has_configuration_constraints_ && good_step_ > 0 &&
                      failures_in_a_row % patience == 0 && tries_ < std::size(lengths);
  return is_due ? lengths[tries_++] * good_step_ : h;
}

void BranchDoubts::note(double t) {
  count_ = are_near(t) ? count_ + 1 : 1;
  last_ = t;
}

bool BranchDoubts::are_near(double t) const { return t - last_ <= idle_part * span_; }

bool BranchDoubts::are_endless() const { return count_ > most_branch_doubts; }

void CrossingCount::note_crossing(double t) {
  count_ = t - last_ > idle_part * span_ ? 0 : count_ + 1;
  last_ = t;
}

bool CrossingCount::is_sticking(double t) const {
  return count_ > 3 && t - last_ < idle_part * span_;
}

void Crawl::note_good_step(double h, double left) {
  longest_ = std::max(longest_, h);
  count_ = h < crawl_part * longest_ && left > crawl_count * h ? count_ + 1 : 0;
}

bool Crawl::is_endless() const { return count_ > most_crawling_steps; }

bool CrossingCount::is_endless() const { return count_ > most_idle_crossings; }

}  // namespace visviva
