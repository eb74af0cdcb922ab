// Equations of motion as one self-contained source file that needs nothing of ours.
#pragma once

#include <string>

#include "visviva/codegen/export/export_system.h"

namespace visviva {

enum class ExportLanguage { c, python, matlab };

/// "c", "py", "m"
std::string export_suffix(ExportLanguage language);

/// C99 with <math.h>: functions NAME_rates and so on.
std::string write_c(const ExportedSystem& system);
/// A module that needs NumPy.
std::string write_python(const ExportedSystem& system);
/// One function that returns a struct of function handles; R2016b.
std::string write_matlab(const ExportedSystem& system);

std::string write_export(const ExportedSystem& system, ExportLanguage language);

}  // namespace visviva
