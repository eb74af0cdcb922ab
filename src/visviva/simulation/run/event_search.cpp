#include "visviva/simulation/run/event_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr std::size_t most_pieces = 4096;  // of a step in which events are looked for
constexpr double error_factor = 10;        // of a run, against the tolerance of a step
constexpr double largest_error = 1e-6;     // more would take motions for errors
constexpr double passing = 1e-6;   // of an event's largest value: what so short a step may change
constexpr double touching = 1e-9;  // likewise: what is left at a corner that touches zero
constexpr double term_rounding =
    1e-12;                          // of the largest value around: states and terms are rounded
constexpr double left_zero = 16;    // of what is rounding: an event with so much has left zero
constexpr double corner_reach = 8;  // widths to both sides of a corner

// Part of the largest values by which events may be wrong.
double error_of(double tolerance) { return std::min(error_factor * tolerance, largest_error); }

bool is_earlier(const FoundRoot& a, const FoundRoot& b) { return a.place < b.place; }

template <class List>
void append(List* all, const List& more) {
  all->insert(all->end(), more.begin(), more.end());
}

}  // namespace

EventDoubts::EventDoubts(const CompiledSystem& system) {
  for (const std::string& name : system.event_names()) all_.push_back({.name = name});
}

void EventDoubts::note_jump(std::size_t event, double t) {
  EventDoubt& doubt = all_[event];
  if (doubt.jumps++ == 0) doubt.jump_time = t;
}

void EventDoubts::note(const RootsFound& found, double from) {
  for (const FoundRoot& jump : found.jumps) note_jump(jump.function, jump.place);
  for (const std::size_t i : found.unresolved)
    if (all_[i].unresolved++ == 0) all_[i].unresolved_time = from;
  std::vector<bool> is_counted(all_.size());
  for (const RootsFound::Gap& gap : found.undefined) {
    if (is_counted[gap.function]) continue;
    is_counted[gap.function] = true;
    if (all_[gap.function].undefined++ == 0) all_[gap.function].undefined_time = gap.from;
  }
  for (const NearRoot& near : found.near) {
    EventDoubt& doubt = all_[near.function];
    if (doubt.near++ > 0) continue;
    doubt.near_time = near.place;
    doubt.near_value = near.value;
  }
  for (const NearRoot& place : found.shallow) {
    EventDoubt& doubt = all_[place.function];
    if (doubt.shallow++ > 0) continue;
    doubt.shallow_time = place.place;
    doubt.shallow_value = place.value;
  }
}

std::vector<EventDoubt> EventDoubts::list() const {
  std::vector<EventDoubt> some;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(some), [](const EventDoubt& d) {
    return d.jumps > 0 || d.unresolved > 0 || d.undefined > 0 || d.near > 0 || d.shallow > 0;
  });
  return some;
}

EventSearch::EventSearch(const SystemRates& rates, double tolerance)
    : rates_(rates),
      event_count_(rates.system().event_names().size()),
      corner_count_(rates.system().event_corner_count()),
      roots_(event_count_, most_pieces, error_of(tolerance)),
      corners_(corner_count_, most_pieces, error_of(tolerance)),
      doubts_(rates.system()),
      values_(event_count_ + corner_count_),
      sides_(event_count_, 0.0),
      state_(rates.size()),
      low_(values_.size()),
      middle_(values_.size()),
      high_(values_.size()) {}

void EventSearch::begin_at(double t, const double* y) {
  begin_ = t;
  if (!empty()) rates_.compute_events(t, y, values_.data());
}

bool EventSearch::look(const StateAt& state_at, double t, std::vector<double>* values) {
  if (!state_at(t, state_.data())) return false;
  rates_.compute_events(t, state_.data(), values->data());
  return true;
}

StepEvents EventSearch::find(const StateAt& state_at, double until) {
  if (empty()) return {.h = until - begin_};
  width_ = machine_epsilon * std::max(4 * std::abs(until), 2 * (until - begin_));
  return take(find_roots(state_at, until), until);
}

