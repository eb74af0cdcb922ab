// Run: one integration by one-step methods, from start to end or to a refusal.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/simulation/run/energy_watch.h"
#include "visviva/simulation/run/projection.h"
#include "visviva/simulation/run/sampler.h"
#include "visviva/simulation/run/simulate.h"
#include "visviva/simulation/run/step_control.h"
#include "visviva/simulation/run/system_rates.h"

namespace visviva {

/// States at equal distances in time, for comparing two runs.
struct Checkpoints {
  std::size_t count = 0;  ///< wanted
  std::vector<std::vector<double>> states{};
};

/// Of the local error: what was asked for, else what is usual.
double largest_tolerance(const RunOptions& options);

class Run {
 public:
  /// `options.method` is "auto" or one of list_methods(); `energy` is in joules.
  Run(const CompiledSystem& system, const RunStart& start, const RunOptions& options,
      Checkpoints* checkpoints = nullptr);

  /// Begins anew with what was learned when the tolerance in joules could not be held.
  Trajectory go();

 private:
  enum class Outcome { reached, stopped, stuck, refused };

  // ---- One attempt at the whole run
  Outcome attempt(const Lessons& lessons);
  bool begin();
  double choose_first_step();
  bool check_integral();
  bool check_floor();
  Outcome advance();

  // ---- One step
  enum class Step { taken, again, ended, stuck };
  Step make_step();
  double limit_step() const;
  double measure_error(const double* error) const;
  double measure_projected_error(double t);
  void hop();
  Step fail_step(double h, Refusal refusal);
  bool take_step(bool is_projected);
  bool give_samples();
  void interpolate(double theta);
  bool give_progress(double h);
  void note_checkpoints();
  void watch_partition();
  void watch_stiffness();

  // ---- Surfaces (run_surfaces.cpp)
  bool crosses_switch(double t, const double* y);
  double find_crossing(double h);
  bool leave_surface();
  Step cross_switch(double h);
  Step cross_surface(double h);
  bool is_sticking() const;
  void refuse_sticking();
  double find_event(double h);
  void find_event_over(double h);
  void note_sides();
  void note_switch_times();
  bool end_at_stop(double h);
  void note_events();

  // ---- Endings (run_endings.cpp)
  static constexpr int most_failures = 20;    // in a row, each with a tenth of the step before
  static constexpr double floor_factor = 50;  // noise below the tolerance that can be held
  Outcome refuse(Refusal refusal, std::string reason);
  Outcome explain_stuck();
  double observe_order();
  std::string explain_rates(double h);
  void explain_small_step(double h);
  Step interrupt();
  void write(Outcome outcome);

  const CompiledSystem& system_;
  RunStart start_;
  RunOptions options_;
  Checkpoints* checkpoints_;
  SystemRates rates_;
  EnergyWatch watch_;
  Projection projection_;
  Sampler sampler_;
  StepControl control_;
  std::unique_ptr<Stepper> explicit_, implicit_;
  Stepper* stepper_ = nullptr;

  std::unique_ptr<Stepper> crosser_;  // over switches, where the method is implicit
  std::unique_ptr<Stepper> between_;  // for values within a step

  double span_, h_ = 0.0;
  double old_time_ = 0.0, old_deviation_ = 0.0;  // where the last step began
  std::vector<double> old_state_;
  std::vector<double> y_, row_, switches_, events_;
  std::vector<signed char> sides_;  // of each switch: -1, 1, or 0 while it is not known
  std::vector<double> knots_;       // times that steps must not go over
  std::size_t next_knot_ = 0;
  int failures_ = 0, idle_crossings_ = 0, hops_ = 0;
  double last_good_step_ = 0.0, last_crossing_ = 0.0;
  Refusal trouble_ = Refusal::none;   // of the last attempt
  int fired_ = -1;                    // the event that ended the run
  std::vector<EventRecord> pending_;  // found in the step that is being made
  // Whether a stiff method pays: steps at the limit of stability, and what is being tried
  int stiff_steps_ = 0, calm_steps_ = 0;
  double patience_ = 15;
  struct Trial {
    double t = 0.0, cost = 0.0, explicit_step = 0.0;
    int steps = 0;
    std::size_t evaluations = 0;
  } trial_;
  bool used_implicit_ = false, stays_explicit_ = false;

  Trajectory trajectory_;
};

}  // namespace visviva
