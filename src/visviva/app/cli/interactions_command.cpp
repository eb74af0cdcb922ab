// `visviva interactions MODEL`: who acts on whom, invariance and the third law.
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/interactions/interactions_json.h"
#include "visviva/report/interactions/interactions_text.h"

namespace visviva {

int run_interactions(const CommandOptions& options, std::ostream& out, std::ostream& err) {
  return with_model(options, out, err, [&](CheckedModel& checked) {
    const InteractionReport report =
        make_interaction_report(derive(*checked.motion), checked.start);
    if (options.json) {
      auto answer = make_interactions_json(report);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else {
      out << write_interactions_text(report);
    }
    return exit_good;
  });
}

}  // namespace visviva