// Places at which events may have a corner or jump, in their order.
std::vector<double> EventSearch::find_corners(const StateAt& state_at, double until) {
  std::vector<double> places;
  if (corner_count_ == 0) return places;
  const auto evaluate = [&](double t, double* values) {
    if (!look(state_at, t, &middle_)) return false;
    std::copy_n(middle_.begin() + static_cast<std::ptrdiff_t>(event_count_), corner_count_, values);
    return true;
  };
  const std::vector<double> first(values_.begin() + static_cast<std::ptrdiff_t>(event_count_),
                                  values_.end());
  const RootsFound found = corners_.find(evaluate, begin_, until, first, width_);
  for (const auto* list : {&found.roots, &found.jumps})
    for (const FoundRoot& root : *list) places.push_back(root.place);
  std::sort(places.begin(), places.end());
  return places;
}

RootsFound EventSearch::find_roots(const StateAt& state_at, double until) {
  RootsFound all;
  zones_.clear();
  std::vector<double> values = values_;
  const auto evaluate = [&](double t, double* to) {
    if (!look(state_at, t, &middle_)) return false;
    std::copy_n(middle_.begin(), event_count_, to);
    return true;
  };
  double from = begin_;
  const auto search_until = [&](double end) {
    if (end <= from) return;
    RootsFound found = roots_.find(evaluate, from, end, values, width_);
    append(&all.roots, found.roots);
    append(&all.jumps, found.jumps);
    append(&all.near, found.near);
    append(&all.shallow, found.shallow);
    append(&all.unresolved, found.unresolved);
    append(&all.undefined, found.undefined);
  };
  for (const double corner : find_corners(state_at, until)) {
    const double low = std::max(corner - corner_reach * width_, from);
    const double high = std::min(corner + corner_reach * width_, until);
    if (high <= from) continue;
    search_until(low);
    if (!find_at_corner(state_at, {low, corner, high}, until, &all)) continue;
    from = high;
    values = high_;
  }
  search_until(until);
  leave_out_zones(&all);
  note_sides(state_at, until, all);
  std::sort(all.roots.begin(), all.roots.end(), is_earlier);
  return all;
}

// In a step until a time. False where values cannot be had.
bool EventSearch::find_at_corner(const StateAt& state_at, Corner corner, double until,
                                 RootsFound* found) {
  std::vector<double> before(values_.size()), behind(values_.size()), here(values_.size());
  if (!look(state_at, 0.5 * (begin_ + corner.low), &before) ||
      !look(state_at, 0.5 * (corner.high + until), &behind) || !look(state_at, corner.low, &low_) ||
      !look(state_at, corner.place, &here) || !look(state_at, corner.high, &high_))
    return false;
  for (std::size_t i = 0; i < event_count_; ++i) {
    const double a = low_[i], value = here[i], b = high_[i];
    if (!std::isfinite(a) || !std::isfinite(value) || !std::isfinite(b)) continue;
    const double size = std::max({std::abs(before[i]), std::abs(behind[i]), std::abs(value)});
    const double spread = std::max(std::abs(a - value), std::abs(b - value));
    const double largest = std::max(size, roots_.largest(i));
    const bool turns = std::abs(value) <= std::min(std::abs(a), std::abs(b));
    const bool is_jump = spread > passing * largest;
    if (!is_jump && std::abs(value) <= spread + term_rounding * size)
      add_zero_corner(state_at, i, corner, until, term_rounding * size, found);
    else if (a * b < 0 || (is_jump && a != 0.0 && b == 0.0))
      (is_jump ? found->jumps : found->roots).push_back({i, corner.place, a < 0});
    else if (turns && std::abs(value) <= roots_.next_to_zero() * size)
      found->near.push_back({i, corner.place, value});
  }
  return true;
}

// The event is zero at its corner, and as far around as it is no more than `zero`: that is one root, whatever else was
// found there.
void EventSearch::add_zero_corner(const StateAt& state_at, std::size_t i, Corner corner,
                                  double until, double zero, RootsFound* found) {
  if (is_in_zone(i, corner.place)) return;
  Side left = leave_zero(state_at, i, corner.place, corner.low, begin_, left_zero * zero);
  const Side right = leave_zero(state_at, i, corner.place, corner.high, until, left_zero * zero);
  std::erase_if(found->roots, [&](const FoundRoot& root) {
    return root.function == i && root.place >= left.place;
  });
  for (auto* list : {&found->near, &found->shallow})
    std::erase_if(*list, [&](const NearRoot& near) {
      return near.function == i && near.place >= left.place;
    });
  zones_.push_back({i, corner.high, right.value == 0.0 ? corner.high : right.place});
  if (left.value == 0.0) left.value = sides_[i];
  if (left.value == 0.0) return;
  const bool is_touch = left.value * right.value > 0;
  found->roots.push_back({i, corner.place, (left.value > 0) == is_touch, is_touch});
}

