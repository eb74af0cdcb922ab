// write_report(): a page about a model, its equations, its energies and a run.
//
//   write_report("hoist.html", {model, equations, energies, run});
// The run may come from any system compiled from these equations: what the picture and the plots need
// beyond its columns is computed here.
#pragma once

#include <string>

#include "visviva/equations/energy/energies.h"
#include "visviva/report/page/report_origin.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

struct ReportInputs {
  const Model& model;
  const Equations& equations;
  const Energies& energies;
  const Trajectory& run;
  ReportOrigin origin{};  ///< the text that the model was read from, and how the page was made
};

/// The page as HTML, in one piece. UsageError when the inputs are not all of one model.
std::string make_report(const ReportInputs& inputs);
/// Writes the page into a file; UsageError when that cannot be written.
void write_report(const std::string& file, const ReportInputs& inputs);

}  // namespace visviva
