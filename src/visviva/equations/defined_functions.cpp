#include "visviva/equations/defined_functions.h"

#include "visviva/base/words.h"

namespace visviva {

void require_defined_functions(const ModelData& model) {
  std::vector<Diagnostic> undefined;
  for (const FunctionData& f : model.functions) {
    if (!f.is_used || f.table) continue;
    undefined.push_back({Severity::error, "E-function-undefined",
                         "the function '" + f.name + "' has no definition, and numbers need one",
                         "write function " + f.name + "(" + join_words(f.parameters) + ") = ...",
                         f.source.span});
  }
  if (!undefined.empty()) throw ModelError(undefined);
}

}  // namespace visviva
