// What the templates of exported files leave open: an exported system as named values, in any of the languages.
#pragma once

#include "visviva/codegen/export/export_syntax.h"
#include "visviva/codegen/export/template.h"

namespace visviva {

/// The values of an export, with the same names for all languages: each template takes those it
/// needs.
TemplateValues make_export_values(const ExportedSystem& system, const ExportSyntax& syntax);

}  // namespace visviva
