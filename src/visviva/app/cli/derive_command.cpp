// `visviva derive MODEL`: the equations of motion, for people and for scripts.
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/whole_fields.h"
#include "visviva/equations/continuum/field_equations.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/report/derivation/derivation_json.h"
#include "visviva/report/derivation/derivation_text.h"
#include "visviva/report/derivation/field_text.h"
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

nlohmann::ordered_json make_whole_json(const WholeFields& fields) {
  nlohmann::ordered_json answer;
  answer["model"] = fields.model().name;
  answer["field_equations"] = make_field_equations_json(fields.equations, fields.model());
  answer["integral_equations"] = make_integral_equations_json(fields.equations, fields.model());
  answer["power_balance"] = make_power_balance_json(fields.equations, fields.model());
  return answer;
}

// What Hamilton's principle says where nothing was cut into elements.
ExitStatus answer_whole_fields(const CommandOptions& options, const DeriveOptions& derive_options,
                               const CheckedModel& checked, std::ostream& out) {
  const WholeFields fields = *derive_whole_fields(checked, options);
  if (options.json) {
    auto answer = make_whole_json(fields);
    answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
    print_json(answer, out);
  } else if (derive_options.format == "latex") {
    out << write_field_equations_latex(fields.equations, fields.model());
  } else {
    out << fields.model().name << ": field equations by Hamilton's principle\n\n"
        << write_field_equations(fields.equations, fields.model());
  }
  return exit_good;
}

}  // namespace

int run_derive(const CommandOptions& options, const DeriveOptions& derive_options,
               std::ostream& out, std::ostream& err) {
  CommandOptions whole = options;
  whole.takes_whole_fields = true;
  return with_model(whole, out, err, [&](CheckedModel& checked) {
    if (checked.motion->model().is_continuous())
      return answer_whole_fields(options, derive_options, checked, out);
    const auto fields = derive_whole_fields(checked, options);
    const Equations equations = derive(*checked.motion, derive_options.method);
    if (!equations.unknowns.empty()) require_unknowns(checked);
    const bool is_short =
        !derive_options.full && checked.motion->speeds().size() > most_speeds_in_full;
    const bool shows_partial_motions =
        options.json || has_table_of_partial_velocities(*checked.motion, derive_options.method);
    Derivation derivation =
        make_derivation(equations, {.partial_motions = shows_partial_motions && !is_short,
                                    .terms = !options.json && !is_short});
    if (is_short && !options.json) derivation = shorten(std::move(derivation));
    if (options.json) {
      auto answer = make_derivation_json(derivation, is_short);
      if (fields) answer.update(make_whole_json(*fields));
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else if (derive_options.format == "latex") {
      out << write_derivation_latex(derivation);
      if (fields) out << write_field_equations_latex(fields->equations, fields->model());
    } else {
      out << write_derivation_text(derivation);
      if (fields)
        out << "\nThe fields before they were discretized\n\n"
            << write_field_equations(fields->equations, fields->model());
    }
    return exit_good;
  });
}

}  // namespace visviva
