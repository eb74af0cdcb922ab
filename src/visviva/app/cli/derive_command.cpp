// `visviva derive MODEL`: the equations of motion, for people and for scripts.
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/report/derivation/derivation_json.h"
#include "visviva/report/derivation/derivation_text.h"
#include "visviva/report/derivation/short_derivation.h"

namespace visviva {

namespace {

// Partial velocities of more points and speeds are for programs.
constexpr std::size_t most_partial_velocities = 400;

bool has_table_of_partial_velocities(const Kinematics& motion, Method method) {
  return method == Method::kane &&
         motion.points().size() * motion.speeds().size() <= most_partial_velocities;
}

// Only Kane's method has the equations of auxiliary speeds.
void require_unknowns(const CheckedModel& checked) {
  const Equations equations = derive(*checked.motion, Method::kane);
  const MotionSolver solve(equations);
  require_unknowns_determined(equations, solve(make_state(*checked.motion, checked.start)));
}

}  // namespace

int run_derive(const CommandOptions& options, const DeriveOptions& derive_options,
               std::ostream& out, std::ostream& err) {
  return with_model(options, out, err, [&](CheckedModel& checked) {
    const Equations equations = derive(*checked.motion, derive_options.method);
    if (!equations.unknowns.empty()) require_unknowns(checked);
    const bool is_short = !options.json && !derive_options.full &&
                          checked.motion->speeds().size() > most_speeds_in_full;
    const bool shows_partial_motions =
        options.json || has_table_of_partial_velocities(*checked.motion, derive_options.method);
    Derivation derivation =
        make_derivation(equations, {.partial_motions = shows_partial_motions && !is_short,
                                    .terms = !options.json && !is_short});
    if (is_short) derivation = shorten(std::move(derivation));
    if (options.json) {
      auto answer = make_derivation_json(derivation);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else if (derive_options.format == "latex") {
      out << write_derivation_latex(derivation);
    } else {
      out << write_derivation_text(derivation);
    }
    return exit_good;
  });
}

}  // namespace visviva
