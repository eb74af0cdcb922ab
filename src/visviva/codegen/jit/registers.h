// Registers: which value is in which vector register, and when it is needed next.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "visviva/codegen/jit/schedule.h"

namespace visviva::jit {

class Registers {
 public:
  /// A set of registers, one bit each.
  using Set = std::uint32_t;

  explicit Registers(int count)
      : all_(count == 32 ? ~Set{0} : (Set{1} << count) - 1), free_(all_) {}

  bool has_free() const { return free_ != 0; }
  Set used() const { return all_ & ~free_; }
  std::uint32_t owner(int r) const { return owners_[index(r)]; }

  /// Takes the lowest free register: its instructions are the shortest.
  int take_free() {
    const int r = std::countr_zero(free_);
    free_ &= ~bit(r);
    owners_[index(r)] = nothing;
    next_uses_[index(r)] = nothing;
    return r;
  }

  void assign(int r, std::uint32_t value, std::uint32_t next_use) {
    owners_[index(r)] = value;
    next_uses_[index(r)] = next_use;
  }

  void set_next_use(int r, std::uint32_t step) { next_uses_[index(r)] = step; }

  void release(int r) { free_ |= bit(r); }
  void release_all() { free_ = all_; }

  /// The register whose value is needed last of all (Belady's rule), pinned ones apart.
  int find_farthest(Set pinned) const {
    int best = -1;
    for (Set rest = used() & ~pinned; rest != 0; rest &= rest - 1) {
      const int r = std::countr_zero(rest);
      if (best < 0 || next_uses_[index(r)] > next_uses_[index(best)]) best = r;
    }
    return best;
  }

  static Set bit(int r) { return Set{1} << r; }

 private:
  static std::size_t index(int r) { return static_cast<std::size_t>(r); }

  Set all_, free_;
  std::array<std::uint32_t, 32> owners_{}, next_uses_{};
};

}  // namespace visviva::jit
