// Equations of motion as one self-contained source file that needs nothing of ours.
#pragma once

#include <string>

#include "visviva/codegen/export/exported_system.h"

namespace visviva {

enum class ExportLanguage {
  c,       ///< C99 with <math.h>: functions NAME_rates and so on
  python,  ///< a module that needs NumPy
  matlab,  ///< one function that returns a struct of function handles; R2016b
};

/// "c", "py", "m"
std::string export_suffix(ExportLanguage language);

/// The whole text of the file.
std::string write_export(const ExportedSystem& system, ExportLanguage language);

}  // namespace visviva
