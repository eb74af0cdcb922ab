// Report: one self-contained page that shows a mechanism, its equations, its integrals and its
// motion.
//
//   const Scene scene = make_scene(equations, start);
//   const CompiledSystem system =
//       compile(equations, energy.energies, {.extra_outputs = list_report_outputs(equations, scene)});
//   const Trajectory run = simulate(system, {.until = 10.0, .energy = 1e-9});
//   write_report("hoist.html", {.equations = equations, .start = start, .scene = scene,
//                               .energy = &energy, .run = &run});
// The page needs no network, lets no script run but its own, and shows all names and texts of the
// model as text.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/report/energy_report.h"
#include "visviva/report/page/scene.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// What the model was read from and how the report was made.
struct ReportOrigin {
  SourceText source{};
  std::vector<TextSpan> colours{};  ///< of the source
  std::string version{}, command{};
  std::vector<std::string> remarks{};  ///< warnings and the like, for the reader
};

struct ReportInput {
  const Equations& equations;
  const ConsistentStart& start;
  const Scene& scene;
  const EnergyReport* energy = nullptr;  ///< null where the constraints cannot be embedded
  const Trajectory* run = nullptr;       ///< of a system compiled with list_report_outputs()
  std::string no_run{};                  ///< why there is none
  ReportOrigin origin{};
};

/// What a run must bring along for a report: SystemOptions::extra_outputs.
std::vector<ExtraOutput> list_report_outputs(const Equations& equations, const Scene& scene);

std::string make_report(const ReportInput& input);

/// UsageError when the file cannot be written.
void write_report(const std::string& file, const ReportInput& input);

}  // namespace visviva
