// Trajectory: what a run gives: samples, energies, events, its certificate, and how it ended.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "visviva/codegen/system/named_values.h"
#include "visviva/simulation/certificate.h"

namespace visviva {

enum class RunStatus {
  done,                ///< the end was reached, or an event that stops
  certificate_failed,  ///< the end was reached, but E_Z left its tolerance
  refused,             ///< not begun, or given up: `refusal` and `reason` say why
  stopped              ///< by its watcher
};
const char* name_of(RunStatus status);  ///< "done", "certificate failed", "refused", "stopped"

/// An energy over all accepted steps, J.
struct EnergyExtent {
  double start = 0.0, end = 0.0, max_deviation = 0.0;
};

/// An event that was seen.
struct EventRecord {
  std::string name;
  double time;
  bool is_stop;
  bool
      is_rising;  ///< the event's value went from negative to positive, or is positive around a touch
  bool is_touch = false;        ///< the value reached zero and did not pass it
  std::vector<double> state{};  ///< then, as Trajectory::state_names
  std::vector<double> row{};    ///< then, as Trajectory::columns
};

/// What can be said of an event besides its roots.
struct EventDoubt {
  std::string name;
  std::size_t jumps = 0;         ///< changes of sign at a jump or a pole, which are no events
  double jump_time = 0.0;        ///< the first of them
  std::size_t unresolved = 0;    ///< steps in which it varied too fast: roots may be missing
  double unresolved_time = 0.0;  ///< the first of them
  std::size_t undefined = 0;     ///< steps in which it had no value, or none in a part of them
  double undefined_time = 0.0;   ///< the first time
  std::size_t near = 0;          ///< times that it came next to zero and turned back
  double near_time = 0.0;        ///< the first of them
  double near_value = 0.0;       ///< how far from zero it was then
  std::size_t shallow = 0;       ///< touches that pass zero, by less than errors of the run
  double shallow_time = 0.0;     ///< the first of them
  double shallow_value = 0.0;    ///< how far behind zero it was then
};

/// Velocities that jumped, or energy that came in, where time carried the mechanism over a corner.
struct ImpulseRecord {
  double time = 0.0;
  std::string surface{};            ///< the expression that passed zero
  double energy = 0.0;              ///< change of K + U, J; Z takes up that of K2 + U
  std::array<double, 3> impulse{};  ///< on the whole mechanism, along N.x, N.y, N.z, N s
  std::array<double, 3> moment{};   ///< its moment about No, N m s
};

/// Rows in which an output is no finite number.
struct OutputGap {
  std::string name;
  std::size_t rows = 0;
  double first = 0.0;  ///< time of the first of them
};

struct Trajectory {
  RunStatus status = RunStatus::done;
  Refusal refusal = Refusal::none;
  RunReason reason{};  ///< why it ended so; empty when all went well

  NamedValues parameters, inputs;  ///< that the run was made with
  double t_start = 0.0, t_end = 0.0;
  std::vector<std::string> state_names;        ///< states, then quadratures ("Z" first)
  std::vector<double> start_state, end_state;  ///< one value for each of these names
  std::vector<double> end_rates;

  /// Columns of the samples: "t", coordinates, speeds, "Z", "E_Z", outputs.
  std::vector<std::string> columns;
  std::vector<std::vector<double>> samples;  ///< one list a column; empty unless they are kept
  std::size_t rows = 0;                      ///< that were given, kept or not
  std::vector<OutputGap> gaps;               ///< of outputs that are not finite everywhere
  /// A column by name. UsageError, with the nearest name, when there is none.
  const std::vector<double>& operator[](const std::string& column) const;
  /// The times of the samples.
  const std::vector<double>& t() const { return (*this)["t"]; }

  /// K, K0, K1, K2, U, Z, E_Z, E, H, C.
  std::map<std::string, EnergyExtent> energies;
  std::vector<EventRecord> events;
  std::vector<EventDoubt> event_doubts;  ///< of events that there is something to say about
  std::vector<ImpulseRecord> impulses;
  Certificate certificate;

  std::size_t steps = 0, rejected = 0, evaluations = 0, restarts = 0;
  std::string method;  ///< the methods that were used, "verner98, radau5"
  double smallest_tolerance = 0.0, largest_tolerance = 0.0;  ///< tolerances of the local error
};

}  // namespace visviva
