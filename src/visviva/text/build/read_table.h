// Tables of a model's text: a specified function by the samples of a file.
#pragma once

#include "visviva/text/build/expression_reader.h"

namespace visviva {

/// Defines a specified function by `table("force.csv", ...)`. The file is looked for beside the
/// model's; what is wrong in it is shown where the table is named.
void define_table(ModelDraft& draft, ExpressionReader& expressions, const Quantity& specified,
                  const Expression& call);

}  // namespace visviva
