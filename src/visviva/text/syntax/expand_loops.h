// Loops and indices: `for i in 1 to n: STATEMENT` becomes its statements, and
// the index in `Q[i - 1]` a number.
//
// It happens among tokens: what the loop repeats is read like any other
// statement, with the loop's variable as a number wherever it stands for a
// scalar. Q[i - 1] is the name "Q[0]" then.
#pragma once

#include "visviva/text/syntax/syntax.h"
#include "visviva/text/syntax/token.h"

namespace visviva {

/// Replaces the loops of a text by their statements and its indices by numbers;
/// what is wrong with them goes to list->diagnostics. `counts` are those of
/// other texts; the text's own are added.
void expand_loops(const SourceText& source, TokenList* list, Counts* counts);

}  // namespace visviva
