#include "visviva/report/derivation/proof_text.h"

namespace visviva {
namespace {

std::string problem_text(const ProofRemark& remark) {
  return remark.why ? explain_not_embedded(*remark.why) : remark.problem;
}

}  // namespace

std::string write_proof_remark(const ProofRemark& remark) {
  switch (remark.kind) {
    case ProofRemark::Kind::on_constraints_only:
      return remark.pair +
             ": compared where the constraints hold; as functions of all speeds the equations are "
             "not the same";
    case ProofRemark::Kind::not_embedded:
      return remark.pair + ": the constraints could not be embedded (" + problem_text(remark) +
             "), so the equations were compared as functions of all speeds";
    case ProofRemark::Kind::weak_bound:
      return "the bound on the chance of a false equality is weak here: the quotients in these "
             "equations may be of very high degree";
    case ProofRemark::Kind::nothing_to_compare:
      break;
  }
  return "only one method applies: there is nothing to compare it with";
}

}  // namespace visviva
