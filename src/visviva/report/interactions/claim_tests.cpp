#include "visviva/report/interactions/claim_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

constexpr double safety = 10;       // of (1)
constexpr double rounding = 1e-12;  // of the largest value

std::string column_name(std::size_t claim) { return "claim " + std::to_string(claim + 1); }

// Integrals that have a name of their own.
std::string alias_of(const std::string& subject) {
  return subject == "hamiltonian" ? "H" : subject == "mechanical_energy" ? "C" : "";
}

const std::vector<double>* find_values(const Trajectory& run, std::size_t claim) {
  const auto found = std::find(run.columns.begin(), run.columns.end(), column_name(claim));
  const auto place = static_cast<std::size_t>(found - run.columns.begin());
  if (found == run.columns.end() || place >= run.samples.size()) return nullptr;
  const std::vector<double>& values = run.samples[place];
  return values.empty() || !std::isfinite(values[0]) ? nullptr : &values;
}

double largest_size(const std::vector<double>& values) {
  double size = 0.0;
  for (const double x : values) size = std::isfinite(x) ? std::max(size, std::abs(x)) : size;
  return size;
}

// The row that is farthest from the first; rows without a value do not count.
std::size_t find_farthest(const std::vector<double>& values) {
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - values[0]) > std::abs(values[farthest] - values[0])) farthest = i;
  }
  return farthest;
}

double deviation(const std::vector<double>& values) {
  return std::abs(values[find_farthest(values)] - values[0]);
}

// (1)
double compute_error(const std::vector<double>& run, const std::vector<double>& finer) {
  double difference = 0.0;
  for (std::size_t i = 0; i < std::min(run.size(), finer.size()); ++i) {
    const double d = std::abs(run[i] - finer[i]);
    if (std::isfinite(d)) difference = std::max(difference, d);
  }
  return safety * difference + rounding * largest_size(run);
}

void watch(const std::vector<double>& values, const std::vector<double>& times, ClaimTest* test) {
  const std::size_t row = find_farthest(values);
  test->is_watched = true;
  test->start = values[0];
  test->max_deviation = std::abs(values[row] - values[0]);
  test->time = times[row];
  test->value = values[row];
}

const char* name_of(ClaimTest::Verdict verdict) {
  constexpr const char* names[] = {"proved", "held", "failed", "undecided"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace

std::vector<ExtraOutput> list_claim_outputs(const Equations& equations) {
  Workspace work(equations.pool());
  const Kinematics& motion = equations.motion;
  const ModelData& model = motion.model();
  std::vector<ExtraOutput> outputs;
  for (std::size_t i = 0; i < model.claims.size(); ++i) {
    const ClaimData& claim = model.claims[i];
    const std::string alias = alias_of(claim.subject);
    if (claim.kind != ClaimData::Kind::constant || (!claim.value.valid() && alias.empty()))
      continue;
    const Expr value =
        claim.value.valid()
            ? motion.resolve(Quantity(claim.value, claim.dimension)).expr(*model.pool)
            : model.pool->symbol(alias);
    outputs.push_back({column_name(i), {value}});
  }
  const std::shared_ptr<ExprPool> pool = work.finish();
  for (ExtraOutput& output : outputs) output.pool = pool;
  return outputs;
}

bool needs_finer_run(const ModelData& model, const std::vector<ClaimVerdict>& claims,
                     const Trajectory& run) {
  for (std::size_t i = 0; i < model.claims.size(); ++i) {
    const std::vector<double>* values = find_values(run, i);
    if (claims[i].holds == Decision::undecided && values != nullptr &&
        deviation(*values) > rounding * largest_size(*values))
      return true;
  }
  return false;
}

std::vector<ClaimTest> test_claims(const ModelData& model, const std::vector<ClaimVerdict>& claims,
                                   const Trajectory& run, const Trajectory& finer) {
  std::vector<ClaimTest> tests;
  for (std::size_t i = 0; i < model.claims.size(); ++i) {
    ClaimTest test{claim_text(model.claims[i])};
    test.place = model.claims[i].source.span;
    const bool is_proved = claims[i].holds == Decision::yes;
    if (is_proved) test.verdict = ClaimTest::Verdict::proved;
    const std::vector<double>*values = find_values(run, i), *again = find_values(finer, i);
    if (values != nullptr) watch(*values, run.t(), &test);
    if (!is_proved && values != nullptr && again != nullptr) {
      test.allowed = compute_error(*values, *again);
      const bool is_false = test.max_deviation > test.allowed && deviation(*again) > test.allowed;
      test.verdict = is_false ? ClaimTest::Verdict::failed : ClaimTest::Verdict::held;
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

std::string write_claim_test(const ClaimTest& test) {
  const std::string along = fmt::format(
      "along the run it stayed within {:.3g} of its start, {:.6g}", test.max_deviation, test.start);
  switch (test.verdict) {
    case ClaimTest::Verdict::proved:
      return test.claim + ": proved" + (test.is_watched ? "; " + along + "." : ".");
    case ClaimTest::Verdict::held:
      return fmt::format("{}: tested, not proved; {}. Errors of the run explain {:.3g}.",
                         test.claim, along, test.allowed);
    case ClaimTest::Verdict::failed:
      return fmt::format(
          "{}: false; at t = {:.6g} s it is {:.9g}, at the start {:.9g}. Errors of the run "
          "explain no more than {:.3g}.",
          test.claim, test.time, test.value, test.start, test.allowed);
    case ClaimTest::Verdict::untested:
      break;
  }
  return test.claim + ": not proved, and nothing that a run could test.";
}

std::vector<Diagnostic> diagnose_claim_tests(const std::vector<ClaimTest>& tests) {
  std::vector<Diagnostic> found;
  for (const ClaimTest& test : tests) {
    if (test.verdict == ClaimTest::Verdict::failed)
      found.push_back(
          {Severity::error, "E-claim-false", "claim " + write_claim_test(test), "", test.place});
  }
  return found;
}

json make_claims_json(const std::vector<ClaimTest>& tests) {
  const auto number = [](bool is_there, double x) {
    return is_there && std::isfinite(x) ? json(x) : json(nullptr);
  };
  json list = json::array();
  for (const ClaimTest& t : tests)
    list.push_back({{"claim", t.claim},
                    {"verdict", name_of(t.verdict)},
                    {"line", t.place.line},
                    {"start", number(t.is_watched, t.start)},
                    {"max_deviation", number(t.is_watched, t.max_deviation)},
                    {"time", number(t.is_watched, t.time)},
                    {"value", number(t.is_watched, t.value)},
                    {"allowed", number(t.allowed > 0, t.allowed)}});
  return list;
}

}  // namespace visviva
