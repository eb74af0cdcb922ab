#include "visviva/codegen/export/export.h"

#include "visviva/base/error.h"
#include "visviva/codegen/export/export_templates.h"
#include "visviva/codegen/export/export_values.h"

namespace visviva {
namespace {

// What is different for each language.
struct LanguageParts {
  const char* suffix;
  std::string (*make_template)();
  std::unique_ptr<ExportSyntax> (*make_syntax)(const ExportedSystem& system);
};

LanguageParts parts_of(ExportLanguage language) {
  switch (language) {
    case ExportLanguage::c:
      return {"c", c_template, make_c_syntax};
    case ExportLanguage::python:
      return {"py", python_template, make_python_syntax};
    case ExportLanguage::matlab:
      return {"m", matlab_template, make_matlab_syntax};
  }
  throw InternalError("write_export: unknown language");
}

}  // namespace

std::string export_suffix(ExportLanguage language) { return parts_of(language).suffix; }

std::string write_export(const ExportedSystem& system, ExportLanguage language) {
  const LanguageParts parts = parts_of(language);
  return fill_template(parts.make_template(),
                       make_export_values(system, *parts.make_syntax(system)));
}

}  // namespace visviva
