// Sentences for the remarks of a proof.
#pragma once

#include <string>

#include "visviva/equations/prove/prove.h"

namespace visviva {

/// One remark as a sentence, without a full stop.
std::string write_proof_remark(const ProofRemark& remark);

}  // namespace visviva
