// Sentences for the steps, refusals and remarks of a proof.
#pragma once

#include <string>

#include "visviva/equations/prove/prove.h"

namespace visviva {

/// What a step compares: "lagrange = kane: mass matrix".
std::string write_proof_claim(const ProofClaim& claim);
/// Where the sides of a step differ: "q1', q2' (not equal either: q1', z')".
std::string write_proof_places(const ProofStep& step);
/// What makes a difference: "pull at Acm: on one side only".
std::string write_difference_term(const DifferenceTerm& term);
/// Why a method was left out, without a full stop.
std::string write_method_refusal(const MethodRefusal& refusal);
/// One remark as a sentence, without a full stop.
std::string write_proof_remark(const ProofRemark& remark);

}  // namespace visviva
