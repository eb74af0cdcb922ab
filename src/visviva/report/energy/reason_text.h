// Sentences for the reasons of energy verdicts: the one place where these become English.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/energy/integrals.h"
#include "visviva/report/derivation/sentence.h"

namespace visviva {

/// How much a sentence repeats.
enum class Wording {
  full,
  /// "sigma = (a long sum) is not zero" without the sum, which is shown already or follows from
  /// what is.
  brief
};

/// One reason as a clause, without a full stop; the others write it as text.
Sentence make_reason(const Reason& reason, Wording wording = Wording::full);
/// One clause for each reason.
std::vector<Sentence> make_reasons(const Reasons& reasons, Wording wording = Wording::full);

/// One reason as a clause, without a full stop.
std::string write_reason(const Reason& reason, Wording wording = Wording::full);
/// One clause for each reason.
std::vector<std::string> write_reasons(const Reasons& reasons, Wording wording = Wording::full);
/// All reasons as one text, with semicolons between; empty for none.
std::string join_reasons(const Reasons& reasons, Wording wording = Wording::full);

/// "K2 - K0 + U, with U a potential energy", "of the whole system about No along N.z".
std::string write_definition(const IntegralDefinition& definition);

}  // namespace visviva