// Where an event is more than `zero`, on the way from next to a place until one farther away; zero where it is not.
EventSearch::Side EventSearch::leave_zero(const StateAt& state_at, std::size_t i, double place,
                                          double from, double farthest, double zero) {
  Side side{from, 0.0};
  for (double reach = from - place;; reach *= 2) {
    const bool is_last = std::abs(reach) >= std::abs(farthest - place);
    side.place = is_last ? farthest : place + reach;
    if (!look(state_at, side.place, &middle_)) return side;
    side.value = std::abs(middle_[i]) > zero ? middle_[i] : 0.0;
    if (side.value != 0.0 || is_last) return side;
  }
}

// On which side of zero each event comes to the end of a step, if it is zero there and that was not counted.
void EventSearch::note_sides(const StateAt& state_at, double until, const RootsFound& found) {
  if (corner_count_ == 0 || !look(state_at, 0.5 * (begin_ + until), &low_) ||
      !look(state_at, until, &high_))
    return;
  for (std::size_t i = 0; i < event_count_; ++i) {
    const double zero = left_zero * term_rounding * std::max(std::abs(low_[i]), std::abs(high_[i]));
    const Side side = leave_zero(state_at, i, until, until - corner_reach * width_, begin_, zero);
    const bool is_counted = std::any_of(
        found.roots.begin(), found.roots.end(),
        [&](const FoundRoot& root) { return root.function == i && root.place >= side.place; });
    if (side.value != 0.0 || is_counted) sides_[i] = is_counted ? 0.0 : side.value;
  }
}

// Whether an event is zero there as it is at a corner, which was counted.
bool EventSearch::is_in_zone(std::size_t i, double place) const {
  return std::any_of(zones_.begin(), zones_.end(), [&](const Zone& zone) {
    return zone.function == i && place > zone.from && place <= zone.to;
  });
}

void EventSearch::leave_out_zones(RootsFound* found) const {
  std::erase_if(found->roots, [&](const FoundRoot& r) { return is_in_zone(r.function, r.place); });
  for (auto* list : {&found->near, &found->shallow})
    std::erase_if(*list, [&](const NearRoot& n) { return is_in_zone(n.function, n.place); });
}

// Whether one of the events' corners lies between the last state and this one.
bool EventSearch::changes_corner(const std::vector<double>& now) const {
  for (std::size_t i = event_count_; i < now.size(); ++i)
    if (values_[i] * now[i] <= 0) return true;
  return false;
}

StepEvents EventSearch::find_over(double t, const double* y) {
  if (empty()) return {.h = t - begin_};
  RootsFound found;
  rates_.compute_events(t, y, high_.data());
  const bool is_corner = changes_corner(high_);
  for (std::size_t i = 0; i < event_count_; ++i) {
    const double a = values_[i], b = high_[i], largest = roots_.largest(i);
    if (a == 0.0 || std::isnan(a) || std::isnan(b)) continue;
    // Before anything is known of its size it passes for continuous.
    if (a * b <= 0) {
      const bool is_jump = largest > 0 && std::abs(b - a) > passing * largest;
      (is_jump ? found.jumps : found.roots).push_back({i, t, a < 0});
    } else if (is_corner && std::max(std::abs(a), std::abs(b)) <= touching * largest) {
      found.roots.push_back({i, t, a > 0, true});
    }
  }
  return take(std::move(found), t);
}

// The first event that stops ends what is taken.
StepEvents EventSearch::take(RootsFound found, double until) {
  const CompiledSystem& system = rates_.system();
  StepEvents taken;
  double stop = until;
  for (const FoundRoot& root : found.roots) {
    if (taken.stop && root.place > stop) break;
    const bool is_stop = system.event_stops()[root.function];
    const std::string& name = system.event_names()[root.function];
    if (is_stop && !taken.stop) {
      taken.stop = name;
      stop = root.place;
    }
    taken.records.push_back({name, root.place, is_stop, root.is_rising, root.is_touch});
  }
  taken.h = stop - begin_;
  std::erase_if(found.jumps, [&](const FoundRoot& jump) { return jump.place > stop; });
  for (auto* list : {&found.near, &found.shallow})
    std::erase_if(*list, [&](const NearRoot& near) { return near.place > stop; });
  doubts_.note(found, begin_);
  return taken;
}

}  // namespace visviva
