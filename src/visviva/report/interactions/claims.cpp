#include "visviva/report/interactions/claims.h"

#include <algorithm>
#include <optional>

#include "visviva/base/result_table.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/constant_of_motion.h"
#include "visviva/report/derivation/integrability_text.h"
#include "visviva/report/energy/energy_report.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/report/interactions/claim_witness.h"
#include "visviva/report/interactions/interactions_text.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// What stands after the first "Third law: ", without the full stop.
std::string without_head(const std::string& sentence) {
  const std::size_t start = sentence.find(": ") + 2;
  return sentence.substr(start, sentence.size() - start - 1);
}

class ClaimChecker {
 public:
  ClaimChecker(const Equations& equations, const ConsistentStart& start)
      : equations_(equations), start_(start) {}

  std::vector<ClaimVerdict> check() {
    for (const ClaimData& claim : equations_.motion.model().claims) {
      found_.emplace_back();
      switch (claim.kind) {
        case ClaimData::Kind::invariant:
        case ClaimData::Kind::third_law:
          check_interaction(claim);
          break;
        case ClaimData::Kind::constant:
          check_constant(claim);
          break;
        case ClaimData::Kind::holonomic:
        case ClaimData::Kind::nonholonomic:
          check_constraint(claim);
          break;
      }
    }
    return std::move(found_);
  }

 private:
  void refute(const ClaimData& claim, const std::string& message, const std::string& help = "") {
    found_.back() = {Decision::no, Diagnostic{Severity::error, "E-claim-false", message, help,
                                              claim.source.span}};
  }
  void leave_open(const ClaimData& claim, const std::string& message) {
    found_.back() = {Decision::undecided, Diagnostic{Severity::warning, "W-claim-undecided",
                                                     message, "", claim.source.span}};
  }

  const InteractionReport& interactions() {
    if (!interactions_) interactions_ = make_interaction_report(equations_, start_);
    return *interactions_;
  }

  void check_interaction(const ClaimData& claim) {
    const InteractionReport& report = interactions();
    const std::vector<Interaction>& all = report.interactions.list();
    const auto i = std::find_if(all.begin(), all.end(),
                                [&](const Interaction& x) { return x.name == claim.subject; });
    if (i == all.end() || !i->is_placed)
      return leave_open(claim, "where '" + claim.subject + "' acts is not known");
    const InteractionValues& values = report.values[static_cast<std::size_t>(i - all.begin())];
    if (claim.kind == ClaimData::Kind::third_law) {
      if (values.alone.holds == Decision::undecided)
        leave_open(claim, "whether '" + claim.subject +
                              "' obeys the third law was not decided; no state was found at which "
                              "it fails");
      if (values.alone.ground == Ground::by_numbers)
        leave_open(claim, "that '" + claim.subject +
                              "' obeys the third law where the constraints hold was found by "
                              "numbers, and not proved");
      if (values.alone.holds == Decision::no)
        refute(claim, "'" + claim.subject + "' does not obey the third law: " +
                          without_head(third_law_sentence(report, *i, values)));
      return;
    }
    if (i->alone.decision() == Decision::no)
      refute(claim, "'" + claim.subject + "' is not invariant under " +
                        join_words(list_breaks(i->alone)) + ": " + explain_breaks(report, *i) +
                        (values.alone.holds == Decision::no && report.has_values
                             ? "; it leaves " + rest_text(*i, values.alone)
                             : ""));
    if (i->alone.decision() == Decision::undecided)
      leave_open(claim, "whether '" + claim.subject + "' is invariant was not decided");
  }

  // Nothing where the constraints cannot be embedded.
  const EnergyReport* energies() {
    if (!energies_ && !are_energies_missing_) {
      auto found = try_analyze_energy(equations_);
      are_energies_missing_ = !found;
      if (found) energies_ = make_energy_report(*std::move(found), start_);
    }
    return energies_ ? &*energies_ : nullptr;
  }

  void check_constant(const ClaimData& claim) {
    const EnergyReport* report = energies();
    const std::string undecided = "whether '" + claim.subject + "' is constant was not decided";
    if (report == nullptr)
      return leave_open(claim, undecided + ": the constraints cannot be solved symbolically");
    const Integrals& all = report->integrals;
    std::vector<std::string> names;
    for (const auto* list : {&all.energies, &all.momenta}) {
      for (const Integral& integral : *list) {
        if (integral.name == claim.subject) return check_integral(claim, integral);
        names.push_back(integral.name);
      }
    }
    if (claim.value.valid()) return check_value(claim, report->energies, undecided);
    const std::string& name = claim.subject;
    // Momenta of speeds are listed only where no other momentum is the same.
    if (const auto momentum = examine_speed_momentum(report->energies, name))
      return judge_rate(claim, *momentum, undecided);
    found_.back() = {Decision::no,
                     Diagnostic{Severity::error, "E-claim-subject",
                                "there is no integral, output or scalar '" + name +
                                    "'; expected an expression, or one of " + join_words(names),
                                did_you_mean(name, names), claim.source.span}};
  }

