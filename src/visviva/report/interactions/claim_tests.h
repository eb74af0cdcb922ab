// Claims along a run: what is claimed to be constant, watched at its rows.
//
// X is what is claimed, X_1 its values along the run and X_2 along one with a tenth of the tolerance. What their difference
// leaves open is the run's own error of X:
//   e = 10 max |X_1 - X_2| + rounding                                                          (1)
// X is not constant when it leaves its start by more than e in both runs: a smaller step would not help.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "visviva/codegen/system/output_expressions.h"
#include "visviva/report/interactions/claims.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

struct ClaimTest {
  enum class Verdict {
    proved,   ///< before the run
    held,     ///< not proved; the run does not contradict it
    failed,   ///< the run contradicts it
    untested  ///< not proved, and a run cannot show it
  };
  std::string claim;  ///< claim_text()
  Verdict verdict = Verdict::untested;
  SourceSpan place{};
  bool is_watched = false;  ///< the numbers below mean something
  double start = 0.0, max_deviation = 0.0;
  double time = 0.0, value = 0.0;  ///< where it is farthest from its start
  double allowed = 0.0;            ///< (1); of what is not proved
};

/// What a run must put out for its claims to be watched.
std::vector<ExtraOutput> list_claim_outputs(const Equations& equations);

/// True when some claim needs the second run of (1): it is not proved, and it left its start.
bool needs_finer_run(const ModelData& model, const std::vector<ClaimVerdict>& claims,
                     const Trajectory& run);

/// One test for each claim of the model; `finer` may be the run itself where none is needed.
std::vector<ClaimTest> test_claims(const ModelData& model, const std::vector<ClaimVerdict>& claims,
                                   const Trajectory& run, const Trajectory& finer);

/// A sentence about one claim, and an error for one that failed.
std::string write_claim_test(const ClaimTest& test);
std::vector<Diagnostic> diagnose_claim_tests(const std::vector<ClaimTest>& tests);
nlohmann::ordered_json make_claims_json(const std::vector<ClaimTest>& tests);

}  // namespace visviva
