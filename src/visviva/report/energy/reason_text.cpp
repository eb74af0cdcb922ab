#include "visviva/report/energy/reason_text.h"

#include <cstdio>

#include "visviva/base/utf8.h"
#include "visviva/base/words.h"
#include "visviva/report/derivation/reason_text.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/pool.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using Kind = Reason::Kind;

constexpr std::size_t shown_operations = 400;  // beyond it an expression is only named
constexpr std::size_t shown_characters = 160;  // likewise, as text
constexpr std::size_t long_clause = 48;        // characters; shorter ones are never abbreviated

const char* ingredient_name(Ingredient i) {
  switch (i) {
    case Ingredient::P_nonconservative:
      return "P_nonconservative";
    case Ingredient::sigma:
      return "sigma";
    case Ingredient::sigma_R:
      return "sigma_R";
    case Ingredient::K0_rate:
      return "dK0/dt";
    case Ingredient::K1_rate:
      return "dK1/dt";
    case Ingredient::motor_power:
      return "the power of motors and moving constraints";
    case Ingredient::power_beyond_potential:
      return "the power of the forces with a potential beyond -dU/dt";
    case Ingredient::potential_time_rate:
      return "dU/dt at fixed configuration";
    case Ingredient::turn_change:
      return "the change of U by a full turn";
    case Ingredient::none:
      break;
  }
  return "";
}

std::string print_work(double work) {
  char number[32];
  std::snprintf(number, sizeof number, "%.6g J", work);
  return number;
}

// Ingredients whose expressions are shown elsewhere, or follow from what is.
bool is_shown_elsewhere(Ingredient i) {
  return i == Ingredient::P_nonconservative || i == Ingredient::sigma || i == Ingredient::sigma_R ||
         i == Ingredient::K0_rate || i == Ingredient::K1_rate;
}

// A name as a formula; words as words.
Sentence ingredient_sentence(Ingredient i) {
  switch (i) {
    case Ingredient::P_nonconservative:
    case Ingredient::sigma:
    case Ingredient::sigma_R:
    case Ingredient::K0_rate:
    case Ingredient::K1_rate:
      return Sentence::formula(ingredient_name(i));
    default:
      return ingredient_name(i);
  }
}

// "sigma = a*b", or its name alone where the expression is long or not known.
Sentence ingredient_text(const Reason& r) {
  const Sentence name = ingredient_sentence(r.of);
  if (!r.expression.valid() || count_operations({r.expression}).total() > shown_operations)
    return name;
  if (print(r.expression).size() > shown_characters) return name;
  return name + Sentence::formula(" = ") + Sentence::value(r.expression);
}

// "b = 0, c = 1"
Sentence condition_text(const Reason& r) {
  std::vector<Sentence> parts;
  for (const auto& [symbol, value] : r.condition)
    parts.push_back(Sentence::value(symbol) + Sentence::formula(" = ") + Sentence::value(value));
  return join_sentences(parts);
}

Sentence on_constraints_text(const Reason& r) {
  return r.is_numeric ? "where the constraints hold (found numerically, not proved)"
                      : "where the constraints hold";
}

Sentence from_start_text(const Reason& r) {
  if (r.is_numeric) return "in the motion from this start (found numerically, not proved)";
  return "in the motion from this start, which keeps " + join_names(r.names);
}

// What is said about an ingredient, after its name.
Sentence write_ingredient(const Reason& r, const Sentence& name) {
  switch (r.kind) {
    case Kind::is_undecided:
      return "whether " + ingredient_sentence(r.of) + " vanishes is undecided";
    case Kind::is_not_zero:
      return name + " is not zero" +
             (r.extent == Extent::this_start ? ", but vanishes " + from_start_text(r) : Sentence());
    case Kind::is_zero:
      return ingredient_sentence(r.of) + Sentence::formula(" = 0") +
             (r.extent == Extent::on_constraints ? " " + on_constraints_text(r) : Sentence());
    default:
      return name + " vanishes for " +
             (r.condition.empty() ? Sentence("these values") : condition_text(r));
  }
}

Sentence write_ingredient(const Reason& r, Wording wording) {
  const Sentence full = write_ingredient(r, ingredient_text(r));
  const bool is_long = count_characters(full.text()) > long_clause;
  if (wording == Wording::full || !is_long || !is_shown_elsewhere(r.of)) return full;
  return write_ingredient(r, ingredient_sentence(r.of));
}

