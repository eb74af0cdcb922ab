// `visviva energy MODEL`: kinetic energy by degrees, powers, and which integrals are constant, why.
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/report/energy/energy_json.h"
#include "visviva/report/energy/energy_text.h"

namespace visviva {

int run_energy(const CommandOptions& options, const EnergyOptions& energy_options,
               std::ostream& out, std::ostream& err) {
  return with_model(options, out, err, [&](CheckedModel& checked) {
    const Equations equations = derive(*checked.motion);
    if (!equations.unknowns.empty())
      require_unknowns_determined(
          equations, MotionSolver(equations)(make_state(*checked.motion, checked.start)));
    const EnergyReport report = make_energy_report(equations, checked.start);
    if (options.json) {
      auto answer = make_energy_json(report);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else if (energy_options.format == "latex") {
      out << write_energy_latex(report);
    } else {
      out << write_energy_text(report, energy_options.full);
    }
    return exit_good;
  });
}

}  // namespace visviva
