#include "visviva/codegen/jit/schedule.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/codegen/jit/interleave.h"

namespace visviva::jit {
namespace {

class Scheduling {
 public:
  Scheduling(const Program& program, bool interleaved)
      : program_(program), interleaved_(interleaved) {}

  Schedule run() {
    find_blocks();
    find_phases();
    sort_operations();
    fill_blocks();
    find_uses();
    return std::move(schedule_);
  }

 private:
  std::size_t size() const { return program_.operations.size(); }
  const Operation& operation(std::size_t i) const { return program_.operations[i]; }

  // The block of a function; for other values, how many blocks must have been evaluated before.
  void find_blocks() {
    depth_.assign(size(), 0);
    bool is_ordered = true;
    for (std::size_t i = 0; i < size(); ++i) {
      std::uint32_t depth = 0;
      for_each_use(operation(i), [&](std::uint32_t v) {
        is_ordered = is_ordered && v < i;
        if (is_ordered)
          depth = std::max(depth, depth_[v] + (is_function(operation(v).code) ? 1u : 0u));
      });
      depth_[i] = depth;
    }
    if (!is_ordered) throw InternalError("make_schedule: an operand comes after its operation");
  }

  // phase_[i] is the first block that needs value i, `last` when only outputs do.
  void find_phases() {
    phase_.assign(size(), nothing);
    std::uint32_t count = 0;
    const auto need = [&](std::uint32_t v, std::uint32_t phase) {
      phase_[v] = std::min(phase_[v], phase);
    };
    const std::uint32_t last = nothing - 1;
    for (const std::uint32_t v : program_.outputs) {
      if (v >= size()) throw InternalError("make_schedule: an output that no operation makes");
      need(v, last);
    }
    for (std::size_t i = size(); i-- > 0;) {
      if (phase_[i] == nothing) continue;
      const bool is_block = is_function(operation(i).code);
      if (is_block) {
        phase_[i] = depth_[i];
        count = std::max(count, depth_[i] + 1);
      }
      for_each_use(operation(i), [&](std::uint32_t v) { need(v, phase_[i]); });
    }
    for (std::uint32_t& phase : phase_) {
      if (phase == last) phase = count;
    }
    schedule_.blocks.resize(count);
  }

  // Operations by phase, and within a phase interleaved, or as in the program.
  void sort_operations() {
    std::vector<std::size_t> starts(schedule_.blocks.size() + 2, 0);
    const auto is_ordinary = [&](std::size_t i) {
      const Code code = operation(i).code;
      return phase_[i] != nothing && !is_leaf(code) && !is_function(code);
    };
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_ordinary(i)) ++starts[phase_[i] + 1];
    }
    for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
    schedule_.phase_ends.assign(starts.begin() + 1, starts.end());
    schedule_.order.resize(starts.back());
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_ordinary(i)) schedule_.order[starts[phase_[i]]++] = static_cast<std::uint32_t>(i);
    }
    if (!interleaved_) return;
    std::vector<std::uint32_t> places(size());
    for (std::size_t k = 0, begin = 0; k < schedule_.phase_ends.size(); ++k) {
      const std::size_t end = schedule_.phase_ends[k];
      interleave(program_, {schedule_.order.data() + begin, end - begin}, &places);
      begin = end;
    }
  }

  void fill_blocks() {
    std::vector<bool> is_noted(size());
    for (std::uint32_t i = 0; i < size(); ++i) {
      const Operation& o = operation(i);
      if (!is_function(o.code) || phase_[i] == nothing) continue;
      FunctionBlock& block = schedule_.blocks[phase_[i]];
      if (o.code == Code::call) {
        block.calls.push_back(i);
        continue;
      }
      block.trigonometric.push_back(i);
      if (!is_noted[o.a]) block.angles.push_back(o.a);
      is_noted[o.a] = true;
    }
    const std::vector<std::uint32_t> joined = number_joined_angles();
    const auto key = [&](std::uint32_t v) {
      return std::pair(joined[v], operation(v).code == Code::input ? operation(v).a : nothing);
    };
    for (FunctionBlock& block : schedule_.blocks)
      std::stable_sort(block.angles.begin(), block.angles.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  }

  // In the order in which their functions become lanes; after them, those that do not.
  std::vector<std::uint32_t> number_joined_angles() const {
    std::vector<std::uint32_t> numbers(size(), nothing);
    std::uint32_t next = 0;
    const auto note = [&](std::uint32_t v) {
      const Operation& o = operation(v);
      if ((o.code == Code::sin || o.code == Code::cos) && numbers[o.a] == nothing)
        numbers[o.a] = next++;
    };
    for (const Operation& o : program_.operations) {
      if (o.code != Code::join) continue;
      note(o.a);
      note(o.b);
    }
    return numbers;
  }

  // Backwards: the step seen last is the next one.
  void find_uses() {
    schedule_.first_uses.assign(size(), nothing);
    step_ = static_cast<std::uint32_t>(schedule_.order.size() + schedule_.blocks.size());
    std::size_t count = 0;
    for (const std::uint32_t i : schedule_.order)
      count += static_cast<std::size_t>(count_operands(operation(i)));
    for (const FunctionBlock& block : schedule_.blocks)
      for_each_use(program_, block, [&](std::uint32_t) { ++count; });
    schedule_.later_uses.resize(count);
    later_end_ = count;
    for (std::size_t k = schedule_.phase_ends.size(); k-- > 0;) {
      if (k < schedule_.blocks.size()) note_block(schedule_.blocks[k]);
      const std::size_t begin = k == 0 ? 0 : schedule_.phase_ends[k - 1];
      for (std::size_t p = schedule_.phase_ends[k]; p-- > begin;) {
        const Operation& o = operation(schedule_.order[p]);
        const std::uint32_t used[] = {o.a, o.b, o.c};
        note_step(used, static_cast<std::size_t>(count_operands(o)));
      }
    }
  }

  void note_block(const FunctionBlock& block) {
    used_.clear();
    for_each_use(program_, block, [&](std::uint32_t v) { used_.push_back(v); });
    note_step(used_.data(), used_.size());
  }

  // A value used twice by one step is next used by a later one.
  void note_step(const std::uint32_t* used, std::size_t count) {
    --step_;
    later_end_ -= count;
    for (std::size_t k = 0; k < count; ++k)
      schedule_.later_uses[later_end_ + k] = schedule_.first_uses[used[k]];
    for (std::size_t k = 0; k < count; ++k) schedule_.first_uses[used[k]] = step_;
  }

  const Program& program_;
  bool interleaved_;
  Schedule schedule_;
  std::vector<std::uint32_t> depth_, phase_, used_;
  std::uint32_t step_ = 0;
  std::size_t later_end_ = 0;  // uses from here on are noted
};

}  // namespace

Schedule make_schedule(const Program& program, bool interleaved) {
  return Scheduling(program, interleaved).run();
}

}  // namespace visviva::jit
