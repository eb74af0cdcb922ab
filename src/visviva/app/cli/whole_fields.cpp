#include "visviva/app/cli/whole_fields.h"

#include "visviva/equations/methods/derive.h"

namespace visviva {

std::optional<WholeFields> derive_whole_fields(const CheckedModel& checked,
                                               const CommandOptions& options) {
  if (checked.motion->model().fields.empty()) return std::nullopt;
  ReadOptions read = options.read;
  read.fields.stay_whole = true;
  CheckedModel whole = check_given(options, read);
  if (whole.has_error()) throw ModelError(whole.diagnostics);
  FieldEquations equations = derive_field_equations(derive(*whole.motion));
  return WholeFields{std::move(whole), std::move(equations)};
}

std::optional<WholeFields> find_whole_fields(const CheckedModel& checked,
                                             const CommandOptions& options) {
  try {
    return derive_whole_fields(checked, options);
  } catch (const ModelError&) {
    return std::nullopt;  // `derive` says why
  }
}

}  // namespace visviva