  void check_value(const ClaimData& claim, const Energies& energies, const std::string& undecided) {
    const auto find_action = [this](const std::string& name) {
      return interactions().interactions.find_component(name);
    };
    if (names_action(claim.value)) interactions();  // before the work on the claim begins
    const ConstantFact found =
        examine_constant(energies, Quantity(claim.value, claim.dimension), find_action);
    judge_rate(claim, found, undecided);
  }

  void judge_rate(const ClaimData& claim, const ConstantFact& found, const std::string& undecided) {
    const std::string subject = "'" + claim.subject + "'";
    if (found.fact.verdict == ZeroVerdict::undecided) return leave_open(claim, undecided);
    if (found.fact.verdict == ZeroVerdict::zero) {
      if (found.fact.scope == Scope::these_values && !claim.is_for_these_values)
        refute(claim, subject + " is constant for these values only",
               "write: claim constant " + claim.subject + " for these values");
      return;
    }
    refute(claim, subject + " is not constant" + rate_words(found, energies_->energies, start_) +
                      (found.fact.extent == Extent::this_start
                           ? "; it is in the motion from this start alone"
                           : ""));
  }

  static bool names_action(const Expr& value) {
    const std::vector<Expr> symbols = free_symbols(value);
    return std::any_of(symbols.begin(), symbols.end(), [](const Expr& s) {
      const auto called = find_result_call(s.home().symbol_name(s.ref()));
      return called && called->action();
    });
  }

  void check_integral(const ClaimData& claim, const Integral& integral) {
    const std::string why = join_reasons(integral.reasons, Wording::brief);
    const std::string because = why.empty() ? "" : ": " + why;
    switch (integral.constancy) {
      case Constancy::constant:
        if (integral.scope == Scope::these_values && !claim.is_for_these_values)
          refute(claim, "'" + claim.subject + "' is constant for these values only" + because,
                 "write: claim constant " + claim.subject + " for these values");
        return;
      case Constancy::not_constant:
        return refute(claim, "'" + claim.subject + "' is not constant" + because +
                                 energy_rate_words(claim.subject, energies_->energies, start_));
      case Constancy::not_defined:
        return refute(claim, "'" + claim.subject + "' is not defined here" + because);
      case Constancy::undecided:
        return leave_open(claim,
                          "whether '" + claim.subject + "' is constant was not decided" + because);
    }
  }

  void check_constraint(const ClaimData& claim) {
    if (!integrability_) integrability_ = analyze_integrability(equations_.motion);
    for (const ConstraintIntegrability& c : integrability_->constraints) {
      if (c.name != claim.subject) continue;
      const Decision wanted =
          claim.kind == ClaimData::Kind::holonomic ? Decision::yes : Decision::no;
      if (c.holonomic == wanted) return;
      std::vector<std::string> rows;
      for (const RowIntegrability& row : c.rows) rows.push_back(write_integrability(row));
      const std::string what = "'" + claim.subject + "' is " +
                               (c.holonomic == Decision::yes ? "holonomic" : "nonholonomic") + ": ";
      if (c.holonomic == Decision::undecided)
        return leave_open(claim, "whether '" + claim.subject + "' is holonomic was not decided");
      return refute(claim, what + join_words(rows));
    }
    leave_open(claim, "'" + claim.subject + "' says nothing: it has no row");
  }

  const Equations& equations_;
  const ConsistentStart& start_;
  std::optional<InteractionReport> interactions_;
  std::optional<EnergyReport> energies_;
  bool are_energies_missing_ = false;
  std::optional<Integrability> integrability_;
  std::vector<ClaimVerdict> found_;
};

}  // namespace

std::vector<ClaimVerdict> judge_claims(const Equations& equations, const ConsistentStart& start) {
  return ClaimChecker(equations, start).check();
}

std::string claim_text(const ClaimData& claim) {
  constexpr const char* words[] = {"invariant", "third_law", "constant", "holonomic",
                                   "nonholonomic"};
  return words[static_cast<std::size_t>(claim.kind)] + (" " + claim.subject);
}

}  // namespace visviva