Sentence write_anyway(const Reason& r) {
  Sentence text = "its derivative vanishes although the sufficient conditions do not all hold";
  if (r.extent == Extent::on_constraints) text += ", " + on_constraints_text(r);
  if (!r.condition.empty()) text += "; with " + condition_text(r);
  return text;
}

// Reasons of integrals, but for their ingredients.
Sentence write_integral_reason(const Reason& r) {
  switch (r.kind) {
    case Kind::always_constant:
      return "always: " + Sentence::formula("Z' = sigma_R - P_nonconservative") +
             " makes up for what changes " + Sentence::formula("K2 + U");
    case Kind::identity_not_proved:
      return "not proved for these equations: " + (r.claim ? write_energy_claim(*r.claim) : "");
    case Kind::derivative_vanishes:
      return "its derivative along the motion vanishes";
    case Kind::conditions_not_needed:
      return write_anyway(r);
    case Kind::holds_on_constraints:
      return on_constraints_text(r);
    case Kind::holds_for_values:
      return "for " + condition_text(r);
    case Kind::constant_from_start:
      return "it is constant only " + from_start_text(r);
    case Kind::neither_proved_nor_refuted:
      return "neither proved nor refuted";
    case Kind::ignorable:
      return Sentence::formula(r.names[0]) + " is ignorable: neither " + Sentence::formula("K") +
             " nor " + Sentence::formula("U") + " depends on it, and nothing else acts on it";
    case Kind::same_as:
      return "it is " + Sentence::formula(r.names[0]);
    case Kind::negative_of:
      return "it is minus " + Sentence::formula(r.names[0]);
    case Kind::potential_energy_complete:
      return "no motor does work, " + Sentence::formula("U") + " does not depend on time, and " +
             Sentence::formula("-dU/dt") + " is the whole power of the forces with a potential";
    case Kind::no_potential_energy:
      return "there is no potential energy, only a generalized one";
    case Kind::changes_by_turn:
      return "not the same after a full turn of " + Sentence::formula(r.names[0]);
    case Kind::work_of_turn:
      return "the work in a full turn of " + Sentence::formula(r.names[0]) + " is " +
             print_work(r.number);
    case Kind::as_with_potential_energy:
      return Sentence::formula("U") + " is a potential energy, so that this is " +
             Sentence::formula(r.names[0]);
    case Kind::values_not_put_in:
      return "not all values were put in: " + r.undefined->problem;
    case Kind::start_too_large:
      return "the motion from the start state was not examined: more than " +
             std::to_string(r.count) + " degrees of freedom";
    case Kind::start_singular:
      return "the motion from the start state was not examined: the equations are singular at the "
             "start state";
    default:
      return "";
  }
}

// Why a load has a potential.
Sentence write_potential_reason(const Reason& r) {
  switch (r.kind) {
    case Kind::uniform_gravity:
      return "uniform gravity";
    case Kind::elastic:
      return "an elastic force";
    case Kind::given_by_potential:
      return "given by its potential";
    case Kind::same_everywhere:
      return "a force that is the same everywhere";
    case Kind::central:
      return "a force along the line between two points that depends on their distance";
    case Kind::integrable:
      return "its generalized forces depend on the configuration alone and are integrable";
    case Kind::integrable_for_values:
      return "for these values its generalized forces are integrable";
    case Kind::integrable_on_constraints:
      return "where the constraints hold its generalized forces are integrable";
    case Kind::integrable_at_every_instant:
      return "at every instant its generalized forces are integrable";
    case Kind::integrable_together:
      return "together " + join_words(r.names, " and ") + " have a potential";
    case Kind::potential_depends_on_time:
      return "its potential depends on time through " + join_names(r.names);
    case Kind::rest_depends_on_speeds:
      return "the rest depends on speeds";
    default:
      return "";
  }
}

