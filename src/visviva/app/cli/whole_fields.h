// The field equations of a model, whose fields are left whole for them whatever `discretize` says.
#pragma once

#include <optional>

#include "visviva/app/cli/answer.h"
#include "visviva/equations/continuum/field_equations.h"

namespace visviva {

struct WholeFields {
  CheckedModel checked;  ///< read once more
  FieldEquations equations;
  const ModelData& model() const { return checked.motion->model(); }
};

/// Nothing for a model without fields. ModelError where they cannot be derived.
std::optional<WholeFields> derive_whole_fields(const CheckedModel& checked,
                                               const CommandOptions& options);
/// Nothing where they cannot be derived, either.
std::optional<WholeFields> find_whole_fields(const CheckedModel& checked,
                                             const CommandOptions& options);

}  // namespace visviva
