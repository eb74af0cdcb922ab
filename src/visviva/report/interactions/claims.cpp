#include "visviva/report/interactions/claims.h"

#include <algorithm>
#include <optional>

#include "visviva/base/suggest.h"
#include "visviva/base/words.h"
#include "visviva/report/derivation/integrability_text.h"
#include "visviva/report/energy/energy_report.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/report/interactions/interactions_text.h"

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

  std::vector<Diagnostic> check() {
    for (const ClaimData& claim : equations_.motion.model().claims) {
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
    found_.push_back({Severity::error, "E-claim-false", message, help, claim.source.span});
  }
  void leave_open(const ClaimData& claim, const std::string& message) {
    found_.push_back({Severity::warning, "W-claim-undecided", message, "", claim.source.span});
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
      if (!values.alone.holds)
        refute(claim, "'" + claim.subject + "' does not obey the third law: " +
                          without_head(third_law_sentence(report, *i, values)));
      return;
    }
    if (i->alone.decision() == Decision::no)
      refute(claim, "'" + claim.subject + "' is not invariant under " +
                        join_words(list_breaks(i->alone)) + ": " + explain_breaks(report, *i));
    if (i->alone.decision() == Decision::undecided)
      leave_open(claim, "whether '" + claim.subject + "' is invariant was not decided");
  }

  const Integrals& integrals() {
    if (!energies_) energies_ = make_energy_report(equations_, start_);
    return energies_->integrals;
  }

  void check_constant(const ClaimData& claim) {
    const Integrals& all = integrals();
    std::vector<std::string> names;
    for (const auto* list : {&all.energies, &all.momenta}) {
      for (const Integral& integral : *list) {
        if (integral.name == claim.subject) return check_integral(claim, integral);
        names.push_back(integral.name);
      }
    }
    // Momenta are listed only where they are constant.
    const std::string& name = claim.subject;
    const bool is_momentum =
        name.rfind("p_", 0) == 0 || name.find("momentum(") != std::string::npos;
    if (is_momentum)
      return refute(claim, "'" + name + "' is not constant, or there is no such momentum");
    found_.push_back({Severity::error, "E-claim-subject",
                      "there is no integral '" + name + "'; expected one of " + join_words(names),
                      did_you_mean(name, names), claim.source.span});
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
        return refute(claim, "'" + claim.subject + "' is not constant" + because);
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
  std::optional<Integrability> integrability_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_claims(const Equations& equations, const ConsistentStart& start) {
  return ClaimChecker(equations, start).check();
}

}  // namespace visviva
