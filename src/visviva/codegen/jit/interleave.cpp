#include "visviva/codegen/jit/interleave.h"

#include <algorithm>
#include <array>
#include <queue>

namespace visviva::jit {
namespace {

// By measurement of robots and chains: less leaves chains waiting, more costs registers.
constexpr std::size_t window = 160;

// Cycles until a result is there, about.
constexpr std::uint32_t longest = 32;  // a power of two above all of them
std::uint32_t latency(Code code) {
  switch (code) {
    case Code::divide:
      return 13;
    case Code::square_root:
      return 20;
    case Code::lane_sum:
      return 8;
    case Code::multiply_add:
      return 4;
    default:
      return 3;
  }
}

// Additions have units of their own.
bool starts_beside_products(Code code) {
  return code == Code::add || code == Code::negate ||
         (Code::join <= code && code <= Code::lane_sum);
}

class Interleaving {
 public:
  Interleaving(const Program& program, std::span<std::uint32_t> order,
               std::vector<std::uint32_t>* places)
      : order_(order), steps_(order.size()) {
    list_steps(program, *places);
    list_users();
    find_ways();
    count_values();
  }

  void run() {
    window_end_ = std::min(window, size());
    for (std::uint32_t k = 0; k < size(); ++k)
      if (steps_[k].left == 0) make_ready(k);
    for (std::size_t next = 0; next < size(); ++now_) {
      for (const std::uint32_t k : later_[now_ % longest]) make_ready(k);
      later_[now_ % longest].clear();
      std::array<int, 2> free = {2, 2};  // units for products, units for sums
      while (free[0] + free[1] > 0) {
        const std::uint32_t k =
            values_ > steps_[next].kept ? choose_oldest(free) : choose_longest(free);
        if (k == none) break;
        --free[steps_[k].unit];
        take(k);
        order_[next++] = steps_[k].operation;
      }
      for (const std::uint64_t waiting : aside_) by_way_.push(waiting);
      aside_.clear();
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // An operation, in the program's order; steps are numbered in it.
  struct Step {
    std::uint32_t operation;
    std::uint32_t operands[3];  // steps
    std::uint8_t operand_count = 0, left = 0, unit = 0, latency = 0;
    bool is_ready = false, is_taken = false;
    std::uint32_t first_user = 0, last_user = 0;
    std::uint32_t uses = 0;      // that are still to come
    std::uint32_t way = 0;       // the longest to the end, in cycles
    std::uint32_t ready_at = 0;  // cycle
    int kept = 0;                // values that wait for a use after this step of the program
  };

  std::size_t size() const { return steps_.size(); }

  void list_steps(const Program& program, std::vector<std::uint32_t>& places) {
    for (std::uint32_t k = 0; k < size(); ++k) {
      Step& step = steps_[k];
      step.operation = order_[k];
      places[step.operation] = k;
      const Operation& o = program.operations[step.operation];
      step.unit = starts_beside_products(o.code) ? 1 : 0;
      step.latency = static_cast<std::uint8_t>(latency(o.code));
      const std::uint32_t operands[] = {o.a, o.b, o.c};
      for (int i = 0; i < operand_count(o); ++i) {
        const std::uint32_t j = places[operands[i]];
        if (j >= k || steps_[j].operation != operands[i]) continue;  // not of this phase
        step.operands[step.operand_count++] = j;
        ++steps_[j].uses;
      }
      step.left = step.operand_count;
    }
  }

  void list_users() {
    std::uint32_t end = 0;
    for (Step& step : steps_) {
      step.first_user = step.last_user = end;
      end += step.uses;
    }
    users_.resize(end);
    for (std::uint32_t k = 0; k < size(); ++k)
      for (int i = 0; i < steps_[k].operand_count; ++i)
        users_[steps_[steps_[k].operands[i]].last_user++] = k;
  }

  void find_ways() {
    for (std::size_t k = size(); k-- > 0;) {
      Step& step = steps_[k];
      for (std::uint32_t u = step.first_user; u < step.last_user; ++u)
        step.way = std::max(step.way, steps_[users_[u]].way);
      step.way += step.latency;
    }
  }

  void count_values() {
    int values = 0;
    for (Step& step : steps_) step.kept = values += note(step);
    for (Step& step : steps_) step.uses = step.last_user - step.first_user;
  }

  // The change of the number of values by an operation.
  int note(const Step& step) {
    int change = step.uses > 0 ? 1 : 0;
    for (int i = 0; i < step.operand_count; ++i)
      change -= --steps_[step.operands[i]].uses == 0 ? 1 : 0;
    return change;
  }

  void make_ready(std::uint32_t k) {
    steps_[k].is_ready = true;
    if (k < window_end_) push(k);
  }

  // The longest way first, then the first in the program.
  void push(std::uint32_t k) { by_way_.push(std::uint64_t{steps_[k].way} << 32 | (none - k)); }

  // The next operation to start, of those for which there is a unit; none when all wait.
  std::uint32_t choose_longest(const std::array<int, 2>& free) {
    while (!by_way_.empty()) {
      const std::uint64_t top = by_way_.top();
      const std::uint32_t k = none - static_cast<std::uint32_t>(top);
      by_way_.pop();
      if (steps_[k].is_taken) continue;
      if (free[steps_[k].unit] > 0) return k;
      aside_.push_back(top);
    }
    return none;
  }

  std::uint32_t choose_oldest(const std::array<int, 2>& free) {
    while (oldest_ < size() && steps_[oldest_].is_taken) ++oldest_;
    for (std::size_t k = oldest_; k < window_end_; ++k) {
      const Step& step = steps_[k];
      if (step.is_ready && !step.is_taken && free[step.unit] > 0)
        return static_cast<std::uint32_t>(k);
    }
    return none;
  }

  void take(std::uint32_t k) {
    Step& step = steps_[k];
    step.is_taken = true;
    values_ += note(step);
    if (window_end_ < size()) {
      const auto added = static_cast<std::uint32_t>(window_end_++);
      if (steps_[added].is_ready) push(added);
    }
    for (std::uint32_t u = step.first_user; u < step.last_user; ++u) {
      Step& user = steps_[users_[u]];
      user.ready_at = std::max(user.ready_at, now_ + step.latency);
      if (--user.left == 0) later_[user.ready_at % longest].push_back(users_[u]);
    }
  }

  std::span<std::uint32_t> order_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> users_;
  std::array<std::vector<std::uint32_t>, longest> later_;  // ready some cycles from now
  std::priority_queue<std::uint64_t> by_way_;
  std::vector<std::uint64_t> aside_;  // there was no unit in this cycle
  std::size_t window_end_ = 0, oldest_ = 0;
  std::uint32_t now_ = 0;
  int values_ = 0;
};

}  // namespace

void interleave(const Program& program, std::span<std::uint32_t> order,
                std::vector<std::uint32_t>* places) {
  if (order.size() > 2) Interleaving(program, order, places).run();
}

}  // namespace visviva::jit
