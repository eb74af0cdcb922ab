// `visviva prove MODEL`: the methods compared with each other, exactly.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/variation_command.h"
#include "visviva/app/cli/whole_fields.h"
#include "visviva/base/words.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/prove/prove.h"
#include "visviva/report/derivation/proof_text.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::string verdict_name(Verdict v) {
  return v == Verdict::equal ? "equal" : v == Verdict::different ? "different" : "undecided";
}

json step_json(const ProofStep& s) {
  json j = {{"claim", write_proof_claim(s.claim)}, {"verdict", verdict_name(s.verdict)}};
  if (s.verdict == Verdict::equal) j["error_probability"] = s.error_probability;
  if (s.verdict != Verdict::different) return j;
  j["where"] = write_proof_places(s);
  j["terms"] = json::array();
  for (const DifferenceTerm& term : s.terms) j["terms"].push_back(write_difference_term(term));
  j["witness"] = json::object();
  for (const auto& [name, value] : s.witness) j["witness"][name] = value;
  j["left"] = s.left;
  j["right"] = s.right;
  return j;
}

json proof_json(const Proof& proof) {
  json j = {{"methods", json::array()},
            {"verdict", verdict_name(proof.verdict)},
            {"equal", proof.verdict == Verdict::equal},
            {"error_probability", proof.error_probability},
            {"evidence", json::array()},
            {"refusals", json::array()},
            {"remarks", json::array()}};
  for (const ProofRemark& r : proof.remarks) j["remarks"].push_back(write_proof_remark(r));
  for (const Method m : proof.methods) j["methods"].push_back(method_name(m));
  for (const ProofStep& s : proof.steps) j["evidence"].push_back(step_json(s));
  for (const MethodRefusal& r : proof.refusals)
    j["refusals"].push_back(
        {{"method", method_name(r.method)}, {"reason", write_method_refusal(r)}});
  return j;
}

// A state at which two methods differ, and what makes the difference.
void print_difference(const ProofStep& s, std::ostream& out) {
  out << fmt::format("      in {}: {} against {}\n", write_proof_places(s), number_text(s.left),
                     number_text(s.right));
  for (const DifferenceTerm& term : s.terms)
    out << "      from " << write_difference_term(term) << '\n';
  const std::string state =
      join_each(s.witness, [](const auto& w) { return w.first + " = " + number_text(w.second); });
  if (!state.empty()) out << "      at " << state << '\n';
}

void print_proof(const std::string& model, const Proof& proof, std::ostream& out) {
  const std::string methods = join_each(proof.methods, method_name);
  out << fmt::format("{}: {}\n", model, verdict_name(proof.verdict));
  out << fmt::format("Methods: {}.\n", methods);
  if (proof.verdict == Verdict::equal && proof.error_probability > 0)
    out << fmt::format("The probability that this is wrong is below {:.1e}.\n",
                       proof.error_probability);
  out << '\n';
  for (const ProofStep& s : proof.steps) {
    out << fmt::format("  {:<10} {}\n", verdict_name(s.verdict), write_proof_claim(s.claim));
    if (s.verdict == Verdict::different) print_difference(s, out);
  }
  for (const MethodRefusal& r : proof.refusals)
    out << fmt::format("  left out   {}: {}\n", method_name(r.method), write_method_refusal(r));
  for (const ProofRemark& remark : proof.remarks)
    out << fmt::format("  remark     {}\n", write_proof_remark(remark));
}

std::string write_balance_claim(const PowerBalance& b, const ModelData& model) {
  const std::string& x = model.field_variables[static_cast<std::size_t>(b.variable)].name;
  return fmt::format("continuous bodies along {0}: de/dt + dS/d{0} = p", x);
}

}  // namespace

int run_prove(const CommandOptions& options, const ProveOptions& given, std::ostream& out,
              std::ostream& err) {
  if (!given.variations.empty()) return run_variation(options, given, out, err);
  return with_model(options, out, err, [&](CheckedModel& checked) {
    const Proof proof = prove(*checked.motion);
    const auto fields = find_whole_fields(checked, options);
    bool is_good = proof.verdict == Verdict::equal;
    if (fields)
      for (const PowerBalance& b : fields->equations.balances) is_good = is_good && b.is_proved;
    if (proof.methods.empty()) derive(*checked.motion);  // says why no method has equations
    if (options.json) {
      json answer = proof_json(proof);
      if (fields) {
        for (const PowerBalance& b : fields->equations.balances)
          answer["evidence"].push_back({{"claim", write_balance_claim(b, fields->model())},
                                        {"verdict", b.is_proved ? "equal" : "undecided"}});
        if (!is_good && answer["equal"]) answer["verdict"] = "undecided";
        answer["equal"] = is_good;
      }
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else {
      print_proof(checked.motion->model().name, proof, out);
      if (fields)
        for (const PowerBalance& b : fields->equations.balances)
          out << fmt::format("  {:<10} {}\n", b.is_proved ? "equal" : "undecided",
                             write_balance_claim(b, fields->model()));
    }
    return is_good ? exit_good : exit_not_certified;
  });
}

}  // namespace visviva
