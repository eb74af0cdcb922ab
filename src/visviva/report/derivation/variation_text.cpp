#include "visviva/report/derivation/variation_text.h"

#include <fmt/format.h>

#include "visviva/base/words.h"

namespace visviva {
namespace {

Diagnostic make_refusal(const char* code, std::string message, std::string help) {
  return {Severity::error, code, std::move(message), std::move(help), {}};
}

}  // namespace

Diagnostic diagnose_no_variation(const NoVariation& why) {
  switch (why.kind) {
    case NoVariation::Kind::none_given:
      break;
    case NoVariation::Kind::motion_constraint:
      return make_refusal("E-variation-constraint",
                          "the constraint '" + why.name +
                              "' is on velocities: paths beside the motion that satisfy it are not "
                              "those that the principle compares",
                          "vary a model whose constraints are on the configuration");
    case NoVariation::Kind::quaternion:
      return make_refusal(
          "E-variation-name",
          "'" + why.name + "' is one of four Euler parameters, which do not vary by themselves",
          "describe the orientation by angles, and vary these");
    case NoVariation::Kind::spin:
      return make_refusal(
          "E-variation-name",
          "the frame '" + why.name +
              "' is given by its angular velocity alone: no coordinates describe its path",
          "describe the orientation by angles");
    case NoVariation::Kind::unknown_force:
      return make_refusal(
          "E-variation-force",
          "the unknown force '" + why.name + "' does virtual work in this variation",
          "give the force, or use a constraint");
    case NoVariation::Kind::open_end:
      return make_refusal(
          "E-variation-ends",
          fmt::format("the variation of '{0}' is {1:.6g} at t = {2:.6g} s, not zero: the boundary "
                      "term p_{0}*(variation) is {3:.6g} J s there",
                      why.name, why.value, why.time, why.boundary_term),
          "a variation vanishes at both ends, as t*(T - t) does");
    case NoVariation::Kind::jump:
      return make_refusal(
          "E-variation-jump",
          fmt::format("the variation of '{}' jumps by {:.6g} at t = {:.6g} s: the path beside the "
                      "motion would not be continuous",
                      why.name, why.value, why.time),
          "a variation may have corners, as abs(t - T) has, but no jumps");
    case NoVariation::Kind::incompatible:
      return make_refusal(
          "E-variation-constraint",
          fmt::format("the variation leaves the constraint '{}': to first order it changes by "
                      "{:.6g} at t = {:.6g} s",
                      why.name, why.value, why.time),
          "vary all coordinates of the constraint so that it stays satisfied; a variation may "
          "mention the coordinates themselves");
  }
  return make_refusal("E-variation-form", "there is no variation", "");
}

std::vector<std::string> write_variation_remarks(const VariationNames& names) {
  std::vector<std::string> remarks;
  if (!names.trial_paths.empty())
    remarks.push_back("The path of " + list_words(names.trial_paths) +
                      " is specified, a trial path: dS/de need not vanish.");
  if (!names.without_potential.empty())
    remarks.push_back("Without a potential: " + join_words(names.without_potential) +
                      ". Along a motion dS/de + W vanishes, not dS/de.");
  if (!names.constraints.empty())
    remarks.push_back("The variation keeps to " + join_words(names.constraints) +
                      " to first order; multipliers stand for the second in d2S/de2.");
  if (names.trial_paths.size() < names.paths.size() && names.without_potential.empty() &&
      names.trial_paths.empty()) {
    remarks.push_back(
        names.vanishes
            ? "Along a motion dS/de vanishes: the action is stationary."
            : "Along a motion dS/de vanishes for every smooth variation: this one jumps or has an "
              "infinite rate, or the integrals do not resolve it.");
  }
  return remarks;
}

}  // namespace visviva
