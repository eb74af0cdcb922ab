// EnergyWatch: E_Z along a run, and what rounding may do to it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "visviva/base/result_table.h"
#include "visviva/simulation/certificate.h"
#include "visviva/simulation/run/system_rates.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

class EnergyWatch {
 public:
  explicit EnergyWatch(SystemRates& rates);

  /// A run begins at (t, y). False where E_Z is not finite.
  bool begin(double t, const double* y);
  /// E_Z - E_Z(start), not finite where it cannot be had. What was found is kept until take().
  double compute_deviation(double t, const double* y);
  /// The state asked for last is taken.
  void take(double t);
  /// The step just taken ends at y, and its error was within `tolerance`: whether that explains the
  /// change of E_Z.
  void judge_change(double t, const double* y, double tolerance);
  /// What such an error of a step may do to E_Z, at most.
  double explain(double tolerance) const;
  /// A row was written at t, in which E_Z - E_Z(start) is so much.
  void note_row(double t, double deviation);
  double compute_E_Z(double t, const double* y) const;
  double E_Z() const { return now_.E_Z(); }  ///< E_Z of the state asked for last
  double start() const { return start_; }
  double last_deviation() const { return E_Z() - start_; }

  /// Other speeds become dependent: Z takes up what K2 loses, in y.
  void rebase(double t, double* y, const std::vector<int>& dependent);
  /// Whether other speeds should become dependent: the present choice is badly conditioned here.
  bool wants_other(double t, const double* y);

  /// What rounding may do to E_Z around the states seen so far, with the slope there: the norm of
  /// (1 + |y_i|) dE/dy_i.
  void estimate_noise(double t, const double* y);
  double noise() const { return noise_; }
  /// The smallest tolerance that can be held above the noise, J.
  double smallest_tolerance() const { return 50 * noise_; }
  double slope() const { return slope_; }
  /// The largest K2 + |U - U(start)| so far.
  double scale() const { return scale_; }

  /// dE_Z/dt at a state, and the sum of the sizes of its terms, by differences along the motion.
  struct Balance {
    double rate = 0.0, size = 0.0;
  };
  Balance compute_balance(double t, const double* y);

  void write(Trajectory* trajectory) const;

 private:
  struct Now {
    double K = 0, K0 = 0, K1 = 0, K2 = 0, U = 0, sigma = 0, sigma_R = 0, P_nonconservative = 0;
    double Z = 0;

    double E_Z() const {
      return add_terms(result_definitions::E_Z,
                       [this](EnergyPart part) { return take_part(*this, Z, part); });
    }
  };
  Now compute(double t, const double* y) const;
  void note(const Now& now);

  SystemRates& rates_;
  std::size_t Z_place_;
  std::span<const EnergyResult> results_ = energies_in_joules();
  std::vector<double> first_, last_, farthest_;  // of each result
  Now now_{}, begin_{};
  double start_ = 0.0, noise_ = 0.0, slope_ = 0.0, scale_ = 0.0, moving_ = 0.0;
  double max_deviation_ = 0.0, max_time_ = 0.0, largest_size_ = 0.0;
  double judged_ = 0.0, unexplained_ = 0.0, unexplained_time_ = 0.0;  // judged_: E_Z - start
  int changes_ = 0;
  double jumps_ = 0.0;
  std::vector<double> shifted_, motion_;
};

}  // namespace visviva
