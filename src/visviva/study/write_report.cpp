#include "visviva/study/write_report.h"

#include <fmt/format.h>

#include "visviva/base/whole_file.h"
#include "visviva/base/words.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/report/page/report.h"
#include "visviva/study/complete_run.h"

namespace visviva {
namespace {

void require_one_model(const ReportInputs& inputs) {
  if (&inputs.model.data() != &inputs.equations.motion.model())
    throw UsageError("write_report",
                     "the equations are those of another model than '" + inputs.model.name() + "'");
  require_one_origin(inputs.equations, inputs.energies, "write_report");
}

// A run may have been made with other values than the page shows beside the model.
void add_remarks_on_values(const ReportInputs& inputs, const ConsistentStart& start,
                           ReportOrigin* origin) {
  const StartState own = make_start_state(inputs.equations.motion.model());
  std::vector<std::string> changed;
  for (const ParameterData& p : inputs.model.data().parameters) {
    if (!inputs.run.parameters.has(p.name) || !p.value || !start.missing.empty()) continue;
    const double value = inputs.run.parameters[p.name];
    if (value != own.value(p.symbol)) changed.push_back(fmt::format("{} = {}", p.name, value));
  }
  if (!changed.empty())
    origin->remarks.push_back("The run was made with " + list_words(changed) +
                              ", in SI units, not with the model's own values.");
}

}  // namespace

std::string make_report(const ReportInputs& inputs) {
  require_one_model(inputs);
  const ConsistentStart start = make_consistent_start(inputs.equations.motion);
  ReportOrigin origin = inputs.origin;
  add_remarks_on_values(inputs, start, &origin);
  const Report report(inputs.equations, start, origin);
  return report.make(complete_run(inputs.run, inputs.equations, inputs.energies, report.outputs()));
}

void write_report(const std::string& file, const ReportInputs& inputs) {
  const std::string problem = replace_file(file, make_report(inputs));
  if (!problem.empty()) throw UsageError("write_report", "cannot write '" + file + "': " + problem);
}

}  // namespace visviva
