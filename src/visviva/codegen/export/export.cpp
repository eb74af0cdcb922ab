#include "visviva/codegen/export/export.h"

#include "visviva/base/error.h"

namespace visviva {

std::string export_suffix(ExportLanguage language) {
  switch (language) {
    case ExportLanguage::c:
      return "c";
    case ExportLanguage::python:
      return "py";
    case ExportLanguage::matlab:
      return "m";
  }
  throw InternalError("export_suffix: unknown language");
}

std::string write_export(const ExportedSystem& system, ExportLanguage language) {
  switch (language) {
    case ExportLanguage::c:
      return write_c(system);
    case ExportLanguage::python:
      return write_python(system);
    case ExportLanguage::matlab:
      return write_matlab(system);
  }
  throw InternalError("write_export: unknown language");
}

}  // namespace visviva
