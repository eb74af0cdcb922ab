#include "visviva/app/cli/check_file.h"

#include "visviva/base/render.h"
#include "visviva/equations/interactions/integrability_rows.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/text/build/load_model.h"

namespace visviva {
namespace {

void integrate(CheckedModel* checked) {
  const Integrability found = analyze_integrability(*checked->motion);
  checked->motion.emplace(integrate_constraints(*checked->motion, found, checked->start));
  checked->start = make_consistent_start(*checked->motion);
}

CheckedModel check_reading(ModelReading reading, const CheckOptions& options) {
  CheckedModel checked{
      std::move(reading.source), std::move(reading.diagnostics), std::move(reading.model), {}, {}};
  if (!checked.model || checked.has_error()) return checked;
  std::vector<Diagnostic> more;
  try {
    checked.motion.emplace(analyze_motion(*checked.model));
    checked.start = make_consistent_start(*checked.motion);
    if (options.integrates_constraints) integrate(&checked);
    more = check_model(*checked.motion, checked.start);
  } catch (const ModelError& error) {
    more = error.diagnostics();
  } catch (const UsageError& error) {
    more = {diagnose_refusal(error)};
  }
  checked.diagnostics.insert(checked.diagnostics.end(), more.begin(), more.end());
  checked.diagnostics = sort_diagnostics(checked.diagnostics, 1000);
  return checked;
}

}  // namespace

bool CheckedModel::has_error() const { return visviva::has_error(diagnostics); }

// Called where the error is being handled, so that it can be thrown on.
Diagnostic diagnose_refusal(const UsageError& error) {
  if (error.code() == "E-constraint-contradictory")
    return {Severity::error,
            error.code(),
            error.problem(),
            "start elsewhere, or leave one of them out",
            {}};
  switch (explain_undefined(error).kind) {
    case Undefined::Kind::zero_divisor:
      return {Severity::error,
              "E-division-by-zero",
              "with the values of this model something divides by zero",
              "find a length, a mass or an angle that makes it so, and change its value",
              {}};
    case Undefined::Kind::outside_domain:
      return {Severity::error,
              "E-value-domain",
              "with the values of this model a function has no value: " + error.problem(),
              "find the value that makes it so, and change it",
              {}};
    case Undefined::Kind::number_range:
      break;
  }
  return {Severity::error,
          "E-number-range",
          "with the values of this model a number in its equations is beyond the range of numbers",
          "values may lie between 1e-300 and 1e300, and so must their products and powers: choose "
          "values nearer to 1",
          {}};
}

CheckedModel check_file(const std::string& path, const ReadOptions& options,
                        const CheckOptions& check) {
  return check_reading(try_load_model(path, options), check);
}

CheckedModel check_text(const SourceText& source, const ReadOptions& options,
                        const CheckOptions& check) {
  return check_reading(read_model(source, options), check);
}

void judge_claims(CheckedModel* checked, bool strict) {
  if (checked->has_error() || checked->motion->model().claims.empty()) return;
  std::vector<Diagnostic> found;
  try {
    checked->claims = judge_claims(derive(*checked->motion), checked->start);
    for (const ClaimVerdict& claim : checked->claims) {
      if (claim.problem) found.push_back(*claim.problem);
    }
  } catch (const ModelError& error) {
    found = error.diagnostics();
  } catch (const UsageError& error) {
    found = {diagnose_refusal(error)};
  }
  for (Diagnostic& d : found) {
    if (strict && d.code == "W-claim-undecided") d.severity = Severity::error;
    checked->diagnostics.push_back(d);
  }
  checked->diagnostics = sort_diagnostics(checked->diagnostics, 1000);
}

}  // namespace visviva
