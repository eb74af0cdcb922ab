#include "visviva/app/cli/variation_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/derivation/variation_text.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/study/vary_action.h"

namespace visviva {
namespace {

constexpr double resolved =
    1e-8;  // of the action: what rounding and integrals leave of a slope that vanishes

bool vanishes(const VariedAction& v) {
  return std::abs(v.first_variation) <= std::max(10 * v.error, resolved * std::abs(v.action));
}

using json = nlohmann::ordered_json;

[[noreturn]] void refuse(const NoVariedAction& why, double until) {
  if (why.variation) throw ModelError({diagnose_no_variation(*why.variation)});
  const std::string reason = write_reason_text(why.reason);
  throw ModelError(
      {{Severity::error, "E-variation-run",
        fmt::format("the motion ends at t = {} s, before {} s{}", number_text(why.t_end),
                    number_text(until), reason.empty() ? "" : ": " + reason),
        "give an earlier end with --until", SourceSpan{}}});
}

json number_json(double value) { return std::isfinite(value) ? json(value) : json(); }

json variation_json(const VariedAction& v) {
  return {{"until", v.until},
          {"action", number_json(v.action)},
          {"first_variation", number_json(v.first_variation)},
          {"second_variation", number_json(v.second_variation)},
          {"virtual_work", number_json(v.virtual_work)},
          {"first_variation_with_work", number_json(v.first_variation + v.virtual_work)},
          {"error", v.error},
          {"varied", v.paths},
          {"trial_paths", v.trial_paths},
          {"without_potential", v.without_potential},
          {"constraints", v.constraints}};
}

void print_variation(const std::string& model, const VariedAction& v, std::ostream& out) {
  out << model << ": the action from t = 0 to " << number_text(v.until) << " s\n\n";
  // What is left over from rounding is zero to people; --json has it.
  constexpr double rounding = 1e-13;
  const double least = rounding * (std::abs(v.action) + std::abs(v.virtual_work));
  const auto line = [&](const char* name, double value, const std::string& meaning) {
    out << fmt::format("  {:<10} = {:<14} J s   {}\n", name,
                       number_text(std::abs(value) < least ? 0.0 : value), meaning);
  };
  line("S", v.action, "integral of K - V");
  line("dS/de", v.first_variation, "at e = 0");
  if (!v.without_potential.empty()) {
    line("W", v.virtual_work, "virtual work of loads without a potential");
    line("dS/de + W", v.first_variation + v.virtual_work, "the extended principle");
  }
  line("d2S/de2", v.second_variation, "at e = 0");
  out << '\n';
  for (const std::string& remark : write_variation_remarks(
           {v.paths, v.trial_paths, v.without_potential, v.constraints, vanishes(v)}))
    out << remark << '\n';
  out << fmt::format("The integrals are good to about {:.0e} J s.\n", std::max(v.error, 1e-16));
}

}  // namespace

int run_variation(const CommandOptions& options, const ProveOptions& given, std::ostream& out,
                  std::ostream& err) {
  return with_model(options, out, err, [&](CheckedModel& checked) {
    const RunOptions run = make_run_options(given.run, checked.motion->model().study);
    const Equations equations = derive(*checked.motion);
    require_values(checked);
    const auto varied = vary_action(equations, run.until);
    if (!varied) refuse(varied.why(), run.until);
    if (options.json) {
      json answer = variation_json(*varied);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else {
      print_variation(checked.motion->model().name, *varied, out);
    }
    return exit_good;
  });
}

}  // namespace visviva
