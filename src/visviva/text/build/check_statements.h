// Checks of whole statements: those that stand once, and the cases that were not chosen.
#pragma once

#include "visviva/text/build/read_table.h"

namespace visviva {

/// Reports a second `model`, a second `study` and a second case of the same name.
void check_repeated_statements(ModelDraft& draft);

/// Who reads what stands in a case.
struct CaseReaders {
  NameTable& names;
  ExpressionReader& expressions;
  TableReader& tables;
};

/// Reports changes of the cases that were not chosen: what they change must exist and have the
/// dimension that they give it, and their tables must be there.
void check_other_cases(ModelDraft& draft, const CaseReaders& readers,
                       const std::string& chosen_case);

}  // namespace visviva