// Why a load has none.
Sentence write_load_refusal(const Reason& r) {
  switch (r.kind) {
    case Kind::no_value_at_rest:
      return "its law has no value at rest";
    case Kind::potential_jumps:
      return "its potential would have jumps, and be no function of the configuration everywhere";
    case Kind::potential_switches:
      return "it is switched: a sign or a step is in its potential";
    case Kind::depends_on_speeds:
      return "it depends on speeds";
    case Kind::depends_on_prescribed_rates:
      return "it depends on the prescribed motion " + Sentence::formula(r.names[0]) +
             " by its rates";
    case Kind::given_from_outside:
      return "it is given from outside, by " + join_names(r.names);
    case Kind::acts_on_no_coordinate:
      return "it acts on " + Sentence::formula(r.names[0]) + ", which is the rate of no coordinate";
    case Kind::potential_without_value:
      return "its potential, " + Sentence::value(r.expression) +
             ", has no value for these parameters";
    case Kind::not_integrable:
      return "its generalized forces are not integrable: that on " + Sentence::formula(r.names[0]) +
             " changes with " + Sentence::formula(r.names[1]) + " otherwise than that on " +
             Sentence::formula(r.names[1]) + " with " + Sentence::formula(r.names[0]);
    case Kind::no_closed_form:
      return "its generalized forces are integrable, but no closed form of its potential was found";
    case Kind::no_generalized_force:
      return "it has no generalized force";
    case Kind::no_generalized_power:
      return "its generalized power is zero";
    default:
      return "";
  }
}

const char* tried_text(const Reason& r) { return r.is_numeric ? ", as far as was tried" : ""; }

// What a source of energy does.
Sentence write_source_reason(const Reason& r) {
  switch (r.kind) {
    case Kind::no_power:
      return "it has no power";
    case Kind::no_power_with_values:
      return "it has no power with these values";
    case Kind::power_at_some_states:
      return "it has power at some states only; none of those tried";
    case Kind::prescribed_motions_only:
      return "through prescribed motions alone";
    case Kind::while_rate_positive:
      return "while its rate is positive";
    case Kind::damper_rate_positive:
      return "a damper with a positive rate";
    case Kind::nowhere_positive:
      return Sentence("its power is nowhere positive") + tried_text(r);
    case Kind::nowhere_negative:
      return Sentence("its power is nowhere negative") + tried_text(r);
    case Kind::own_rate_takes_out:
      return "the rate that it damps takes out; the rest through prescribed motions";
    case Kind::keeps_specified_motion:
      return "it keeps up the specified motion";
    case Kind::keeps_motion_of_time:
      return "it keeps up what is prescribed by " + Sentence::formula("t");
    case Kind::does_not_move:
      return "it does not move";
    case Kind::moves_without_power:
      return "it is moved by " + join_words(r.names) + ", and its forces have no power";
    case Kind::rest_through_prescribed_motions:
      return "the rest through prescribed motions";
    case Kind::moved_by:
      return "what moves it: " + join_words(r.names);
    default:
      return "";
  }
}

}  // namespace

Sentence make_reason(const Reason& reason, Wording wording) {
  if (reason.of != Ingredient::none) return write_ingredient(reason, wording);
  for (const auto write :
       {write_integral_reason, write_potential_reason, write_load_refusal, write_source_reason}) {
    Sentence sentence = write(reason);
    if (!sentence.empty()) return sentence;
  }
  return {};
}

std::vector<Sentence> make_reasons(const Reasons& reasons, Wording wording) {
  std::vector<Sentence> sentences;
  bool is_rest = false;
  for (const Reason& r : reasons) {
    const bool begins_rest = r.is_about_rest && !is_rest;
    sentences.push_back((begins_rest ? "the rest: " : "") + make_reason(r, wording));
    is_rest = r.is_about_rest;
  }
  return sentences;
}

std::string write_reason(const Reason& reason, Wording wording) {
  return make_reason(reason, wording).text();
}

std::vector<std::string> write_reasons(const Reasons& reasons, Wording wording) {
  std::vector<std::string> texts;
  for (const Sentence& s : make_reasons(reasons, wording)) texts.push_back(s.text());
  return texts;
}

std::string join_reasons(const Reasons& reasons, Wording wording) {
  return join_words(write_reasons(reasons, wording), "; ");
}

std::string write_definition(const IntegralDefinition& definition) {
  const std::string axis = std::string(" along N.") + definition.axis;
  switch (definition.kind) {
    case IntegralDefinition::Kind::linear_momentum:
      return "of the whole system" + axis;
    case IntegralDefinition::Kind::angular_momentum:
      return "of the whole system about " +
             (definition.about.empty() ? "its mass center" : definition.about) + axis;
    case IntegralDefinition::Kind::formula:
      break;
  }
  return definition.formula +
         (definition.needs_potential_energy ? ", with U a potential energy" : "");
}

}  // namespace visviva
