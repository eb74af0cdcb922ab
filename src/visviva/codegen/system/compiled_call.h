// One call of a CompiledSystem: arguments are written once, then what functions need besides them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "visviva/codegen/system/compiled_parts.h"

namespace visviva {

/// Memory that a call needs; each thread has its own and keeps it.
struct SystemWorkspace {
  std::vector<double> arguments, values, results;
  MotionNumbers motion;
  Eigen::MatrixXd columns;
  std::vector<double> links;  // of LinkProducts, with room to begin at a multiple of 64 bytes
};
SystemWorkspace& system_workspace();

// Without branches: values hardly ever fail to be finite.
inline bool are_finite(const double* values, std::size_t count) {
  bool all = true;
  for (std::size_t i = 0; i < count; ++i)
    all &= std::abs(values[i]) <= std::numeric_limits<double>::max();
  return all;
}

// One by one (volatile sees to that): what was just stored one by one cannot be loaded several at once
// before it has reached the cache, which takes longer than a small function. Four in a turn of the loop, which would take as
// long as they do.
template <class Take>
inline void for_each_stored(const double* values, std::size_t count, Take take) {
  const volatile double* next = values;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const double a = next[i], b = next[i + 1], c = next[i + 2], d = next[i + 3];
    take(i, a);
    take(i + 1, b);
    take(i + 2, c);
    take(i + 3, d);
  }
  for (; i < count; ++i) take(i, next[i]);
}

inline double* copy_few(const double* from, std::size_t count, double* to) {
  for_each_stored(from, count, [to](std::size_t i, double x) { to[i] = x; });
  return to + count;
}

inline void write_arguments(const CompiledSystem::Parts& parts, const Instant& at, double* to) {
  *to++ = at.time;
  to = copy_few(at.state, parts.state_names.size(), to);
  to = copy_few(at.inputs, parts.input_names.size(), to);
  for (const Signal& s : parts.tables) *to++ = s.table->value(at.time, s.order);
}

/// Whether a written-out solution holds: finite values, then positive margins.
inline bool holds(const double* values, std::size_t count, std::size_t all) {
  bool is_good = are_finite(values, count);
  for (std::size_t i = count; i < all; ++i) is_good &= values[i] > 0;
  return is_good;
}

class CompiledCall {
 public:
  using Parts = CompiledSystem::Parts;

  CompiledCall(const Parts& parts, const Instant& at, const PreparedParameters& prepared);

  void run(const SystemFunction& f, double* outputs) const {
    f.code(space_.arguments.data(), prepared_.functions[f.index].data(), outputs);
  }
  /// The function's outputs, in the workspace.
  const double* run(const SystemFunction& f) const {
    space_.values.resize(f.code.output_count());
    run(f, space_.values.data());
    return space_.values.data();
  }

  // ---- Motion

  /// The rates of speeds that functions of a solution take; unknown forces and multipliers are not set.
  void take_speed_rates(const double* rates) const {
    std::copy_n(rates, speed_count(), space_.arguments.data() + parts_.argument_count);
  }
  /// Accelerations by the written-out solution, where it holds; else by the assembled equations.
  MotionStatus accelerate() const { return accelerate(nullptr); }
  /// The same, with all rates.
  MotionStatus compute_rates(double* rates) const { return accelerate(rates); }
  /// Accelerations by the assembled equations.
  MotionStatus solve() const { return finish(run(*parts_.assembly), false); }
  MotionStatus compute_rates_by_solving(double* rates) const {
    return finish_rates(run(*parts_.assembly), rates);
  }
  /// Rates from the values of the assembly.
  MotionStatus finish_rates(const double* assembly, double* rates) const;
  /// The last solution.
  const MotionNumbers& motion() const { return space_.motion; }

  // ---- What is watched

  /// `quadratures` may be null where the function has none.
  void run_measure(const SystemFunction& f, const double* quadratures, double* outputs) const {
    run_measure(f, quadratures, parts_.transport->dependent(), outputs, nullptr);
  }
  /// `preferred`: dependent speeds to keep where regular; `rows` may be null.
  void run_measure(const SystemFunction& f, const double* quadratures,
                   const std::vector<int>& preferred, double* outputs,
                   TransportSolver::Rows* rows) const;
  /// A, and c unless it is null.
  Eigen::MatrixXd compute_rows(Eigen::VectorXd* c) const;

  // ---- Derivatives

  /// Derivatives of y', by acceleration_equations.h (2).
  MotionStatus differentiate(const DerivativeFunction& f, Eigen::MatrixXd* result) const;
  /// Derivatives of y' by state and time, and by inputs where they are wanted.
  MotionStatus differentiate(const TreeDerivativeFunction& f, bool by_inputs,
                             SystemJacobian* result) const;

 private:
  std::size_t speed_count() const { return static_cast<std::size_t>(parts_.motion.speed_count()); }
  /// `rates` may be null.
  MotionStatus accelerate(double* rates) const;
  /// `regular_first`: motion().K is not needed, and the usual case may be tried by itself.
  MotionStatus finish(const double* assembly, bool regular_first) const;
  /// Results, in the workspace. Where not `only_determined` they are those of the smallest solution: what
  /// cannot be known must not stop what integrates it.
  void compute_results(bool only_determined) const;
  void lose_open() const;
  void multiply_links(const TreeDerivativeFunction& f, const double* numbers, double* memory) const;
  void solve_links_openly(const TreeDerivativeFunction& f, const double* numbers,
                          double* memory) const;
  void lose(int value) const {
    space_.results[static_cast<std::size_t>(value)] = std::numeric_limits<double>::quiet_NaN();
  }
  /// Writes w and w'.
  TransportSolver::Rows add_transport(const std::vector<int>& preferred, double* to) const;

  const Parts& parts_;
  const PreparedParameters& prepared_;
  SystemWorkspace& space_;
  mutable bool is_solved_ = false;  // space_.motion is of this call
};

}  // namespace visviva
