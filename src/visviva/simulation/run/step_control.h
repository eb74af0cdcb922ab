// StepControl: whether a step is taken and how long the next one is.
//
// Plain: the local error e stays below a given tolerance. Moderated: the deviation D = E_Z - E_Z(start)
// stays below `energy` at every step that is taken. Then
//   - the tolerance rt of the local error is learned: x = (change of D)/(sum of e) over blocks of steps
//     has mean m and mean square v; the steps that are left, N, will add about
//       N kappa rt (|m| + 2 sqrt(v L / N)),   kappa the mean of e / rt, L steps a block          (1)
//     to D, and rt is chosen so that this ends at 0.8 of `energy`;
//   - a gate takes a step only where D stays within an envelope that widens with time,
//       |D| <= energy (1/4 + 3/4 s),   s the part of the run that is done                        (2)
// D is compared, never corrected.
#pragma once

#include <cstddef>

namespace visviva {

struct StepVerdict {
  bool is_taken = false;
  bool by_gate = false;  ///< not taken because of (2)
  double h = 0.0;        ///< length of the next attempt
};

/// The lessons that one energy tolerance teaches another attempt with it.
struct Lessons {
  double mean = 0.0, square = 0.0, kappa = 0.5, steps = 1000.0;
  double theta = 0.8;  ///< the part of `energy` that is aimed at
  bool is_taught = false;
};

class StepControl {
 public:
  /// Orders as in MethodFacts; `tolerance` is the largest of the local error.
  StepControl(int order, int error_order, double tolerance);
  /// Keeps D below `energy` from now on. `slope` tells how E_Z changes with relative changes of the
  /// state: the norm of (1 + |y_i|) dE/dy_i.
  void moderate(double energy, double noise, double slope, const Lessons& lessons = {});
  void set_noise(double noise) { noise_ = noise; }
  /// Another method goes on: what is known of the last one's errors is forgotten.
  void change_method(int order, int error_order);

  /// Judges a step of h with the local error e (relative to 1 + |y|, not yet to the tolerance) that would
  /// bring D to `deviation` and the run to the part `done` of its length.
  StepVerdict judge(double h, double e, double deviation, double done);
  /// Judges a step of h that could not be computed: a tenth of it comes next.
  StepVerdict fail(double h);

  double tolerance() const { return rt_; }
  double deviation() const { return D_; }
  double last_deviation() const { return last_D_; }  ///< before the step that was taken last
  bool is_moderated() const { return energy_ > 0; }
  /// Whether rejections have no end: (2) cannot be met.
  bool is_stuck() const;
  bool is_held_by_gate() const { return is_held_by_gate_; }  ///< the last refusal was by (2)
  /// E_Z asks for steps with errors that are rounding alone.
  bool is_held_by_rounding() const;
  std::size_t gate_rejections() const { return gate_rejections_; }
  int failures_in_a_row() const { return in_a_row_; }
  double smallest_tolerance() const { return smallest_; }
  double largest_tolerance() const { return largest_; }
  Lessons lessons() const;

 private:
  StepVerdict take(double h, double err, double e, double deviation, double done);
  StepVerdict refuse(double h, double err, double deviation, double envelope);
  void learn(double change, double e);
  double choose_tolerance() const;

  int order_, q_;
  double cap_;  // the largest tolerance
  double rt_;
  double energy_ = 0.0, noise_ = 0.0, slope_ = 0.0, theta_ = 0.8;
  double last_D_ = 0.0, D_ = 0.0, pinned_ = 0.0;  // D; the last one inside the envelope
  // (1), with the block that is being summed up
  double mean_ = 0.0, square_ = 0.0, kappa_ = 0.5, length_ = 1.0, left_ = 1000.0, blocks_ = 2.0;
  double block_change_ = 0.0, block_error_ = 0.0, block_steps_ = 0.0;
  double mean_step_ = 0.0, last_done_ = 0.0;  // as parts of the run
  double last_err_ = 1e-4;
  bool was_refused_ = false, is_held_by_gate_ = false;
  std::size_t taken_ = 0, gate_rejections_ = 0;
  int in_a_row_ = 0;
  double smallest_, largest_;
};

}  // namespace visviva
