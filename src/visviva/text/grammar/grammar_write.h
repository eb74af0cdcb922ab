// What is written from the grammar: the editors' highlighting and the tables of the reference.
#pragma once

#include <string>
#include <string_view>

namespace visviva {

/// The editors' grammar, as editors/vscode/syntaxes/viva.tmLanguage.json has it.
std::string make_textmate_grammar();

/// One table in Markdown: "statements", "clauses", "solids", "functions", "scalars", "words",
/// "units" or "codes". UsageError for another name.
std::string make_reference_table(std::string_view name);

/// A document with the lines between `<!-- table NAME -->` and `<!-- end -->` replaced by that
/// table.
std::string fill_reference_tables(std::string_view document);

}  // namespace visviva
