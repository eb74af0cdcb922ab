// Report: one self-contained page that shows a mechanism, its equations, its integrals and its
// motion.
//
//   const Report report(equations, start);
//   const CompiledSystem system =
//       compile(equations, report.energy()->energies, {.extra_outputs = report.outputs()});
//   report.write("hoist.html", simulate(system, {.until = 10.0, .energy = 1e-9}));
// The page needs no network, lets no script run but its own, and shows all names and texts of the
// model as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/kinematics/consistent_start.h"
#include "visviva/report/derivation/causes.h"
#include "visviva/report/energy/energy_report.h"
#include "visviva/report/page/page_frame.h"
#include "visviva/report/page/report_origin.h"
#include "visviva/report/page/scene.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The outputs that a run must bring along for a report.
std::vector<ExtraOutput> list_report_outputs(const Equations& equations, const Scene& scene);

class Report {
 public:
  /// Makes all that needs no run. The equations must outlive the report.
  Report(const Equations& equations, const ConsistentStart& start, ReportOrigin origin = {});

  /// Null where the constraints cannot be embedded.
  const EnergyReport* energy() const { return energy_ ? &*energy_ : nullptr; }
  /// SystemOptions::extra_outputs of the system to run.
  std::vector<ExtraOutput> outputs() const { return list_report_outputs(equations_, scene_); }

  std::string make(const Trajectory& run) const { return make_page_of(&run, ""); }
  std::string make_without_run(const std::string& reason) const {
    return make_page_of(nullptr, reason);
  }
  /// Writes the page about a run. UsageError when the file cannot be written.
  void write(const std::string& file, const Trajectory& run) const;

 private:
  const ModelData& model() const { return equations_.motion.model(); }
  bool is_large() const;
  std::string command_for(const char* verb) const;
  Html make_derivation() const;
  Html make_integrals() const;
  Html make_interactions() const;
  Html make_modes() const;
  std::string make_page_of(const Trajectory* run, const std::string& no_run) const;
  Html make_intro(const Trajectory* run) const;
  Html make_plot_section(const Trajectory& run) const;
  Html make_reproduction(const Trajectory* run) const;

  const Equations& equations_;
  ConsistentStart start_;
  ReportOrigin origin_;
  Causes causes_;
  Scene scene_;
  std::optional<EnergyReport> energy_;
  std::vector<PageSection> before_plots_;
  Html modes_;
};

}  // namespace visviva
