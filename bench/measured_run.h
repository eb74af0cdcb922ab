// Runs whose cost and error are measured: ours and those of other libraries, on the same rates.
//
// Everybody integrates states and quadratures and evaluates the same machine code. Ours is simulate()
// as users call it, E_Z at every step included. The others run alone when they are timed; E_Z is
// watched in a run of its own, after each of their steps.
#pragma once

#include <string>
#include <vector>

#include "simulated_systems.h"

namespace visviva::bench {

struct MeasuredRun {
  bool is_done = false;
  double deviation = 0.0;  ///< largest |E_Z - E_Z(0)| after a step, J
  double evaluations = 0.0;
  double seconds = 0.0;           ///< processor time of the thread, the least of several; or 0
  double tolerance = 0.0;         ///< of the local error
  std::vector<double> end_state;  ///< without quadratures
};

/// A system and what is asked of each run of it.
struct Course {
  explicit Course(const SimulatedSystem& s)
      : name(s.name), until(s.until), system(compile_system(s)) {}
  std::string name;
  double until;
  CompiledSystem system;
};

/// Methods of simulate() and, where they are installed, "boost-dopri5", "boost-fehlberg78" (Boost.odeint),
/// "arkode-dopri5", "arkode-fehlberg78" (SUNDIALS), "cvode", "cvode-bdf" (likewise).
bool has_method(const std::string& method);
/// At a fixed local tolerance. Its seconds are measured when `is_timed`.
MeasuredRun run_fixed(const Course& course, const std::string& method, double tolerance,
                      bool is_timed);
/// By simulate() with the energy tolerance X.
MeasuredRun run_moderated(const Course& course, const std::string& method, double X, bool is_timed);

/// Largest K2 + |U - U(0)| along the motion, J.
double measure_scale(const Course& course);
/// One evaluation of states' and quadratures' rates at the start, s.
double time_rates(const Course& course);

/// The cheapest fixed tolerance whose deviation is at most X: what a person finds after many trials.
class Oracle {
 public:
  Oracle(const Course& course, std::string method);
  /// In evaluations; not timed. is_done is false when there is none.
  MeasuredRun find(double X);

 private:
  const MeasuredRun& scan(std::size_t k);  ///< k quarters of a decade below the loosest

  const Course& course_;
  std::string method_;
  std::vector<MeasuredRun> scanned_;
};

/// Processor time of this thread, s.
double thread_seconds();

/// The least processor time of one call, of a few and for some hundredths of a second.
template <class F>
double time_run(F&& f) {
  double least = 1e300, total = 0.0;
  for (int k = 0; k < 3 || (total < 0.04 && k < 200); ++k) {
    const double start = thread_seconds();
    f();
    const double taken = thread_seconds() - start;
    total += taken;
    if (taken < least) least = taken;
    if (total > 1.0) break;
  }
  return least;
}

}  // namespace visviva::bench
