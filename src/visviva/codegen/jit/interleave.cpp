#include "visviva/codegen/jit/interleave.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

#include "visviva/codegen/jit/schedule.h"

namespace visviva::jit {
namespace {

// By measurement of robots and chains: less leaves chains waiting, more costs registers.
constexpr std::size_t window = 200;

// Cycles until a result is there, about.
constexpr std::uint32_t longest = 32;  // a power of two above all of them
std::uint32_t latency(Code code) {
  switch (code) {
    case Code::divide:
      return 13;
    case Code::square_root:
      return 20;
    case Code::multiply_add:
      return 4;
    default:
      return 3;
  }
}

// Additions have units of their own.
bool is_addition(Code code) { return code == Code::add || code == Code::negate; }

class Interleaving {
 public:
  Interleaving(const Program& program, std::span<std::uint32_t> order,
               std::vector<std::uint32_t>* places)
      : program_(program),
        order_(order),
        before_(order.begin(), order.end()),
        places_(*places),
        is_ready_(order.size()),
        is_taken_(order.size()),
        ready_at_(order.size()) {
    for (std::uint32_t k = 0; k < size(); ++k) places_[before_[k]] = k;
    list_users();
    find_ways();
    count_values();
  }

  void run() {
    window_end_ = std::min(window, size());
    for (std::uint32_t k = 0; k < size(); ++k)
      if (left_[k] == 0) make_ready(k);
    for (std::size_t next = 0; next < size(); ++now_) {
      for (const std::uint32_t k : later_[now_ % longest]) make_ready(k);
      later_[now_ % longest].clear();
      std::array<int, 2> free = {2, 2};  // units for products, units for sums
      while (free[0] + free[1] > 0) {
        const std::uint32_t k = choose(next, free);
        if (k == none) break;
        --free[is_addition(code(k)) ? 1 : 0];
        take(k);
        order_[next++] = before_[k];
      }
      for (const std::uint32_t k : aside_by_way_) by_way_.emplace(way_[k], none - k);
      for (const std::uint32_t k : aside_by_age_) by_age_.push(k);
      aside_by_way_.clear();
      aside_by_age_.clear();
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::size_t size() const { return before_.size(); }
  Code code(std::uint32_t k) const { return program_.operations[before_[k]].code; }

  template <class F>
  void for_each_operand(std::uint32_t k, F&& f) const {
    for_each_use(program_.operations[before_[k]], [&](std::uint32_t v) {
      const std::uint32_t j = places_[v];
      if (j < size() && before_[j] == v) f(j);  // made in this phase
    });
  }

  void list_users() {
    const std::size_t n = size();
    left_.assign(n, 0);
    first_user_.assign(n + 1, 0);
    for (std::uint32_t k = 0; k < n; ++k)
      for_each_operand(k, [&](std::uint32_t j) {
        ++first_user_[j + 1];
        ++left_[k];
      });
    for (std::size_t k = 0; k < n; ++k) first_user_[k + 1] += first_user_[k];
    users_.resize(first_user_[n]);
    std::vector<std::uint32_t> at(first_user_.begin(), first_user_.end() - 1);
    for (std::uint32_t k = 0; k < n; ++k)
      for_each_operand(k, [&](std::uint32_t j) { users_[at[j]++] = k; });
  }

  // The longest way from each operation to the end.
  void find_ways() {
    way_.assign(size(), 0);
    for (std::size_t k = size(); k-- > 0;) {
      for (std::uint32_t u = first_user_[k]; u < first_user_[k + 1]; ++u)
        way_[k] = std::max(way_[k], way_[users_[u]]);
      way_[k] += latency(code(static_cast<std::uint32_t>(k)));
    }
  }

  // How many values wait for a use after so many operations of the program.
  void count_values() {
    uses_.resize(size());
    for (std::size_t k = 0; k < size(); ++k) uses_[k] = first_user_[k + 1] - first_user_[k];
    std::vector<std::uint32_t> uses = uses_;
    int values = 0;
    for (std::uint32_t k = 0; k < size(); ++k) {
      values += note(k, &uses);
      kept_.push_back(values);
    }
  }

  // The change of the number of values by an operation.
  int note(std::uint32_t k, std::vector<std::uint32_t>* uses) const {
    int change = (*uses)[k] > 0 ? 1 : 0;
    for_each_operand(k, [&](std::uint32_t j) { change -= --(*uses)[j] == 0 ? 1 : 0; });
    return change;
  }

  void make_ready(std::uint32_t k) {
    is_ready_[k] = true;
    if (k < window_end_) push(k);
  }

  void push(std::uint32_t k) {
    by_way_.emplace(way_[k], none - k);
    by_age_.push(k);
  }

  // The next operation to start, of those for which there is a unit; none when all wait.
  std::uint32_t choose(std::size_t next, const std::array<int, 2>& free) {
    const bool is_full = values_ > kept_[next];
    while (is_full ? !by_age_.empty() : !by_way_.empty()) {
      const std::uint32_t k = is_full ? by_age_.top() : none - by_way_.top().second;
      if (is_full)
        by_age_.pop();
      else
        by_way_.pop();
      if (is_taken_[k]) continue;
      if (free[is_addition(code(k)) ? 1 : 0] > 0) return k;
      (is_full ? aside_by_age_ : aside_by_way_).push_back(k);
    }
    return none;
  }

  void take(std::uint32_t k) {
    is_taken_[k] = true;
    values_ += note(k, &uses_);
    if (window_end_ < size() && is_ready_[window_end_])
      push(static_cast<std::uint32_t>(window_end_));
    if (window_end_ < size()) ++window_end_;
    for (std::uint32_t u = first_user_[k]; u < first_user_[k + 1]; ++u) {
      const std::uint32_t user = users_[u];
      ready_at_[user] = std::max(ready_at_[user], now_ + latency(code(k)));
      if (--left_[user] == 0) later_[ready_at_[user] % longest].push_back(user);
    }
  }

  const Program& program_;
  std::span<std::uint32_t> order_;
  const std::vector<std::uint32_t> before_;  // operations as the program has them
  std::vector<std::uint32_t>& places_;       // of operations in it
  std::vector<std::uint32_t> left_;          // operands that are not there yet
  std::vector<std::uint32_t> first_user_, users_, way_, uses_;
  std::vector<int> kept_;
  std::vector<bool> is_ready_, is_taken_;
  std::vector<std::uint32_t> ready_at_;
  std::array<std::vector<std::uint32_t>, longest> later_;  // ready some cycles from now
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> by_way_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> by_age_;
  std::vector<std::uint32_t> aside_by_way_, aside_by_age_;  // there was no unit in this cycle
  std::size_t window_end_ = 0;
  std::uint32_t now_ = 0;
  int values_ = 0;
};

}  // namespace

void interleave(const Program& program, std::span<std::uint32_t> order,
                std::vector<std::uint32_t>* places) {
  if (order.size() > 2) Interleaving(program, order, places).run();
}

}  // namespace visviva::jit
