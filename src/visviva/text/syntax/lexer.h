// The lexer: text into tokens. It joins continued lines, reads units with their numbers, and checks
// the file as a whole.
//
// - A statement ends with its line, unless the line ends in ',' or an operator or has an open
//   bracket. Where the next line nevertheless starts a statement, the loose end is reported and the
//   statement is closed.
// - A unit follows its number after one blank: the longest run of unit names joined by *, / and ^n.
//   A name directly followed by one of . ( ' [ is never part of it.
#pragma once

#include "visviva/text/syntax/token.h"

namespace visviva {

/// All tokens of a text and everything wrong with them. Never throws on bad text; the source must
/// outlive the tokens.
TokenList make_tokens(const SourceText& source);

}  // namespace visviva
