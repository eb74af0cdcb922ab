// What `linearize` says of fields: exact frequencies where there are such, digits of the others.
#pragma once

#include <iosfwd>
#include <vector>

#include "visviva/app/cli/answer.h"

namespace visviva {

/// The frequencies (rad/s, ascending) of a model that was read in one way or another; empty where it has none.
using FindFrequencies = std::function<std::vector<double>(CheckedModel&)>;

/// Frequencies and shapes of a model whose fields are left whole. Throws ModelError (E-field-discretize) with the reason
/// where there is no closed form.
int answer_field_modes(const CommandOptions& options, const FindFrequencies& find,
                       std::ostream& out);

/// How many digits of frequencies of a model in elements stay when the number of elements is doubled; as many
/// as there are frequencies.
std::vector<int> count_digits(const CommandOptions& options, const FindFrequencies& find,
                              const std::vector<double>& frequencies);

}  // namespace visviva
